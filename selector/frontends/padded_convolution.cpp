#include "selector/frontends/padded_convolution.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "selector/frontends/aten.h"

namespace convproof {
namespace {

std::unexpected<Error> refused(std::string place, std::int64_t value, std::string rule) {
  return std::unexpected(Error{std::move(place), fmt::to_string(value), std::move(rule)});
}

std::expected<void, Error> check_shapes(const PaddedConvolution& conv) {
  const std::size_t rank = conv.weight.size();
  if (rank < 3) {
    return refused("weight rank", static_cast<std::int64_t>(rank),
                   fmt::format("must be between 3 and {}", max_rank));
  }
  if (conv.input.size() != rank) {
    return refused("input rank", static_cast<std::int64_t>(conv.input.size()),
                   fmt::format("must be the weight's ({})", rank));
  }
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const std::int64_t least = axis == 0 ? 0 : 1;
    if (conv.input[axis] < least || conv.input[axis] > max_extent) {
      return refused(fmt::format("input[{}]", axis), conv.input[axis],
                     fmt::format("must be between {} and {}", least, max_extent));
    }
    if (conv.weight[axis] < 1 || conv.weight[axis] > max_extent) {
      return refused(fmt::format("weight[{}]", axis), conv.weight[axis],
                     fmt::format("must be between 1 and {}", max_extent));
    }
  }
  return {};
}

std::expected<void, Error> check_channels(const PaddedConvolution& conv) {
  if (conv.groups < 1 || conv.groups > max_extent)
    return refused("groups", conv.groups, fmt::format("must be between 1 and {}", max_extent));
  if (conv.weight[0] % conv.groups != 0)
    return refused("weight[0]", conv.weight[0],
                   fmt::format("must be a multiple of groups ({})", conv.groups));
  const std::int64_t product = conv.weight[1] * conv.groups;
  const std::int64_t input_channels = conv.transposed ? conv.weight[0] : product;
  if (conv.input[1] != input_channels) {
    return refused("input[1]", conv.input[1],
                   fmt::format("must be the {} input channels of the weight", input_channels));
  }
  return {};
}

std::expected<void, Error> check_list(std::string_view name, const SpatialList& list,
                                      std::size_t dims, std::int64_t least) {
  if (list.size() != dims) {
    return refused(fmt::format("{} length", name), static_cast<std::int64_t>(list.size()),
                   fmt::format("must be {}", dims));
  }
  for (std::size_t axis = 0; axis < dims; ++axis) {
    if (list[axis] < least || list[axis] > max_extent) {
      return refused(fmt::format("{}[{}]", name, axis), list[axis],
                     fmt::format("must be between {} and {}", least, max_extent));
    }
  }
  return {};
}

// How far the dilated kernel reaches beyond its first element.
std::int64_t reach(const PaddedConvolution& conv, std::size_t axis) {
  return conv.dilation[axis] * (conv.weight[axis + 2] - 1);
}

// Extents and list entries are below 2^31, so that no sum of two products leaves int64.
std::expected<std::int64_t, Error> output_extent_of(const PaddedConvolution& conv,
                                                    std::size_t axis) {
  const std::int64_t padding = conv.pad_low[axis] + conv.pad_high[axis];
  const std::int64_t input = conv.input[axis + 2];
  if (conv.transposed) {
    const std::int64_t extent = (input - 1) * conv.stride[axis] - padding + reach(conv, axis) + 1;
    if (extent < 1)
      return refused(fmt::format("output extent[{}]", axis), extent, "must be at least 1");
    return extent;
  }
  if (input + padding < reach(conv, axis) + 1) {
    return refused(fmt::format("input[{}] padded", axis + 2), input + padding,
                   fmt::format("must hold the dilated kernel ({})", reach(conv, axis) + 1));
  }
  return (input + padding - reach(conv, axis) - 1) / conv.stride[axis] + 1;
}

// The canonical perm with its first two axes exchanged.
Perm exchanged(std::size_t rank) {
  Perm perm = identity_perm(rank);
  std::swap(perm[0], perm[1]);
  return perm;
}

std::expected<ConvOp, Error> finished(ConvOp op) {
  if (auto structure = check_structure(op); !structure) return std::unexpected(structure.error());
  assert(infer_result_shape(op) == op.res_shape);
  return op;
}

ConvOp started(const PaddedConvolution& conv) {
  const std::size_t rank = conv.weight.size();
  return {.element_type = conv.element_type,
          .result_element_type = conv.element_type,
          .in_perm = identity_perm(rank),
          .kern_perm = identity_perm(rank),
          .out_perm = identity_perm(rank)};
}

// The form that runs against the weight's direction: rows FT and GI of the sheet's table. The far
// padding is what makes the result as long as it is.
ConvOp against(const PaddedConvolution& conv, const Shape& image, const Shape& result) {
  ConvOp op = started(conv);
  op.in_shape = image;
  op.kern_shape = regrouped_shape(conv.weight, conv.groups);
  op.kern_perm = exchanged(conv.weight.size());
  op.res_shape = result;
  op.feature_group_count = conv.groups;
  for (std::size_t axis = 0; axis + 2 < conv.weight.size(); ++axis) {
    const std::int64_t covered = (image[axis + 2] - 1) * conv.stride[axis];
    op.window.push_back({.pad_low = reach(conv, axis) - conv.pad_low[axis],
                         .pad_high = result[axis + 2] + conv.pad_low[axis] - 1 - covered,
                         .lhs_dilation = conv.stride[axis],
                         .rhs_dilation = conv.dilation[axis],
                         .reversal = true});
  }
  return op;
}

// The form that runs with the weight: rows F and GIT.
ConvOp along(const PaddedConvolution& conv, const Shape& image, const Shape& result) {
  ConvOp op = started(conv);
  op.in_shape = image;
  op.kern_shape = conv.weight;
  op.res_shape = result;
  op.feature_group_count = conv.groups;
  for (std::size_t axis = 0; axis + 2 < conv.weight.size(); ++axis) {
    op.window.push_back({.stride = conv.stride[axis],
                         .pad_low = conv.pad_low[axis],
                         .pad_high = conv.pad_high[axis],
                         .rhs_dilation = conv.dilation[axis]});
  }
  return op;
}

}  // namespace

std::expected<void, Error> check_operands(const PaddedConvolution& conv) {
  if (auto shapes = check_shapes(conv); !shapes) return shapes;
  return check_channels(conv);
}

std::expected<Shape, Error> padded_output_shape(const PaddedConvolution& conv) {
  if (auto operands = check_operands(conv); !operands) return std::unexpected(operands.error());
  const std::size_t dims = conv.weight.size() - 2;
  struct List {
    std::string_view name;
    const SpatialList& values;
    std::int64_t least;
  };
  for (const List& list :
       {List{"stride", conv.stride, 1}, List{"dilation", conv.dilation, 1},
        List{"pad_low", conv.pad_low, -max_extent}, List{"pad_high", conv.pad_high, -max_extent}}) {
    if (auto checked = check_list(list.name, list.values, dims, list.least); !checked)
      return std::unexpected(checked.error());
  }
  Shape result = {conv.input[0], conv.transposed ? conv.weight[1] * conv.groups : conv.weight[0]};
  for (std::size_t axis = 0; axis < dims; ++axis) {
    const auto extent = output_extent_of(conv, axis);
    if (!extent) return std::unexpected(extent.error());
    result.push_back(*extent);
  }
  return result;
}

std::expected<ConvOp, Error> padded_forward(const PaddedConvolution& conv) {
  const auto result = padded_output_shape(conv);
  if (!result) return std::unexpected(result.error());
  return finished(conv.transposed ? against(conv, conv.input, *result)
                                  : along(conv, conv.input, *result));
}

std::expected<ConvOp, Error> padded_input_gradient(const PaddedConvolution& conv) {
  const auto result = padded_output_shape(conv);
  if (!result) return std::unexpected(result.error());
  return finished(conv.transposed ? along(conv, *result, conv.input)
                                  : against(conv, *result, conv.input));
}

std::expected<ConvOp, Error> padded_weight_gradient(const PaddedConvolution& conv) {
  const auto result = padded_output_shape(conv);
  if (!result) return std::unexpected(result.error());
  ConvOp op = started(conv);
  // The side that is larger by the stride is the image, whichever way the convolution goes.
  op.in_shape = conv.transposed ? *result : conv.input;
  op.kern_shape = conv.transposed ? conv.input : *result;
  op.res_shape = conv.weight;
  // The contracted axis is the batch; channels take its place as the batch of the image.
  op.in_perm = op.kern_perm = op.out_perm = exchanged(conv.weight.size());
  op.batch_group_count = conv.groups;
  for (std::size_t axis = 0; axis + 2 < conv.weight.size(); ++axis) {
    const std::int64_t covered = (op.kern_shape[axis + 2] - 1) * conv.stride[axis];
    const std::int64_t high =
        reach(conv, axis) + covered + 1 - op.in_shape[axis + 2] - conv.pad_low[axis];
    op.window.push_back({.stride = conv.dilation[axis],
                         .pad_low = conv.pad_low[axis],
                         .pad_high = high,
                         .rhs_dilation = conv.stride[axis]});
  }
  return finished(op);
}

std::optional<AtenConvolution> as_aten(const PaddedConvolution& conv) {
  const auto result = padded_output_shape(conv);
  if (!result) return std::nullopt;
  AtenConvolution aten{.input = conv.input,
                       .weight = conv.weight,
                       .stride = conv.stride,
                       .padding = conv.pad_low,
                       .dilation = conv.dilation,
                       .output_padding = SpatialList::filled(conv.stride.size(), 0),
                       .transposed = conv.transposed,
                       .groups = conv.groups,
                       .element_type = conv.element_type};
  for (std::size_t axis = 0; conv.transposed && axis < conv.stride.size(); ++axis) {
    aten.output_padding[axis] = conv.pad_low[axis] - conv.pad_high[axis];
  }
  const auto same = aten_output_shape(aten);
  if (!same || *same != *result) return std::nullopt;
  return aten;
}

}  // namespace convproof
