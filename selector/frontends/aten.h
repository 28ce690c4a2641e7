#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <vector>

#include "selector/op/conv_op.h"
#include "selector/op/element_type.h"
#include "selector/op/error.h"
#include "selector/op/perm.h"

namespace convproof {

// One number for each spatial dimension.
using SpatialList = FixedVector<std::int64_t, max_spatial_dims>;

// The arguments of `aten.convolution`, with shapes in place of tensors.
//
// Shapes are (batch, channels, spatial...); the weight's are (out, in / groups, spatial...), and
// (in, out / groups, spatial...) where `transposed`. Lists of one number stand for all dimensions.
// Source: design sheet of Inductor's convolution lowering, section A.1.
struct AtenConvolution {
  Shape input{};
  Shape weight{};
  std::optional<std::int64_t> bias{};  // its length
  SpatialList stride{};
  SpatialList padding{};
  SpatialList dilation{};
  SpatialList output_padding{};
  bool transposed = false;
  std::int64_t groups = 1;
  ElementType element_type = ElementType::f32;

  bool operator==(const AtenConvolution&) const = default;
};

// The shape of the result, or the rule of eager execution that the arguments break. An error's
// place is the argument, as `weight[0]`.
//
// An input without channels is refused: eager execution then returns no output channels, whatever
// the weight says, which no convolution describes.
// Source: the same sheet, sections A.2 and A.3.
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

// The weight [A, B, *K] seen as [G, A/G, B, *K], the first two axes exchanged, merged to
// [A/G, G*B, *K]: what a convolution that runs against the weight's direction takes as its kernel.
// `groups` divides A; for one group nothing moves.
Shape regrouped_shape(const Shape& weight, std::int64_t groups);
std::vector<double> regrouped(std::span<const double> elements, const Shape& weight,
                              std::int64_t groups);

}  // namespace convproof
