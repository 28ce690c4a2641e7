#pragma once

#include <string>

#include "selector/op/aten_call.h"

namespace convproof::fuzz {

// A serialised ONNX model of one node, `Conv` or `ConvTranspose`, in the default domain, opset 11:
// what the forward call of the same arguments computes. The weight has the input's type. Lists are
// written as they are, symmetric padding at both sides. What read_onnx took for a call reads back
// as the same.
std::string as_onnx_model(const AtenCall& call);

}  // namespace convproof::fuzz
