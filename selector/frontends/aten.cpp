#include "selector/frontends/aten.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "selector/op/tensor.h"

namespace convproof {
namespace {

std::unexpected<Error> refused(std::string place, std::int64_t value, std::string rule) {
  return std::unexpected(Error{std::move(place), fmt::to_string(value), std::move(rule)});
}

// All arguments by spatial dimension, lists broadcast, with the result's extents.
struct Checked {
  SpatialList input{}, kernel{}, stride{}, padding{}, dilation{}, output_padding{}, output{};
  std::int64_t output_channels = 0;
  Shape result{};
};

std::expected<SpatialList, Error> broadcast(std::string_view name, const SpatialList& list,
                                            std::size_t dims, std::int64_t least) {
  if (list.size() != dims && list.size() != 1) {
    return refused(fmt::format("{} length", name), static_cast<std::int64_t>(list.size()),
                   fmt::format("must be 1 or {}", dims));
  }
  for (std::size_t axis = 0; axis < list.size(); ++axis) {
    if (list[axis] < least || list[axis] > max_extent) {
      return refused(fmt::format("{}[{}]", name, axis), list[axis],
                     fmt::format("must be between {} and {}", least, max_extent));
    }
  }
  return list.size() == dims ? list : SpatialList::filled(dims, list[0]);
}

std::expected<void, Error> check_shapes(const AtenConvolution& conv) {
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
    // Only the batch may be empty.
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

std::expected<std::int64_t, Error> check_channels(const AtenConvolution& conv) {
  if (conv.groups < 1 || conv.groups > max_extent)
    return refused("groups", conv.groups, fmt::format("must be between 1 and {}", max_extent));
  if (conv.weight[0] % conv.groups != 0)
    return refused("weight[0]", conv.weight[0],
                   fmt::format("must be a multiple of groups ({})", conv.groups));
  const std::int64_t product = conv.weight[1] * conv.groups;
  const std::int64_t input_channels = conv.transposed ? conv.weight[0] : product;
  const std::int64_t output_channels = conv.transposed ? product : conv.weight[0];
  if (conv.input[1] != input_channels) {
    return refused("input[1]", conv.input[1],
                   fmt::format("must be the {} input channels of the weight", input_channels));
  }
  if (conv.bias && *conv.bias != output_channels) {
    return refused("bias length", *conv.bias,
                   fmt::format("must be the {} output channels of the weight", output_channels));
  }
  return output_channels;
}

// Extents and list entries are below 2^31, so that no sum of two products leaves int64.
std::expected<std::int64_t, Error> output_extent_of(const AtenConvolution& conv,
                                                    const Checked& checked, std::size_t axis) {
  const std::int64_t reach = checked.dilation[axis] * (checked.kernel[axis] - 1);
  const std::int64_t stride = checked.stride[axis];
  if (!conv.transposed) {
    const std::int64_t padded = checked.input[axis] + 2 * checked.padding[axis];
    if (padded < reach + 1) {
      return refused(fmt::format("input[{}] padded", axis + 2), padded,
                     fmt::format("must hold the dilated kernel ({})", reach + 1));
    }
    return (padded - reach - 1) / stride + 1;
  }
  const std::int64_t most = std::max(stride, checked.dilation[axis]);
  if (checked.output_padding[axis] >= most) {
    return refused(fmt::format("output_padding[{}]", axis), checked.output_padding[axis],
                   fmt::format("must be less than stride or dilation ({})", most));
  }
  const std::int64_t extent = (checked.input[axis] - 1) * stride - 2 * checked.padding[axis] +
                              reach + checked.output_padding[axis] + 1;
  if (extent < 1)
    return refused(fmt::format("output extent[{}]", axis), extent, "must be at least 1");
  return extent;
}

std::expected<Checked, Error> check(const AtenConvolution& conv) {
  if (auto shapes = check_shapes(conv); !shapes) return std::unexpected(shapes.error());
  auto channels = check_channels(conv);
  if (!channels) return std::unexpected(channels.error());
  Checked checked;
  checked.output_channels = *channels;
  const std::size_t dims = conv.weight.size() - 2;
  struct List {
    std::string_view name;
    const SpatialList* from;
    SpatialList* to;
    std::int64_t least;
  };
  for (const List& list :
       {List{"stride", &conv.stride, &checked.stride, 1},
        List{"padding", &conv.padding, &checked.padding, 0},
        List{"dilation", &conv.dilation, &checked.dilation, 1},
        List{"output_padding", &conv.output_padding, &checked.output_padding, 0}}) {
    auto values = broadcast(list.name, *list.from, dims, list.least);
    if (!values) return std::unexpected(values.error());
    *list.to = *values;
  }
  checked.result = {conv.input[0], checked.output_channels};
  for (std::size_t axis = 0; axis < dims; ++axis) {
    checked.input.push_back(conv.input[axis + 2]);
    checked.kernel.push_back(conv.weight[axis + 2]);
    auto extent = output_extent_of(conv, checked, axis);
    if (!extent) return std::unexpected(extent.error());
    checked.output.push_back(*extent);
    checked.result.push_back(*extent);
  }
  return checked;
}

std::expected<Checked, Error> check_backward(const AtenConvolution& conv) {
  auto checked = check(conv);
  if (!checked || conv.transposed) return checked;
  for (std::size_t axis = 0; axis < checked->output_padding.size(); ++axis) {
    if (checked->output_padding[axis] == 0) continue;
    return refused(fmt::format("output_padding[{}]", axis), checked->output_padding[axis],
                   "must be 0 for a gradient that is not transposed");
  }
  return checked;
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

ConvOp started(const AtenConvolution& conv) {
  const std::size_t rank = conv.weight.size();
  return {.element_type = conv.element_type,
          .result_element_type = conv.element_type,
          .in_perm = identity_perm(rank),
          .kern_perm = identity_perm(rank),
          .out_perm = identity_perm(rank)};
}

// The form that runs against the weight's direction: rows FT and GI of the sheet's table. `tail`
// is what the far side gets beyond `dilation * (kernel - 1) - padding`.
ConvOp against(const AtenConvolution& conv, const Checked& checked, const SpatialList& tail,
               const Shape& image, const Shape& result) {
  ConvOp op = started(conv);
  op.in_shape = image;
  op.kern_shape = regrouped_shape(conv.weight, conv.groups);
  op.kern_perm = exchanged(conv.weight.size());
  op.res_shape = result;
  op.feature_group_count = conv.groups;
  for (std::size_t axis = 0; axis < checked.kernel.size(); ++axis) {
    const std::int64_t low =
        checked.dilation[axis] * (checked.kernel[axis] - 1) - checked.padding[axis];
    op.window.push_back({.pad_low = low,
                         .pad_high = low + tail[axis],
                         .lhs_dilation = checked.stride[axis],
                         .rhs_dilation = checked.dilation[axis],
                         .reversal = true});
  }
  return op;
}

// The form that runs with the weight: rows F and GIT. `cut` is what the far side's padding loses.
ConvOp along(const AtenConvolution& conv, const Checked& checked, const SpatialList& cut,
             const Shape& image, const Shape& result) {
  ConvOp op = started(conv);
  op.in_shape = image;
  op.kern_shape = conv.weight;
  op.res_shape = result;
  op.feature_group_count = conv.groups;
  for (std::size_t axis = 0; axis < checked.kernel.size(); ++axis) {
    op.window.push_back({.stride = checked.stride[axis],
                         .pad_low = checked.padding[axis],
                         .pad_high = checked.padding[axis] - cut[axis],
                         .rhs_dilation = checked.dilation[axis]});
  }
  return op;
}

// How far the last window of the plain form stops short of the padded input's end.
SpatialList leftover(const Checked& checked) {
  SpatialList rest;
  for (std::size_t axis = 0; axis < checked.kernel.size(); ++axis) {
    rest.push_back((checked.input[axis] + 2 * checked.padding[axis] -
                    checked.dilation[axis] * (checked.kernel[axis] - 1) - 1) %
                   checked.stride[axis]);
  }
  return rest;
}

SpatialList none(const Checked& checked) { return SpatialList::filled(checked.kernel.size(), 0); }

}  // namespace

std::expected<Shape, Error> aten_output_shape(const AtenConvolution& convolution) {
  auto checked = check(convolution);
  if (!checked) return std::unexpected(checked.error());
  return checked->result;
}

std::expected<ConvOp, Error> aten_forward(const AtenConvolution& convolution) {
  const auto checked = check(convolution);
  if (!checked) return std::unexpected(checked.error());
  if (convolution.transposed) {
    return finished(against(convolution, *checked, checked->output_padding, convolution.input,
                            checked->result));
  }
  return finished(along(convolution, *checked, none(*checked), convolution.input, checked->result));
}

std::expected<ConvOp, Error> aten_input_gradient(const AtenConvolution& convolution) {
  const auto checked = check_backward(convolution);
  if (!checked) return std::unexpected(checked.error());
  if (convolution.transposed) {
    return finished(
        along(convolution, *checked, checked->output_padding, checked->result, convolution.input));
  }
  return finished(
      against(convolution, *checked, leftover(*checked), checked->result, convolution.input));
}

std::expected<ConvOp, Error> aten_weight_gradient(const AtenConvolution& convolution) {
  const auto checked = check_backward(convolution);
  if (!checked) return std::unexpected(checked.error());
  ConvOp op = started(convolution);
  op.in_shape = convolution.transposed ? checked->result : convolution.input;
  op.kern_shape = convolution.transposed ? convolution.input : checked->result;
  op.res_shape = convolution.weight;
  // The contracted axis is the batch; channels take its place as the batch of the image.
  op.in_perm = op.kern_perm = op.out_perm = exchanged(convolution.weight.size());
  op.batch_group_count = convolution.groups;
  const SpatialList cut = convolution.transposed ? checked->output_padding : leftover(*checked);
  for (std::size_t axis = 0; axis < checked->kernel.size(); ++axis) {
    op.window.push_back({.stride = checked->dilation[axis],
                         .pad_low = checked->padding[axis],
                         .pad_high = checked->padding[axis] - cut[axis],
                         .rhs_dilation = checked->stride[axis]});
  }
  return finished(op);
}

Shape regrouped_shape(const Shape& weight, std::int64_t groups) {
  Shape shape = weight;
  shape[0] /= groups;
  shape[1] *= groups;
  return shape;
}

std::vector<double> regrouped(std::span<const double> elements, const Shape& weight,
                              std::int64_t groups) {
  assert(static_cast<std::int64_t>(elements.size()) == element_count(weight));
  const std::int64_t rows = weight[0] / groups;
  const auto row = elements.size() / static_cast<std::size_t>(std::max<std::int64_t>(weight[0], 1));
  std::vector<double> result;
  result.reserve(elements.size());
  for (std::int64_t a = 0; a < rows; ++a) {
    for (std::int64_t group = 0; group < groups; ++group) {
      const auto begin = static_cast<std::size_t>(group * rows + a) * row;
      const auto part = elements.subspan(begin, row);
      result.insert(result.end(), part.begin(), part.end());
    }
  }
  return result;
}

}  // namespace convproof
