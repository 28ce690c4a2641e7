#pragma once

#include "selector/op/aten_call.h"
#include "selector/op/perm.h"

namespace convproof {

// How the tensors of a call lie when a candidate reads them: input, weight, result and their
// gradients have one format, since the lowering forces the operands to the order that it predicts
// for the result. Channels last is for two spatial dimensions only: where the graph's layout
// optimisation asks for it, or the prediction, which follows the input.
// Source: design sheet of Inductor's convolution lowering, section B, rule B9.
MemoryFormat operand_format(const AtenCall& call);

// Strides in elements; the innermost is 1. Where not packed, the tensor is a slice of a buffer
// whose innermost extent is wider by one.
Shape strides_of(const Shape& shape, MemoryFormat format, bool packed = true);

// The strides of the call's input.
Shape input_strides(const AtenCall& call);

}  // namespace convproof
