#include "ci/aten_operations.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "oracle/arbitrary_aten_call.h"
#include "oracle/draw.h"
#include "selector/registry/aten_subject.h"
#include "selector/rules/nearest_name.h"

namespace convproof::ci {
namespace {

Error bad_setting(std::string_view name, std::string_view value, std::string rule) {
  return {
      .place = fmt::format("--env {}", name), .value = std::string(value), .rule = std::move(rule)};
}

}  // namespace

Generator aten_generator(const Request& request, const Registry& registry) {
  oracle::AtenGeneratorOptions options;
  options.backward = is_backward(registry.schema);
  options.mixed_types = true;
  if (request.size > 0) {
    options.max_extent = request.size == 1 ? 20 : 60;
    options.max_channels = request.size == 1 ? 24 : 160;
    options.max_multiply_adds = request.size == 1 ? 1'000'000 : 20'000'000;
  }
  return [options](std::uint64_t seed) {
    oracle::SplitMixDraw draw(seed);
    FoundOp found;
    found.op = std::unexpected(Error{.rule = "drawn as a call of aten"});
    found.aten = oracle::arbitrary_aten_call(draw, options);
    return found;
  };
}

std::expected<EnvironmentSettings, Error> EnvironmentSettings::read(const Request& request) {
  EnvironmentSettings settings;
  std::vector<std::string> known{"device", "shared_memory"};
  for (const AtenFlag& flag : aten_flags) known.emplace_back(flag.name);
  for (const std::string& text : request.environment) {
    const std::size_t equals = std::min(text.find('='), text.size());
    const std::string_view name = std::string_view(text).substr(0, equals);
    const std::string_view value = std::string_view(text).substr(std::min(equals + 1, text.size()));
    const auto* const flag = std::ranges::find(aten_flags, name, &AtenFlag::name);
    if (name == "device") {
      const auto* const device = std::ranges::find(aten_device_names, value);
      if (device == aten_device_names.end()) {
        return std::unexpected(bad_setting(
            name, value, fmt::format("must be one of {}", fmt::join(aten_device_names, ", "))));
      }
      settings.device_ = static_cast<AtenDevice>(device - aten_device_names.begin());
    } else if (name == "shared_memory") {
      std::int64_t bytes = 0;
      const auto [end, status] = std::from_chars(value.data(), value.data() + value.size(), bytes);
      if (status != std::errc() || end != value.data() + value.size() || bytes < 0)
        return std::unexpected(bad_setting(name, value, "must be a number of bytes, or 0"));
      settings.shared_memory_ = bytes;
    } else if (flag == aten_flags.end()) {
      return std::unexpected(
          bad_setting(name, value,
                      fmt::format("unknown{}; known are {}", did_you_mean(std::string(name), known),
                                  fmt::join(known, ", "))));
    } else if (value != "true" && value != "false") {
      return std::unexpected(bad_setting(name, value, "must be true or false"));
    } else {
      settings.flags_.emplace_back(flag->flag, value == "true");
    }
  }
  return settings;
}

void EnvironmentSettings::apply(AtenEnvironment& environment) const {
  if (device_) environment.device = *device_;
  if (shared_memory_) environment.shared_memory = *shared_memory_;
  for (const auto& [flag, value] : flags_) environment.*flag = value;
}

bool is_for(const FoundOp& found, const Registry& registry) {
  if (found.aten) return found.aten->backward == is_backward(registry.schema);
  return !found.op;
}

std::expected<AtenCall, Error> call_of(const FoundOp& found, const EnvironmentSettings& settings,
                                       const Registry& registry) {
  if (!found.aten) {
    if (!found.op) return std::unexpected(found.op.error());
    return std::unexpected(Error{.rule = "no call of aten expresses this convolution"});
  }
  AtenCall call = *found.aten;
  settings.apply(call.environment);
  if (call.backward != is_backward(registry.schema)) {
    return std::unexpected(Error{.rule = fmt::format("a {} call, and the table is of {} calls",
                                                     call.backward ? "backward" : "forward",
                                                     call.backward ? "forward" : "backward")});
  }
  if (auto valid = validate(call); !valid) return std::unexpected(valid.error());
  return call;
}

}  // namespace convproof::ci
