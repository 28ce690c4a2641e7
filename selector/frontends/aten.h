#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <vector>

#include "selector/op/aten_call.h"
#include "selector/op/conv_op.h"
#include "selector/op/error.h"
#include "selector/op/perm.h"

namespace convproof {

// The shape of the result, or the rule of eager execution that the arguments break. An error's
// place is the argument, as `weight[0]`.
//
// An input without channels is refused: eager execution then returns no output channels, whatever
// the weight says, which no convolution describes.
// Source: design sheet of Inductor's convolution lowering, sections A.2 and A.3.
std::expected<Shape, Error> aten_output_shape(const AtenConvolution& convolution);

// The general convolutions that compute the result and the gradients; operands in this order:
//
//   forward          input, weight (regrouped where transposed)
//   input gradient   grad_output, weight (regrouped where not transposed)
//   weight gradient  input, grad_output; the two exchanged where transposed
//
// All tensors are row-major, and every operand counts as a graph input. Where a kernel runs
// backwards, the window is reversed and the weight stays as it is. `grad_output` has the shape of
// the result; gradients refuse output padding where not transposed.
// Source: the same sheet, section A.5.
std::expected<ConvOp, Error> aten_forward(const AtenConvolution& convolution);
std::expected<ConvOp, Error> aten_input_gradient(const AtenConvolution& convolution);
std::expected<ConvOp, Error> aten_weight_gradient(const AtenConvolution& convolution);

// The one of these that stands for a call: of a backward one, the first gradient that its mask asks
// for. A call that asks for neither is refused.
std::expected<ConvOp, Error> aten_operation(const AtenCall& call);

// The weight [A, B, *K] seen as [G, A/G, B, *K], the first two axes exchanged, merged to
// [A/G, G*B, *K]: what a convolution that runs against the weight's direction takes as its kernel.
// `groups` divides A; for one group nothing moves.
Shape regrouped_shape(const Shape& weight, std::int64_t groups);
std::vector<double> regrouped(std::span<const double> elements, const Shape& weight,
                              std::int64_t groups);

}  // namespace convproof
