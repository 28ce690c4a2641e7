#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/signature.h"
#include "fuzz/spine.h"
#include "selector/op/conv_op.h"

namespace convproof::fuzz {

// A finding, made as small as it gets.
struct TriagedFinding {
  Signature signature{};
  ConvOp found{};  // as it was found
  ConvOp op{};     // shrunk: no single attribute can be made smaller with the same signature
  oracle::Explanation explanation{};
  std::chrono::milliseconds shrinking{};
};

// Nothing where the op is no finding of the spine (any more). Shrinks on the operation.
std::optional<TriagedFinding> triage(Spine& spine, const ConvOp& op);

// The same for many, one finding per signature: the smallest, in the order of their first find.
std::vector<TriagedFinding> triage_all(Spine& spine, const std::vector<ConvOp>& ops);

}  // namespace convproof::fuzz
