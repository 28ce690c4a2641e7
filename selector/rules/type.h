#pragma once

#include <cstdint>
#include <string>

namespace convproof {

// What a scalar of the predicate language is. `unknown` occurs only as the element of a list
// literal without elements that nothing gives a type to.
enum class ScalarType : std::uint8_t { boolean, integer, enumeration, unknown };

// The static type of an expression: a scalar, a list of scalars or a list of lists of scalars.
struct Type {
  ScalarType scalar = ScalarType::boolean;
  std::uint8_t depth = 0;         // 0 scalar, 1 list, 2 list of lists
  std::uint32_t enumeration = 0;  // index in Schema::enumerations where `scalar` is enumeration

  bool operator==(const Type&) const = default;

  static constexpr Type boolean() { return {ScalarType::boolean, 0, 0}; }
  static constexpr Type integer() { return {ScalarType::integer, 0, 0}; }
  [[nodiscard]] constexpr bool is_list() const { return depth > 0; }
  [[nodiscard]] constexpr Type element() const {
    return {scalar, static_cast<std::uint8_t>(depth - 1), enumeration};
  }
  [[nodiscard]] constexpr Type list() const {
    return {scalar, static_cast<std::uint8_t>(depth + 1), enumeration};
  }
};

// `int`, `list[bool]`; an enumeration prints as `enum`.
std::string to_string(const Type& type);

}  // namespace convproof
