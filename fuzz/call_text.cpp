#include "fuzz/call_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "selector/frontends/aten.h"
#include "selector/frontends/json_cases.h"
#include "selector/op/element_type.h"
#include "selector/op/perm.h"

namespace convproof::fuzz {
namespace {

std::string_view benchdnn_direction(const AtenCall& call) {
  if (!call.backward) return call.convolution.bias ? "FWD_B" : "FWD_D";
  if (call.output_mask[0]) return "BWD_D";
  return call.output_mask[2] ? "BWD_WB" : "BWD_W";
}

std::string mlir_element_type(ElementType type) {
  if (type == ElementType::f8e4m3fn) return "f8E4M3FN";
  if (type == ElementType::f8e5m2) return "f8E5M2";
  const std::string_view name = name_of(type);
  if (info(type).integer) return fmt::format("{}i{}", name.substr(0, 1), name.substr(1));
  return std::string(name);
}

std::string torch_tensor(const Shape& shape, ElementType type) {
  return fmt::format("!torch.vtensor<[{}],{}>", fmt::join(shape, ","), mlir_element_type(type));
}

// The constants that a function of the torch dialect takes its arguments from, as it goes along.
class TorchConstants {
 public:
  std::string integer(std::int64_t value) {
    return add("n", fmt::format("torch.constant.int {}", value));
  }
  std::string boolean(bool value) { return add("b", fmt::format("torch.constant.bool {}", value)); }
  std::string none() { return add("none", "torch.constant.none"); }
  std::string list(std::span<const std::int64_t> values) {
    std::string names;
    std::string types;
    for (const std::int64_t value : values) {
      const std::string_view comma = names.empty() ? "" : ", ";
      names += fmt::format("{}{}", comma, integer(value));
      types += fmt::format("{}!torch.int", comma);
    }
    return add("list",
               fmt::format("torch.prim.ListConstruct {} : ({}) -> !torch.list<int>", names, types));
  }
  std::string mask(const std::array<bool, 3>& wanted) {
    std::array<std::string, 3> names;
    for (std::size_t i = 0; i < wanted.size(); ++i) names[i] = boolean(wanted[i]);
    return add("mask", fmt::format("torch.prim.ListConstruct {} : (!torch.bool, !torch.bool, "
                                   "!torch.bool) -> !torch.list<bool>",
                                   fmt::join(names, ", ")));
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string add(std::string_view kind, const std::string& value) {
    std::string name = fmt::format("%{}{}", kind, count_++);
    text_ += fmt::format("    {} = {}\n", name, value);
    return name;
  }

  std::string text_{};
  int count_ = 0;
};

}  // namespace

std::string as_benchdnn(const AtenCall& call) {
  const AtenConvolution& conv = call.convolution;
  const std::string_view source = name_of(conv.element_type);
  std::string text =
      fmt::format("--{} --dir={} --dt={}:{}:{}\n", conv.transposed ? "deconv" : "conv",
                  benchdnn_direction(call), source, name_of(call.weight_element_type), source);
  const std::size_t rank = conv.weight.size();
  if (rank < 3 || rank > max_rank || conv.input.size() + 1 < rank) return text;
  // Without a batch axis: a batch of one.
  const bool batched = conv.input.size() == rank;
  const std::size_t channels = batched ? 1 : 0;
  text +=
      fmt::format("g{}mb{}ic{}oc{}", conv.groups, batched ? conv.input[0] : 1, conv.input[channels],
                  conv.transposed ? conv.weight[1] * conv.groups : conv.weight[0]);
  const auto result = aten_output_shape(conv);
  constexpr std::string_view letters = "dhw";
  const std::size_t dims = rank - 2;
  const auto entry = [&](const SpatialList& list, std::size_t axis, std::int64_t missing) {
    if (list.empty()) return missing;
    return list[list.size() == 1 ? 0 : std::min(axis, list.size() - 1)];
  };
  for (std::size_t axis = 0; axis < dims; ++axis) {
    const char letter = letters[letters.size() - dims + axis];
    text += fmt::format("_i{0}{1}", letter, conv.input[channels + 1 + axis]);
    if (result) text += fmt::format("o{}{}", letter, (*result)[result->size() - dims + axis]);
    text += fmt::format("k{0}{1}s{0}{2}p{0}{3}d{0}{4}", letter, conv.weight[axis + 2],
                        entry(conv.stride, axis, 1), entry(conv.padding, axis, 0),
                        entry(conv.dilation, axis, 1) - 1);
  }
  return text + "\n";
}

std::string as_torch_mlir(const AtenCall& call) {
  const AtenConvolution& conv = call.convolution;
  TorchConstants constants;
  const std::string input = torch_tensor(conv.input, conv.element_type);
  const std::string weight = torch_tensor(conv.weight, call.weight_element_type);
  std::string parameters = fmt::format("%x: {}, %w: {}", input, weight);
  std::string operands;
  std::string types;
  if (call.backward) {
    const auto shape = aten_output_shape(conv);
    const std::string gradient = torch_tensor(shape ? *shape : Shape{}, conv.element_type);
    parameters += fmt::format(", %g: {}", gradient);
    const std::string sizes = call.bias_sizes ? constants.list({}) : constants.none();
    operands = fmt::format("%g, %x, %w, {}", sizes);
    types = fmt::format("{}, {}, {}, {}", gradient, input, weight,
                        call.bias_sizes ? "!torch.list<int>" : "!torch.none");
  } else if (conv.bias) {
    const std::string bias = torch_tensor({*conv.bias}, conv.element_type);
    parameters += fmt::format(", %bias: {}", bias);
    operands = "%x, %w, %bias";
    types = fmt::format("{}, {}, {}", input, weight, bias);
  } else {
    operands = fmt::format("%x, %w, {}", constants.none());
    types = fmt::format("{}, {}, !torch.none", input, weight);
  }
  for (const SpatialList* list : {&conv.stride, &conv.padding, &conv.dilation})
    operands += ", " + constants.list(*list);
  operands += ", " + constants.boolean(conv.transposed);
  operands += ", " + constants.list(conv.output_padding);
  operands += ", " + constants.integer(conv.groups);
  types +=
      ", !torch.list<int>, !torch.list<int>, !torch.list<int>, !torch.bool, !torch.list<int>, "
      "!torch.int";
  std::string results = "!torch.tensor";
  if (call.backward) {
    operands += ", " + constants.mask(call.output_mask);
    types += ", !torch.list<bool>";
    results = "!torch.tensor, !torch.tensor, !torch.tensor";
  }
  return fmt::format(
      "func.func @main({}) {{\n{}    %r{} = torch.aten.convolution{} {} : {} -> {}\n"
      "    return\n}}\n",
      parameters, constants.text(), call.backward ? ":3" : "", call.backward ? "_backward" : "",
      operands, types, results);
}

std::string as_aten_case(const AtenCall& call) { return write_json_case("case", call); }

}  // namespace convproof::fuzz
