#pragma once

#include <optional>
#include <span>
#include <vector>

#include "props/proofs/formula.h"

namespace convproof::proofs {

// Formulas of a conjunction, told apart by what they say of ranges.
struct SimplifiedFormulas {
  std::vector<Node> firm{};     // bounds and the like
  std::vector<Node> choices{};  // several ways are left to make each of these true
};

// What ranges alone say of formulas: bounds of each term are read off its comparisons with
// constants, and of disjunctions all of whose alternatives but one are ruled out, until nothing
// changes. None where no values satisfy all of `required`; else those of them, in order, that the
// kept ones do not imply. Cheap, before any solver.
std::optional<SimplifiedFormulas> simplified_by_ranges(const Graph& graph,
                                                       std::span<const Node> required);

}  // namespace convproof::proofs
