#include "selector/frontends/aten_record.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "selector/frontends/json_fields.h"
#include "selector/frontends/source_text.h"

namespace convproof {
namespace {

using nlohmann::json;
using nlohmann::ordered_json;

struct EnvironmentFlag {
  std::string_view name{};
  bool AtenEnvironment::* member = nullptr;
};

constexpr std::array environment_flags{
    EnvironmentFlag{"hip", &AtenEnvironment::hip},
    EnvironmentFlag{"autotune", &AtenEnvironment::autotune},
    EnvironmentFlag{"conv_aten", &AtenEnvironment::conv_aten},
    EnvironmentFlag{"conv_triton", &AtenEnvironment::conv_triton},
    EnvironmentFlag{"conv_ck", &AtenEnvironment::conv_ck},
    EnvironmentFlag{"gemm_triton", &AtenEnvironment::gemm_triton},
    EnvironmentFlag{"weight_aten", &AtenEnvironment::weight_aten},
    EnvironmentFlag{"weight_triton", &AtenEnvironment::weight_triton},
    EnvironmentFlag{"input_aten", &AtenEnvironment::input_aten},
    EnvironmentFlag{"input_triton", &AtenEnvironment::input_triton},
    EnvironmentFlag{"conv_1x1_as_mm", &AtenEnvironment::conv_1x1_as_mm},
    EnvironmentFlag{"layout_optimization", &AtenEnvironment::layout_optimization},
    EnvironmentFlag{"predicted_channels_last", &AtenEnvironment::predicted_channels_last},
    EnvironmentFlag{"big_gpu", &AtenEnvironment::big_gpu},
    EnvironmentFlag{"cpu_triton", &AtenEnvironment::cpu_triton},
    EnvironmentFlag{"ck_usable", &AtenEnvironment::ck_usable},
};

constexpr std::array<std::string_view, 19> record_keys{
    "input",      "weight",       "bias",           "stride",
    "padding",    "dilation",     "output_padding", "transposed",
    "groups",     "element_type", "dtype",          "weight_element_type",
    "backward",   "input_format", "channels_last",  "input_packed",
    "bias_sizes", "output_mask",  "environment"};

SpatialList list_of(JsonFields& fields, std::string_view key, std::int64_t missing) {
  if (fields.find(key) == nullptr) return {missing};
  return fields.integers<max_spatial_dims>(key);
}

void read_convolution(JsonFields& fields, AtenConvolution& conv) {
  conv.input = fields.integers<max_rank>("input");
  conv.weight = fields.integers<max_rank>("weight");
  if (const json* bias = fields.find("bias")) {
    if (!bias->is_array()) {
      conv.bias = fields.integer(*bias, "bias");
    } else if (const auto shape = fields.integers<1>(*bias, "bias"); shape.size() == 1) {
      conv.bias = shape[0];
    } else {
      fields.refuse("bias", shown(*bias), "must have one dimension");
    }
  }
  conv.stride = list_of(fields, "stride", 1);
  conv.padding = list_of(fields, "padding", 0);
  conv.dilation = list_of(fields, "dilation", 1);
  conv.output_padding = list_of(fields, "output_padding", 0);
  conv.transposed = fields.flag("transposed", conv.transposed);
  conv.groups = fields.integer("groups", conv.groups);
  for (const std::string_view key : {"element_type", "dtype"}) {
    if (fields.find(key) != nullptr) conv.element_type = fields.element_type(key);
  }
  if (fields.find("element_type") != nullptr && fields.find("dtype") != nullptr)
    fields.refuse("dtype", shown(*fields.find("dtype")), "must not stand beside element_type");
}

void read_format(JsonFields& fields, AtenCall& call) {
  call.input_format =
      static_cast<MemoryFormat>(fields.choice("input_format", memory_format_names, std::size_t{0}));
  if (fields.find("channels_last") == nullptr) return;
  if (fields.find("input_format") != nullptr) {
    fields.refuse("channels_last", shown(*fields.find("channels_last")),
                  "must not stand beside input_format");
  }
  if (fields.flag("channels_last", false)) call.input_format = MemoryFormat::channels_last;
}

void read_mask(JsonFields& fields, AtenCall& call) {
  const json* mask = fields.find("output_mask");
  if (mask == nullptr) return;
  if (!mask->is_array() || mask->size() != call.output_mask.size())
    return fields.refuse("output_mask", shown(*mask), "must have three entries");
  for (std::size_t i = 0; i < call.output_mask.size(); ++i) {
    const json& entry = (*mask)[i];
    if (!entry.is_boolean() && entry != 0 && entry != 1)
      return fields.refuse("output_mask", shown(*mask), "must be of true and false");
    call.output_mask[i] = entry.is_boolean() ? entry.get<bool>() : entry == 1;
  }
}

}  // namespace

std::expected<void, Error> read_aten_environment(const json& object, AtenEnvironment& environment) {
  if (!object.is_object())
    return std::unexpected(Error{"environment", shown(object), "must be an object"});
  JsonFields fields(object, "environment.");
  std::vector<std::string_view> keys{"device", "shared_memory"};
  for (const EnvironmentFlag& flag : environment_flags) keys.push_back(flag.name);
  fields.require_keys(keys);
  environment.device = static_cast<AtenDevice>(
      fields.choice("device", aten_device_names, static_cast<std::size_t>(environment.device)));
  for (const EnvironmentFlag& flag : environment_flags)
    environment.*flag.member = fields.flag(flag.name, environment.*flag.member);
  environment.shared_memory = fields.integer("shared_memory", environment.shared_memory);
  if (fields.error()) return std::unexpected(*fields.error());
  return {};
}

std::expected<AtenCall, Error> read_aten_record(const json& record) {
  if (!record.is_object())
    return std::unexpected(Error{"aten", shown(record), "must be an object"});
  JsonFields fields(record);
  fields.require_keys(record_keys);
  AtenCall call;
  read_convolution(fields, call.convolution);
  call.weight_element_type = fields.find("weight_element_type") != nullptr
                                 ? fields.element_type("weight_element_type")
                                 : call.convolution.element_type;
  read_format(fields, call);
  call.input_packed = fields.flag("input_packed", call.input_packed);
  call.backward = fields.flag("backward", call.backward);
  read_mask(fields, call);
  call.bias_sizes = fields.flag("bias_sizes", call.bias_sizes);
  if (fields.error()) return std::unexpected(*fields.error());
  if (const json* environment = fields.find("environment")) {
    if (auto read = read_aten_environment(*environment, call.environment); !read)
      return std::unexpected(read.error());
  }
  return call;
}

ordered_json write_aten_record(const AtenCall& call) {
  const auto list = [](std::span<const std::int64_t> values) {
    return std::vector<std::int64_t>(values.begin(), values.end());
  };
  const AtenCall unchanged;
  const AtenConvolution& conv = call.convolution;
  ordered_json record;
  record["input"] = list(conv.input);
  record["weight"] = list(conv.weight);
  if (conv.bias) record["bias"] = *conv.bias;
  record["stride"] = list(conv.stride);
  record["padding"] = list(conv.padding);
  record["dilation"] = list(conv.dilation);
  record["output_padding"] = list(conv.output_padding);
  record["transposed"] = conv.transposed;
  record["groups"] = conv.groups;
  record["element_type"] = name_of(conv.element_type);
  if (call.weight_element_type != conv.element_type)
    record["weight_element_type"] = name_of(call.weight_element_type);
  if (call.input_format != unchanged.input_format)
    record["input_format"] = memory_format_names[static_cast<std::size_t>(call.input_format)];
  if (call.input_packed != unchanged.input_packed) record["input_packed"] = call.input_packed;
  if (call.backward) record["backward"] = true;
  if (call.backward || call.output_mask != unchanged.output_mask)
    record["output_mask"] = call.output_mask;
  if (call.bias_sizes) record["bias_sizes"] = true;
  ordered_json environment = ordered_json::object();
  if (call.environment.device != unchanged.environment.device)
    environment["device"] = aten_device_names[static_cast<std::size_t>(call.environment.device)];
  for (const EnvironmentFlag& flag : environment_flags) {
    if (call.environment.*flag.member != unchanged.environment.*flag.member)
      environment[flag.name] = call.environment.*flag.member;
  }
  if (call.environment.shared_memory != unchanged.environment.shared_memory)
    environment["shared_memory"] = call.environment.shared_memory;
  if (!environment.empty()) record["environment"] = std::move(environment);
  return record;
}

std::expected<AtenCall, Error> parse_aten_record(std::string_view text) {
  const json record = json::parse(text, nullptr, false);
  if (record.is_discarded()) return std::unexpected(Error{"aten", excerpt(text), "is not JSON"});
  return read_aten_record(record);
}

std::string aten_record_text(const AtenCall& call) {
  return write_aten_record(call).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace convproof
