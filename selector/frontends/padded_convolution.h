#pragma once

#include <cstdint>
#include <expected>
#include <optional>

#include "selector/op/aten_call.h"
#include "selector/op/conv_op.h"
#include "selector/op/element_type.h"
#include "selector/op/error.h"
#include "selector/op/perm.h"

namespace convproof {

// A convolution or transposed convolution whose two sides are padded apart: what ONNX and benchdnn
// state, and with equal sides what aten states.
//
// Shapes  as those of AtenConvolution: (batch, channels, spatial...), and the weight's
//         (out, in / groups, spatial...), or (in, out / groups, spatial...) where `transposed`.
// Lists   one entry for each spatial dimension. Padding may be negative. Where `transposed`, it
//         shortens the result at its side, so that output padding is subtracted from `pad_high`.
struct PaddedConvolution {
  Shape input{};
  Shape weight{};
  SpatialList stride{};
  SpatialList pad_low{};
  SpatialList pad_high{};
  SpatialList dilation{};
  bool transposed = false;
  std::int64_t groups = 1;
  ElementType element_type = ElementType::f32;

  bool operator==(const PaddedConvolution&) const = default;
};

// The rules on the two shapes and the groups alone, which come before those on the lists.
std::expected<void, Error> check_operands(const PaddedConvolution& convolution);

// The shape of the result, or what is wrong; an error's place is the field, as `weight[0]`. Only
// the batch may be empty.
std::expected<Shape, Error> padded_output_shape(const PaddedConvolution& convolution);

// The general convolutions that compute the result and the gradients, with the operands that
// aten.h lists; positions of the input that no window reaches get a gradient of 0.
// Source: design sheet of Inductor's convolution lowering, section A.5, whose formulas hold for
// each side's padding apart.
std::expected<ConvOp, Error> padded_forward(const PaddedConvolution& convolution);
std::expected<ConvOp, Error> padded_input_gradient(const PaddedConvolution& convolution);
std::expected<ConvOp, Error> padded_weight_gradient(const PaddedConvolution& convolution);

// The arguments of `aten.convolution` that compute the same result; none where no symmetric
// padding does, or where the convolution is not valid.
std::optional<AtenConvolution> as_aten(const PaddedConvolution& convolution);

}  // namespace convproof
