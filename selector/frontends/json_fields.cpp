#include "selector/frontends/json_fields.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "selector/frontends/op_rules.h"
#include "selector/frontends/source_text.h"

namespace convproof {
namespace {

using nlohmann::json;

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::string shown(const json& value) {
  return excerpt(value.dump(-1, ' ', false, json::error_handler_t::replace));
}

void JsonFields::refuse(std::string_view place, std::string value, std::string rule) {
  if (!error_)
    error_ = Error{fmt::format("{}{}", prefix_, place), std::move(value), std::move(rule)};
}

const json* JsonFields::find(std::string_view key) const {
  const auto found = object_.find(key);
  return found == object_.end() || found->is_null() ? nullptr : &*found;
}

const json* JsonFields::require(std::string_view key) {
  const json* value = find(key);
  if (value == nullptr) refuse(key, "", "must be given");
  return value;
}

std::int64_t JsonFields::integer(const json& value, std::string_view place) {
  const bool fits = value.is_number_integer() &&
                    (!value.is_number_unsigned() ||
                     value.get<std::uint64_t>() <=
                         static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
  if (!fits) refuse(place, shown(value), "must be an integer");
  return fits ? value.get<std::int64_t>() : 0;
}

std::int64_t JsonFields::integer(std::string_view key, std::int64_t missing) {
  const json* value = find(key);
  return value == nullptr ? missing : integer(*value, key);
}

bool JsonFields::flag(std::string_view key, bool missing) {
  const json* value = find(key);
  if (value == nullptr) return missing;
  if (value->is_boolean()) return value->get<bool>();
  refuse(key, shown(*value), "must be true or false");
  return missing;
}

std::string JsonFields::text(std::string_view key) {
  const json* value = require(key);
  if (value == nullptr) return {};
  if (value->is_string()) return value->get<std::string>();
  refuse(key, shown(*value), "must be a string");
  return {};
}

ElementType JsonFields::element_type(std::string_view key) {
  const std::string name = text(key);
  const auto type = element_type_named(name);
  if (!type) {
    refuse(key, excerpt(name),
           fmt::format("is not a known element type ({})", known_element_types()));
  }
  return type.value_or(ElementType::f32);
}

std::size_t JsonFields::choice(std::string_view key, std::span<const std::string_view> names,
                               std::size_t missing) {
  if (find(key) == nullptr) return missing;
  const std::string name = text(key);
  const auto found = std::ranges::find(names, name);
  if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
  refuse(key, excerpt(name), fmt::format("must be one of {}", fmt::join(names, ", ")));
  return missing;
}

void JsonFields::check_keys(std::span<const std::string_view> known,
                            std::span<const std::string_view> others) {
  for (const auto& [key, value] : object_.items()) {
    if (std::ranges::find(known, key) != known.end() ||
        std::ranges::find(others, key) != others.end() || key.size() > 40) {
      continue;
    }
    for (const std::string_view one : known) {
      if (one.size() > 3 && edit_distance(key, one) <= 2)
        refuse(key, shown(value), fmt::format("is not a known key; {} is", one));
    }
  }
}

void JsonFields::require_keys(std::span<const std::string_view> known) {
  check_keys(known);
  for (const auto& [key, value] : object_.items()) {
    if (std::ranges::find(known, key) == known.end())
      refuse(excerpt(key), shown(value), "is not a known key");
  }
}

std::vector<std::int64_t> JsonFields::integer_list(const json& value, std::string_view place,
                                                   std::size_t most) {
  std::vector<std::int64_t> result;
  if (!value.is_array() || value.size() > most) {
    refuse(place, shown(value), fmt::format("must be an array of at most {} integers", most));
    return result;
  }
  for (const json& element : value)
    result.push_back(integer(element, fmt::format("{}[{}]", place, result.size())));
  return result;
}

}  // namespace convproof
