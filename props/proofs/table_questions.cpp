#include "props/proofs/table_questions.h"

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace convproof::proofs {

TableQuestions::TableQuestions(const Registry& registry, const std::vector<Clause>& assumed)
    : registry_(&registry) {
  Predicate domain = registry.gate;
  domain.clauses.insert(domain.clauses.end(), assumed.begin(), assumed.end());
  predicates_.push_back(std::move(domain));
  for (const Row& row : registry.rows) {
    predicates_.push_back(row.predicate);
    kernels_.push_back(registry.kernels.find(row.kernel).value_or(0));
  }
  for (const KernelInfo& kernel : registry.kernels.kernels) {
    contracts_.push_back(static_cast<std::uint32_t>(predicates_.size()));
    for (const ContractClause& clause : kernel.contract) {
      predicates_.push_back({.parameters = {}, .clauses = {clause.clause}});
    }
  }
  for (const Row& row : registry.rows) {
    variants_.push_back(static_cast<std::uint32_t>(predicates_.size()));
    for (std::size_t clause = 0; clause < row.predicate.clauses.size(); ++clause) {
      Predicate variant = row.predicate;
      variant.clauses.erase(variant.clauses.begin() + static_cast<std::ptrdiff_t>(clause));
      predicates_.push_back(std::move(variant));
    }
  }
  has_elements_ = static_cast<std::uint32_t>(predicates_.size());
  predicates_.emplace_back();
  auto nonempty = parse_condition("all(extent >= 1 for extent in res_shape)", registry.schema, {},
                                  "has_elements");
  // A schema without such a list: nothing to ask.
  if (nonempty) predicates_.back().clauses.push_back({.condition = std::move(*nonempty)});
}

Condition TableQuestions::reaches(std::uint32_t row) const {
  Condition condition;
  for (std::uint32_t earlier = 0; earlier < row; ++earlier) {
    condition.also(passes(this->row(earlier)));
  }
  return condition;
}

Condition TableQuestions::wins(std::uint32_t row) const {
  Condition condition = reaches(row);
  condition.also(matches(this->row(row)));
  return condition;
}

}  // namespace convproof::proofs
