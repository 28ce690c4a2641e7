#pragma once

#include <cstdint>
#include <expected>

#include "selector/frontends/onnx/onnx_attributes.h"
#include "selector/frontends/padded_convolution.h"
#include "selector/op/element_type.h"
#include "selector/op/error.h"
#include "selector/op/perm.h"

namespace convproof {

// The convolution that a node computes, given the shapes of its first two inputs; `opset` is the
// version of the operator set.
//
//   Conv           SAME pads to a result of ceil(input / stride), with no less than 0 in all
//   ConvTranspose  SAME pads to a result of input * stride, and output_shape to the shape it gives;
//                  where that is longer than the result without padding, zeros follow at the end
//
// An odd pad is larger at the end for SAME_UPPER and at the beginning for SAME_LOWER. With
// output_shape and no auto_pad it is larger at the end before version 11, and at the beginning from
// then on. A list that is absent is neutral.
//
// Errors  lists of another length, entries out of range, a kernel_shape that is not the weight's,
//         explicit pads beside auto_pad; what padded_output_shape refuses. The place is the
//         attribute or the input.
std::expected<PaddedConvolution, Error> onnx_convolution(const OnnxAttributes& attributes,
                                                         bool transposed, std::int64_t opset,
                                                         const Shape& input, const Shape& weight,
                                                         ElementType element_type);

}  // namespace convproof
