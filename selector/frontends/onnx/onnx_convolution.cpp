#include "selector/frontends/onnx/onnx_convolution.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "selector/op/conv_op.h"

namespace convproof {
namespace {

std::unexpected<Error> refused(std::string place, std::int64_t value, std::string rule) {
  return std::unexpected(Error{std::move(place), fmt::to_string(value), std::move(rule)});
}

// The list with `length` entries, all `missing` where it is absent.
std::expected<std::vector<std::int64_t>, Error> filled(std::string_view name,
                                                       const std::vector<std::int64_t>& list,
                                                       std::size_t length, std::int64_t missing,
                                                       std::int64_t least) {
  if (list.empty()) return std::vector<std::int64_t>(length, missing);
  if (list.size() != length) {
    return refused(fmt::format("{} length", name), static_cast<std::int64_t>(list.size()),
                   fmt::format("must be {}", length));
  }
  for (std::size_t i = 0; i < length; ++i) {
    if (list[i] < least || list[i] > max_extent) {
      return refused(fmt::format("{}[{}]", name, i), list[i],
                     fmt::format("must be between {} and {}", least, max_extent));
    }
  }
  return list;
}

struct Pads {
  std::int64_t low = 0;
  std::int64_t high = 0;
};

Pads halved(std::int64_t total, bool larger_at_end) {
  const std::int64_t half = total / 2;
  return larger_at_end ? Pads{half, total - half} : Pads{total - half, half};
}

bool is_same(OnnxAutoPad pad) {
  return pad == OnnxAutoPad::same_upper || pad == OnnxAutoPad::same_lower;
}

Pads same_pads(const PaddedConvolution& conv, std::size_t axis, OnnxAutoPad pad) {
  const std::int64_t input = conv.input[axis + 2];
  const std::int64_t stride = conv.stride[axis];
  const std::int64_t kernel = conv.dilation[axis] * (conv.weight[axis + 2] - 1) + 1;
  const std::int64_t output = input / stride + (input % stride != 0 ? 1 : 0);
  const std::int64_t total = std::max<std::int64_t>((output - 1) * stride + kernel - input, 0);
  return halved(total, pad == OnnxAutoPad::same_upper);
}

// What the result loses at each side to come out at `output`; where it is shorter than that without
// padding, it gains zeros at its end.
Pads cropping(const PaddedConvolution& conv, std::size_t axis, std::int64_t output_padding,
              std::int64_t output, bool larger_at_end) {
  const std::int64_t whole = (conv.input[axis + 2] - 1) * conv.stride[axis] + output_padding +
                             conv.dilation[axis] * (conv.weight[axis + 2] - 1) + 1;
  if (output > whole) return {0, whole - output};
  return halved(whole - output, larger_at_end);
}

}  // namespace

std::expected<PaddedConvolution, Error> onnx_convolution(const OnnxAttributes& attributes,
                                                         bool transposed, std::int64_t opset,
                                                         const Shape& input, const Shape& weight,
                                                         ElementType element_type) {
  PaddedConvolution conv{.input = input,
                         .weight = weight,
                         .transposed = transposed,
                         .groups = attributes.group,
                         .element_type = element_type};
  if (auto operands = check_operands(conv); !operands) return std::unexpected(operands.error());
  const std::size_t dims = weight.size() - 2;
  const auto strides = filled("strides", attributes.strides, dims, 1, 1);
  const auto dilations = filled("dilations", attributes.dilations, dims, 1, 1);
  const auto pads = filled("pads", attributes.pads, 2 * dims, 0, 0);
  const auto padding = filled("output_padding", attributes.output_padding, dims, 0, 0);
  const auto kernel = filled("kernel_shape", attributes.kernel_shape, dims, 0, 1);
  const auto output = filled("output_shape", attributes.output_shape, dims, 0, 1);
  for (const auto* list : {&strides, &dilations, &pads, &padding, &kernel, &output}) {
    if (!*list) return std::unexpected(list->error());
  }
  const OnnxAutoPad automatic = attributes.auto_pad;
  for (std::size_t i = 0; automatic != OnnxAutoPad::not_set && i < pads->size(); ++i) {
    if ((*pads)[i] != 0)
      return refused(fmt::format("pads[{}]", i), (*pads)[i], "must not stand beside auto_pad");
  }
  for (std::size_t axis = 0; axis < dims; ++axis) {
    if ((*kernel)[axis] != 0 && (*kernel)[axis] != weight[axis + 2]) {
      return refused(fmt::format("kernel_shape[{}]", axis), (*kernel)[axis],
                     fmt::format("must be the weight's {}", weight[axis + 2]));
    }
    conv.stride.push_back((*strides)[axis]);
    conv.dilation.push_back((*dilations)[axis]);
    Pads sides{(*pads)[axis], (*pads)[axis + dims]};
    if (!transposed) {
      if (is_same(automatic)) sides = same_pads(conv, axis, automatic);
    } else if ((*output)[axis] != 0) {
      const bool larger_at_end = (opset >= 11) == (automatic == OnnxAutoPad::same_upper);
      sides = cropping(conv, axis, (*padding)[axis], (*output)[axis], larger_at_end);
    } else if (is_same(automatic)) {
      sides = cropping(conv, axis, (*padding)[axis], input[axis + 2] * conv.stride[axis],
                       automatic == OnnxAutoPad::same_upper);
    }
    conv.pad_low.push_back(sides.low);
    conv.pad_high.push_back(sides.high - (*padding)[axis]);
  }
  const auto result = padded_output_shape(conv);
  if (!result) return std::unexpected(result.error());
  return conv;
}

}  // namespace convproof
