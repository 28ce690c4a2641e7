#include "selector/registry/collector.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <utility>
#include <vector>

namespace convproof {

std::expected<Collector, LocatedError> Collector::compile(const Registry& registry) {
  Collector collector;
  collector.registry_ = &registry;
  std::vector<Predicate> predicates;
  std::vector<std::vector<Expression>> values;
  const auto add = [&](const Predicate& predicate, std::vector<Expression> computed = {}) {
    predicates.push_back(predicate);
    values.push_back(std::move(computed));
    return static_cast<std::uint32_t>(predicates.size() - 1);
  };
  for (const RowList& list : registry.lists) {
    if (!list.enabled) continue;
    for (std::size_t row = list.first; row < list.first + list.count; ++row) {
      CompiledRow compiled;
      compiled.row = static_cast<std::uint32_t>(row);
      compiled.predicate = add(registry.rows[row].predicate);
      if (list.policy == Policy::rewrite) {
        collector.rewrites_.push_back(compiled);
        continue;
      }
      add(registry.rows[row].append);
      compiled.first_tuning = static_cast<std::uint32_t>(predicates.size());
      for (const Tuning& tuning : registry.rows[row].tunings) {
        std::vector<Expression> computed = tuning.values;
        computed.insert(computed.end(), tuning.identity.begin(), tuning.identity.end());
        add(tuning.kept, std::move(computed));
      }
      collector.candidates_.push_back(compiled);
    }
  }
  collector.first_result_ = static_cast<std::uint32_t>(predicates.size());
  for (const ResultInfo& result : registry.results) add(result.requested);
  auto program = compile_table(predicates, registry.schema, values);
  if (!program) return std::unexpected(std::move(program.error()));
  collector.program_ = std::move(*program);
  collector.workspace_ = collector.program_.make_workspace();
  return collector;
}

TableOutcome Collector::rewrite() {
  for (const CompiledRow& rewrite : rewrites_) {
    const PredicateOutcome outcome = program_.run_row(rewrite.predicate, workspace_);
    if (outcome.kind == PredicateOutcome::Kind::not_matched) continue;
    return {.kind = outcome.kind == PredicateOutcome::Kind::matched ? TableOutcome::Kind::matched
                                                                    : TableOutcome::Kind::raised,
            .row = rewrite.row,
            .clause = outcome.clause,
            .cause = outcome.cause};
  }
  return {};
}

std::expected<void, RaisedRow> Collector::collect(std::vector<Candidate>& into) {
  for (const CompiledRow& candidate : candidates_) {
    bool eligible = true;
    for (std::uint32_t part = 0; part < 2 && eligible; ++part) {
      const PredicateOutcome outcome = program_.run_row(candidate.predicate + part, workspace_);
      if (outcome.kind == PredicateOutcome::Kind::raised)
        return std::unexpected(RaisedRow{candidate.row, outcome.clause, outcome.cause});
      eligible = outcome.kind == PredicateOutcome::Kind::matched;
    }
    if (!eligible) continue;
    if (registry_->rows[candidate.row].configuration_index) {
      offer_tunings(candidate, into);
    } else {
      into.push_back({.row = candidate.row});
    }
  }
  return {};
}

void Collector::offer_tunings(const CompiledRow& compiled, std::vector<Candidate>& into) {
  seen_.clear();
  const std::vector<Tuning>& tunings = registry_->rows[compiled.row].tunings;
  for (std::size_t i = 0; i < tunings.size(); ++i) {
    const std::size_t row = compiled.first_tuning + i;
    // A tuning whose values cannot be computed is none.
    if (program_.run_row(row, workspace_).kind != PredicateOutcome::Kind::matched) continue;
    Candidate candidate{.row = compiled.row, .entry = tunings[i].entry};
    for (std::size_t value = 0; value < tunings[i].values.size(); ++value)
      candidate.values.push_back(program_.value(row, value, workspace_));
    if (!tunings[i].identity.empty()) {
      CandidateParameters identity;
      for (std::size_t value = 0; value < tunings[i].identity.size(); ++value) {
        identity.push_back(program_.value(row, tunings[i].values.size() + value, workspace_));
      }
      if (std::ranges::find(seen_, identity) != seen_.end()) continue;
      seen_.push_back(identity);
    }
    into.push_back(candidate);
  }
}

bool Collector::is_requested(std::uint32_t result) {
  return program_.run_row(first_result_ + result, workspace_).kind ==
         PredicateOutcome::Kind::matched;
}

}  // namespace convproof
