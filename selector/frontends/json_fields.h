#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "selector/op/element_type.h"
#include "selector/op/error.h"
#include "selector/op/fixed_vector.h"

namespace convproof {

// The value on one line, cut where long.
std::string shown(const nlohmann::json& value);

// The fields of one object. The first that is not as it must be is kept as the error, its place the
// field's key behind the prefix; after it, every answer is a default that nobody looks at. A null
// counts as missing.
class JsonFields {
 public:
  // `object` must outlive the fields. The prefix is as `environment.`.
  explicit JsonFields(const nlohmann::json& object, std::string prefix = {})
      : object_(object), prefix_(std::move(prefix)) {}

  [[nodiscard]] const std::optional<Error>& error() const { return error_; }
  void refuse(std::string_view place, std::string value, std::string rule);

  [[nodiscard]] const nlohmann::json* find(std::string_view key) const;
  const nlohmann::json* require(std::string_view key);

  std::int64_t integer(const nlohmann::json& value, std::string_view place);
  std::int64_t integer(std::string_view key, std::int64_t missing);
  bool flag(std::string_view key, bool missing);
  std::string text(std::string_view key);
  ElementType element_type(std::string_view key);
  // One of `names`, as its index.
  std::size_t choice(std::string_view key, std::span<const std::string_view> names,
                     std::size_t missing);

  template <std::size_t Capacity>
  FixedVector<std::int64_t, Capacity> integers(const nlohmann::json& value,
                                               std::string_view place) {
    return FixedVector<std::int64_t, Capacity>(integer_list(value, place, Capacity));
  }
  template <std::size_t Capacity>
  FixedVector<std::int64_t, Capacity> integers(std::string_view key) {
    const nlohmann::json* value = require(key);
    if (value == nullptr) return {};
    return integers<Capacity>(*value, key);
  }

  // Refuses a key that is close to a known one and is none, nor one of `others`: a slip of the pen.
  // Any other is somebody's own remark.
  void check_keys(std::span<const std::string_view> known,
                  std::span<const std::string_view> others = {});
  // Refuses every unknown key.
  void require_keys(std::span<const std::string_view> known);

 private:
  std::vector<std::int64_t> integer_list(const nlohmann::json& value, std::string_view place,
                                         std::size_t most);

  const nlohmann::json& object_;
  std::string prefix_;
  std::optional<Error> error_;
};

}  // namespace convproof
