#pragma once

#include <cstdint>
#include <expected>
#include <limits>

#include "selector/rules/outcome.h"

namespace convproof {

// The arithmetic of the language on int64, in one place for everything that computes with it.
using CheckedInteger = std::expected<std::int64_t, RaiseCause>;

inline CheckedInteger checked_add(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_add_overflow(a, b, &result)) return std::unexpected(RaiseCause::overflow);
  return result;
}

inline CheckedInteger checked_subtract(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_sub_overflow(a, b, &result)) return std::unexpected(RaiseCause::overflow);
  return result;
}

inline CheckedInteger checked_multiply(std::int64_t a, std::int64_t b) {
  std::int64_t result = 0;
  if (__builtin_mul_overflow(a, b, &result)) return std::unexpected(RaiseCause::overflow);
  return result;
}

// Rounds towards minus infinity, as Python's `//`.
inline CheckedInteger checked_floor_divide(std::int64_t a, std::int64_t b) {
  if (b == 0) return std::unexpected(RaiseCause::division_by_zero);
  if (b == -1) return checked_subtract(0, a);  // INT64_MIN // -1 leaves int64
  const std::int64_t quotient = a / b;
  return (a % b != 0 && (a < 0) != (b < 0)) ? quotient - 1 : quotient;
}

// Has the divisor's sign, as Python's `%`.
inline CheckedInteger checked_modulo(std::int64_t a, std::int64_t b) {
  if (b == 0) return std::unexpected(RaiseCause::division_by_zero);
  if (b == -1) return 0;
  const std::int64_t remainder = a % b;
  return (remainder != 0 && (remainder < 0) != (b < 0)) ? remainder + b : remainder;
}

// `-(-a // b)`, each step checked.
inline CheckedInteger checked_ceil_div(std::int64_t a, std::int64_t b) {
  const CheckedInteger negated = checked_subtract(0, a);
  if (!negated) return negated;
  const CheckedInteger quotient = checked_floor_divide(*negated, b);
  return quotient ? checked_subtract(0, *quotient) : quotient;
}

}  // namespace convproof
