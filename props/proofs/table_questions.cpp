#include "props/proofs/table_questions.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "selector/registry/configurations.h"

namespace convproof::proofs {
namespace {

bool reads_parameter(const Expression& expression) {
  return expression.kind == ExpressionKind::parameter ||
         std::ranges::any_of(expression.operands, reads_parameter);
}

}  // namespace

TableQuestions::TableQuestions(const Registry& registry, const std::vector<Clause>& assumed,
                               std::string_view shows_something)
    : registry_(&registry), ordered_(registry.rows.size(), true) {
  Predicate domain = registry.gate;
  domain.clauses.insert(domain.clauses.end(), assumed.begin(), assumed.end());
  predicates_.push_back(std::move(domain));
  for (const Row& row : registry.rows) {
    Predicate whole = row.predicate;
    whole.clauses.insert(whole.clauses.end(), row.append.clauses.begin(), row.append.clauses.end());
    predicates_.push_back(std::move(whole));
    kernels_.push_back(registry.kernels.find(row.kernel));
  }
  for (const RowList& list : registry.lists) {
    if (list.policy != Policy::collect_all) continue;
    for (std::size_t row = list.first; row < list.first + list.count; ++row) ordered_[row] = false;
  }
  for (const KernelInfo& kernel : registry.kernels.kernels) {
    contracts_.push_back(static_cast<std::uint32_t>(predicates_.size()));
    for (const ContractClause& clause : kernel.contract) {
      predicates_.push_back({.parameters = {}, .clauses = {clause.clause}});
    }
  }
  for (std::uint32_t row = 0; row < row_count(); ++row) {
    variants_.push_back(static_cast<std::uint32_t>(predicates_.size()));
    for (std::size_t clause = 0; clause < predicate(row).clauses.size(); ++clause) {
      Predicate variant = predicate(row);
      variant.clauses.erase(variant.clauses.begin() + static_cast<std::ptrdiff_t>(clause));
      predicates_.push_back(std::move(variant));
    }
  }
  add_tuned_clauses();
  has_elements_ = static_cast<std::uint32_t>(predicates_.size());
  predicates_.emplace_back();
  auto nonempty = parse_condition(shows_something, registry.schema, {}, "has_elements");
  // A schema without such a list: nothing to ask.
  if (nonempty) predicates_.back().clauses.push_back({.condition = std::move(*nonempty)});
  for (const ResultInfo& result : registry.results) predicates_.push_back(result.requested);
}

void TableQuestions::add_tuned_clauses() {
  for (std::uint32_t row = 0; row < row_count(); ++row) {
    auto& of_row = tuned_.emplace_back();
    const auto kernel = kernels_[row];
    if (!kernel) continue;
    const KernelInfo& facts = registry_->kernels.kernels[*kernel];
    of_row.resize(facts.contract.size());
    const Row& offered = registry_->rows[row];
    if (!offered.configuration_index) continue;
    std::vector<std::uint32_t> kept;
    for (const Tuning& tuning : offered.tunings) {
      kept.push_back(static_cast<std::uint32_t>(predicates_.size()));
      predicates_.push_back(tuning.kept);
    }
    for (std::size_t clause = 0; clause < facts.contract.size(); ++clause) {
      if (!reads_parameters(*kernel, clause)) continue;
      for (std::size_t i = 0; i < offered.tunings.size(); ++i) {
        auto tuned = tuned_clause(facts.contract[clause].clause, facts.parameters,
                                  registry_->configurations[*offered.configuration_index],
                                  offered.tunings[i]);
        if (!tuned) continue;
        of_row[clause].push_back(
            {.kept = kept[i], .holds = static_cast<std::uint32_t>(predicates_.size())});
        predicates_.push_back({.parameters = {}, .clauses = {std::move(*tuned)}});
      }
    }
  }
}

bool TableQuestions::reads_parameters(std::size_t kernel, std::size_t clause) const {
  const KernelInfo& facts = registry_->kernels.kernels[kernel];
  return !facts.parameters.empty() && reads_parameter(facts.contract[clause].clause.condition);
}

bool TableQuestions::are_adjacent(std::uint32_t row) const {
  return std::ranges::any_of(registry_->lists, [&](const RowList& list) {
    return list.policy != Policy::collect_all && row >= list.first &&
           row + 1 < list.first + list.count;
  });
}

Literal TableQuestions::lets_through(std::uint32_t earlier) const {
  return is_ordered(earlier) ? passes(row(earlier)) : raises(row(earlier), false);
}

Condition TableQuestions::reaches(std::uint32_t row) const {
  Condition condition;
  for (std::uint32_t earlier = 0; earlier < row; ++earlier) condition.also(lets_through(earlier));
  return condition;
}

Condition TableQuestions::wins(std::uint32_t row) const {
  Condition condition = reaches(row);
  condition.also(matches(this->row(row)));
  return condition;
}

}  // namespace convproof::proofs
