#include "selector/op/aten_call.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace convproof {
namespace {

void add_list(std::string& text, std::string_view name, const SpatialList& list,
              std::int64_t neutral) {
  if (std::ranges::all_of(list, [&](std::int64_t value) { return value == neutral; })) return;
  text += fmt::format(", {}={}", name, fmt::join(list, "_"));
}

std::string environment_text(const AtenEnvironment& environment) {
  const AtenEnvironment usual;
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (environment.device != usual.device)
    add(std::string(aten_device_names[static_cast<std::size_t>(environment.device)]));
  for (const AtenFlag& flag : aten_flags) {
    if (environment.*flag.flag == usual.*flag.flag) continue;
    add(fmt::format("{}{}", environment.*flag.flag ? "" : "no ", flag.name));
  }
  if (environment.shared_memory != usual.shared_memory)
    add(fmt::format("shared_memory={}", environment.shared_memory));
  return text;
}

}  // namespace

std::string to_string(const AtenCall& call) {
  const AtenConvolution& convolution = call.convolution;
  std::string text = fmt::format(
      "{}{}[{}] * {}[{}]", call.backward ? "backward of " : "", name_of(convolution.element_type),
      fmt::join(convolution.input, ","),
      call.weight_element_type == convolution.element_type ? "" : name_of(call.weight_element_type),
      fmt::join(convolution.weight, ","));
  add_list(text, "stride", convolution.stride, 1);
  add_list(text, "padding", convolution.padding, 0);
  add_list(text, "dilation", convolution.dilation, 1);
  add_list(text, "output_padding", convolution.output_padding, 0);
  if (convolution.transposed) text += ", transposed";
  if (convolution.groups != 1) text += fmt::format(", groups={}", convolution.groups);
  if (convolution.bias) text += ", bias";
  if (call.input_format == MemoryFormat::channels_last) text += ", channels_last";
  if (!call.input_packed) text += ", not packed";
  if (call.backward) {
    text += fmt::format(", mask={}{}{}", call.output_mask[0] ? 1 : 0, call.output_mask[1] ? 1 : 0,
                        call.output_mask[2] ? 1 : 0);
    if (call.bias_sizes) text += ", bias_sizes";
  }
  if (const std::string environment = environment_text(call.environment); !environment.empty())
    text += "; " + environment;
  return text;
}

std::ostream& operator<<(std::ostream& stream, const AtenCall& call) {
  return stream << to_string(call);
}

}  // namespace convproof
