#include <charconv>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ci/commands.h"

namespace convproof::ci {
namespace {

std::optional<OptionValue> parse_setting(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) return std::nullopt;
  const std::string_view value = std::string_view(text).substr(equals + 1);
  OptionValue option{.name = text.substr(0, equals)};
  if (value == "true" || value == "false") {
    option.value = value == "true" ? 1 : 0;
    return option;
  }
  const auto [end, status] =
      std::from_chars(value.data(), value.data() + value.size(), option.value);
  if (status != std::errc() || end != value.data() + value.size() || value.empty())
    return std::nullopt;
  return option;
}

}  // namespace

std::optional<Registry> open_registry(const Request& request) {
  std::vector<OptionValue> options;
  for (const std::string& setting : request.settings) {
    const auto option = parse_setting(setting);
    if (!option) {
      fmt::print(stderr, "convproof: --set = {}: must be NAME=true, NAME=false or NAME=INTEGER\n",
                 setting);
      return std::nullopt;
    }
    options.push_back(*option);
  }
  auto registry = find_registry(request.registry, options);
  if (!registry) {
    fmt::print(stderr, "convproof: {}\n", to_string(registry.error()));
    return std::nullopt;
  }
  return std::move(*registry);
}

}  // namespace convproof::ci
