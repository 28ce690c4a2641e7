#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "selector/op/aten_call.h"
#include "selector/registry/aten_selector.h"
#include "selector/registry/aten_subject.h"
#include "selector/registry/configurations.h"
#include "selector/registry/registry.h"
#include "selector/rules/outcome.h"
#include "selector/rules/reference.h"

namespace convproof {

// A table, what selects by it, and what its candidates break.
class TestTable {
 public:
  explicit TestTable(const std::string& name) {
    auto loaded = find_registry(name);
    if (!loaded) {
      ADD_FAILURE() << to_string(loaded.error());
      return;
    }
    registry_ = std::move(*loaded);
    auto compiled = AtenSelector::compile(registry_);
    if (compiled) {
      selector_.emplace(std::move(*compiled));
    } else {
      ADD_FAILURE() << to_string(compiled.error());
    }
  }

  AtenSelection select(const AtenCall& call) { return selector_->select(call); }

  // Whether a clause of a candidate's kernel holds of the record of a call after its rewrites.
  [[nodiscard]] bool holds(const Row& row, const KernelInfo& kernel, const ContractClause& clause,
                           const Candidate& candidate,
                           const std::vector<std::int64_t>& record) const {
    Clause tuned = clause.clause;
    if (row.configuration_index) {
      tuned = tuned_clause(clause.clause, kernel.parameters,
                           registry_.configurations[*row.configuration_index],
                           row.tunings[candidate.entry])
                  .value();
    }
    const Predicate predicate{.clauses = {std::move(tuned)}};
    return evaluate(predicate, registry_.schema, record).kind == PredicateOutcome::Kind::matched;
  }

  // `row: clause` for each clause of a contract that does not hold of a candidate of the call; an
  // `uncovered: result` for each requested result without candidate; `raised` where a row raises.
  std::set<std::string> findings(const AtenCall& call) {
    std::set<std::string> found;
    const AtenSelection selection = select(call);
    if (selection.raised) found.insert("raised");
    for (const std::uint32_t result : selection.missing)
      found.insert("uncovered: " + registry_.results[result].name);
    std::vector<std::int64_t> record(registry_.schema.record_size);
    fill_record(selection.call, aten_binding(call.backward), record);
    for (const Candidate& candidate : selection.candidates) {
      const Row& row = registry_.rows[candidate.row];
      const KernelInfo& kernel = registry_.kernels.kernels[*registry_.kernels.find(row.kernel)];
      for (const ContractClause& clause : kernel.contract) {
        if (!holds(row, kernel, clause, candidate, record))
          found.insert(fmt::format("{}: {}", row.id, clause.id));
      }
    }
    return found;
  }

  [[nodiscard]] const Registry& registry() const { return registry_; }

 private:
  Registry registry_{};
  std::optional<AtenSelector> selector_{};
};

}  // namespace convproof
