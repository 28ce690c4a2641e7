#include "selector/lowering/attributes.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace convproof {
namespace {

std::string list(std::span<const std::int64_t> values) {
  return fmt::format("[{}]", fmt::join(values, ", "));
}

// Collects `"key": value` entries in order.
class ObjectText {
 public:
  void add(std::string_view key, const std::string& value) {
    entries_.push_back(fmt::format("\"{}\": {}", key, value));
  }
  [[nodiscard]] std::string text() const {
    return fmt::format("{{{}}}", fmt::join(entries_, ", "));
  }

 private:
  std::vector<std::string> entries_;
};

std::string padding_pairs(const KernelCall& call) {
  std::vector<std::string> pairs;
  for (const auto& pad : call.padding) pairs.push_back(fmt::format("[{}, {}]", pad.low, pad.high));
  return fmt::format("[{}]", fmt::join(pairs, ", "));
}

std::string every_attribute(const KernelCall& call, const AttributeKeys& keys) {
  ObjectText object;
  object.add("stride", list(call.stride));
  object.add("padding", padding_pairs(call));
  object.add("rhs_dilation", list(call.rhs_dilation));
  object.add("lhs_dilation", list(call.lhs_dilation));
  object.add("in_perm", list(call.in_perm));
  object.add("kern_perm", list(call.kern_perm));
  object.add("out_perm", list(call.out_perm));
  object.add(keys.source_shapes,
             fmt::format("[{}, {}]", list(call.in_shape), list(call.kern_shape)));
  object.add(keys.result_shapes, fmt::format("[{}]", list(call.res_shape)));
  object.add("batch_group_count", fmt::to_string(call.batch_group_count));
  object.add("feature_group_count", fmt::to_string(call.feature_group_count));
  return object.text();
}

std::string symmetric_padding_and_stride(const KernelCall& call) {
  ObjectText object;
  std::vector<std::int64_t> pads;
  for (const auto& pad : call.padding) pads.push_back(pad.low);
  object.add("padding", list(pads));
  object.add("stride", list(call.stride));
  return object.text();
}

}  // namespace

std::string attributes_text(const NativeKernel& kernel, const AttributeKeys& keys) {
  switch (kernel.marshaller) {
    case Marshaller::kernel_attr:
      return every_attribute(kernel.call, keys);
    case Marshaller::kernel_attr_same_hl_pad:
      return symmetric_padding_and_stride(kernel.call);
  }
  return {};
}

std::string to_string(const Program& program, const AttributeKeys& keys) {
  std::string text;
  const auto transpose = [&](std::string_view result, std::string_view operand,
                             const std::optional<Perm>& perm) {
    if (perm)
      text += fmt::format("%{} = transpose({}), permutation={{{}}}\n", result, operand,
                          to_string(*perm));
  };
  transpose("image", "image", program.in_bridge);
  transpose("kernel", "kernel", program.kern_bridge);
  text += fmt::format("%result = NativeKernel({}, {}), func_name={}, out_shape=[{}], attrs={}\n",
                      program.in_bridge ? "%image" : "image",
                      program.kern_bridge ? "%kernel" : "kernel", program.kernel.func_name,
                      fmt::join(program.kernel.call.res_shape, ", "),
                      attributes_text(program.kernel, keys));
  transpose("transposed", "%result", program.out_bridge);
  return text;
}

}  // namespace convproof
