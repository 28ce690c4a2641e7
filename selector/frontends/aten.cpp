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

#include "selector/frontends/padded_convolution.h"
#include "selector/op/tensor.h"

namespace convproof {
namespace {

std::unexpected<Error> refused(std::string place, std::int64_t value, std::string rule) {
  return std::unexpected(Error{std::move(place), fmt::to_string(value), std::move(rule)});
}

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

// The same convolution with its lists broadcast, and each side's padding on its own.
struct Checked {
  PaddedConvolution padded{};
  SpatialList output_padding{};
  Shape result{};
};

std::expected<Checked, Error> check(const AtenConvolution& conv) {
  Checked checked{.padded = {.input = conv.input,
                             .weight = conv.weight,
                             .transposed = conv.transposed,
                             .groups = conv.groups,
                             .element_type = conv.element_type}};
  PaddedConvolution& padded = checked.padded;
  if (auto shapes = check_operands(padded); !shapes) return std::unexpected(shapes.error());
  const std::int64_t channels = conv.transposed ? conv.weight[1] * conv.groups : conv.weight[0];
  if (conv.bias && *conv.bias != channels) {
    return refused("bias length", *conv.bias,
                   fmt::format("must be the {} output channels of the weight", channels));
  }
  const std::size_t dims = conv.weight.size() - 2;
  struct List {
    std::string_view name;
    const SpatialList* from;
    SpatialList* to;
    std::int64_t least;
  };
  for (const List& list :
       {List{"stride", &conv.stride, &padded.stride, 1},
        List{"padding", &conv.padding, &padded.pad_low, 0},
        List{"dilation", &conv.dilation, &padded.dilation, 1},
        List{"output_padding", &conv.output_padding, &checked.output_padding, 0}}) {
    auto values = broadcast(list.name, *list.from, dims, list.least);
    if (!values) return std::unexpected(values.error());
    *list.to = *values;
  }
  padded.pad_high = padded.pad_low;
  for (std::size_t axis = 0; conv.transposed && axis < dims; ++axis) {
    const std::int64_t most = std::max(padded.stride[axis], padded.dilation[axis]);
    if (checked.output_padding[axis] >= most) {
      return refused(fmt::format("output_padding[{}]", axis), checked.output_padding[axis],
                     fmt::format("must be less than stride or dilation ({})", most));
    }
    padded.pad_high[axis] -= checked.output_padding[axis];
  }
  auto result = padded_output_shape(padded);
  if (!result) return std::unexpected(result.error());
  checked.result = *result;
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

}  // namespace

std::expected<Shape, Error> aten_output_shape(const AtenConvolution& convolution) {
  auto checked = check(convolution);
  if (!checked) return std::unexpected(checked.error());
  return checked->result;
}

std::expected<ConvOp, Error> aten_forward(const AtenConvolution& convolution) {
  const auto checked = check(convolution);
  if (!checked) return std::unexpected(checked.error());
  return padded_forward(checked->padded);
}

std::expected<ConvOp, Error> aten_input_gradient(const AtenConvolution& convolution) {
  const auto checked = check_backward(convolution);
  if (!checked) return std::unexpected(checked.error());
  return padded_input_gradient(checked->padded);
}

std::expected<ConvOp, Error> aten_weight_gradient(const AtenConvolution& convolution) {
  const auto checked = check_backward(convolution);
  if (!checked) return std::unexpected(checked.error());
  return padded_weight_gradient(checked->padded);
}

std::expected<ConvOp, Error> aten_operation(const AtenCall& call) {
  if (!call.backward) return aten_forward(call.convolution);
  if (call.output_mask[0]) return aten_input_gradient(call.convolution);
  if (call.output_mask[1]) return aten_weight_gradient(call.convolution);
  return std::unexpected(
      Error{"output_mask", "", "must ask for the gradient of the input or the weight"});
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
