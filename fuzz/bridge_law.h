#pragma once

#include <optional>

#include "fuzz/broken_law.h"
#include "fuzz/planted_fault.h"
#include "selector/op/conv_op.h"
#include "selector/registry/registry.h"

namespace convproof::fuzz {

// Lowers the op by the row's rule and follows single elements through the bridges: what the kernel
// reads at a logical place, through the perm of its call, is what the operation stored there; and
// what it writes comes back to the same place. Nothing where the rule cannot lower the op.
std::optional<BrokenLaw> broken_bridge(const ConvOp& op, const Row& row, const PlantedFault* fault);

}  // namespace convproof::fuzz
