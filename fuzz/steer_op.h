#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "fuzz/repair_op.h"
#include "selector/op/conv_op.h"
#include "selector/registry/conv_subject.h"
#include "selector/registry/matcher.h"
#include "selector/registry/registry.h"
#include "selector/rules/program.h"

namespace convproof::fuzz {

// Moves `op` towards what a kernel or a row asks for, by plain edits that attribute by attribute
// make it more like the operations of the tables (stride 1, no dilation, one group per feature, a
// table's layout, ...). An edit stays where `missing` becomes smaller; the result is as close as
// such steps lead, well formed and within the budget. `missing(op)` is 0 where nothing is missing.
ConvOp steer_op(const ConvOp& op, const std::function<std::size_t(const ConvOp&)>& missing,
                const Budget& budget = fuzz_budget);

// How many clauses of the kernel's contract do not hold.
ConvOp steer_to_contract(const ConvOp& op, Matcher& matcher, std::size_t kernel);

// Moves operations towards rows of a table. One per thread; borrows the registry.
class RowSteering {
 public:
  // Rows of lists that are not enabled are left out. Nothing where a row does not compile.
  static std::optional<RowSteering> create(const Registry& registry);

  [[nodiscard]] std::size_t row_count() const { return rows_.size(); }

  // Towards the row of this index among the enabled ones: fewer clauses from the first that is
  // false on.
  ConvOp towards(const ConvOp& op, std::size_t row);

 private:
  struct Target {
    TableProgram program{};
    ConvBinding binding{};
    Workspace workspace{};
    std::size_t clauses = 0;
  };
  std::vector<Target> rows_;
};

}  // namespace convproof::fuzz
