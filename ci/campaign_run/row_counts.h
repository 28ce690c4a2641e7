#pragma once

#include <cstdint>
#include <expected>
#include <span>
#include <vector>

#include "ci/campaign_run/campaign_report.h"
#include "selector/op/aten_call.h"
#include "selector/registry/aten_selector.h"
#include "selector/registry/aten_subject.h"
#include "selector/registry/registry.h"
#include "selector/rules/located_error.h"
#include "selector/rules/outcome.h"
#include "selector/rules/program.h"

namespace convproof::campaign {

// The report of a table before any stage: its rows and clauses, nothing counted. A row's clauses
// are those of its predicate, then what must hold beside for a candidate.
TableReport empty_report(const Registry& registry);

// Counts one operation that the table looks at. `outcomes` has what each row says of it whatever
// the others say, `winners` the rows that take it, each once; both by row of the registry.
void count_operation(std::span<const PredicateOutcome> outcomes,
                     std::span<const std::uint32_t> winners, TableReport& report);

// Counts calls under a table of candidates. A rewrite wins a call that it changes or takes alone,
// any other row one for which it offers a candidate. A rewrite that took part in the walk has
// matched; all other rows are asked about the call as the rewrites leave it, even where one of them
// took it alone.
//
// One per thread; borrows nothing.
class CallCounter {
 public:
  // Fails where the schema is none of a call's, or the table is too large.
  static std::expected<CallCounter, LocatedError> create(const Registry& registry);

  // `selection` is what the table makes of the call; `report` is of the same table.
  void count(const AtenCall& call, const AtenSelection& selection, TableReport& report);

 private:
  TableProgram program_{};  // each row's predicate, followed by its `append`
  Workspace workspace_{};
  AtenBinding binding_{};
  std::vector<std::uint32_t> clauses_{};  // of each row's predicate
  std::vector<PredicateOutcome> outcomes_{};
  std::vector<std::uint32_t> winners_{};
};

}  // namespace convproof::campaign
