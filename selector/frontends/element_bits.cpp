#include "selector/frontends/element_bits.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace convproof {
namespace {

// The float types that C++ has no type for.
struct SmallFloat {
  int exponent_bits = 0;
  int mantissa_bits = 0;
  bool has_infinity = true;  // without: the all-ones exponent is finite but for one NaN pattern

  [[nodiscard]] int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  [[nodiscard]] double largest() const {
    return has_infinity ? std::ldexp(2.0 - std::ldexp(1.0, -mantissa_bits), bias())
                        : std::ldexp(2.0 - std::ldexp(1.0, 1 - mantissa_bits), bias() + 1);
  }
};

std::optional<SmallFloat> small_float(ElementType type) {
  switch (type) {
    case ElementType::bf16:
      return SmallFloat{8, 7};
    case ElementType::f16:
      return SmallFloat{5, 10};
    case ElementType::f8e5m2:
      return SmallFloat{5, 2};
    case ElementType::f8e4m3fn:
      return SmallFloat{4, 3, false};
    case ElementType::f64:
    case ElementType::f32:
    case ElementType::s8:
    case ElementType::u8:
    case ElementType::s16:
    case ElementType::s32:
    case ElementType::s64:
      break;
  }
  return std::nullopt;
}

double decode_small_float(const SmallFloat& format, std::uint64_t bits) {
  const std::uint64_t mantissa_mask = (std::uint64_t{1} << format.mantissa_bits) - 1;
  const std::uint64_t exponent_mask = (std::uint64_t{1} << format.exponent_bits) - 1;
  const std::uint64_t mantissa = bits & mantissa_mask;
  const std::uint64_t exponent = (bits >> format.mantissa_bits) & exponent_mask;
  const bool negative = ((bits >> (format.mantissa_bits + format.exponent_bits)) & 1) != 0;
  double value = 0;
  if (exponent == exponent_mask && (format.has_infinity || mantissa == mantissa_mask)) {
    value = format.has_infinity && mantissa == 0 ? std::numeric_limits<double>::infinity()
                                                 : std::numeric_limits<double>::quiet_NaN();
  } else if (exponent == 0) {
    value = std::ldexp(static_cast<double>(mantissa), 1 - format.bias() - format.mantissa_bits);
  } else {
    value = std::ldexp(static_cast<double>(mantissa + mantissa_mask + 1),
                       static_cast<int>(exponent) - format.bias() - format.mantissa_bits);
  }
  return negative ? -value : value;
}

}  // namespace

double decode_element(ElementType type, std::uint64_t bits) {
  if (const auto format = small_float(type)) return decode_small_float(*format, bits);
  switch (type) {
    case ElementType::f64:
      return std::bit_cast<double>(bits);
    case ElementType::f32:
      return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
    case ElementType::u8:
      return static_cast<double>(static_cast<std::uint8_t>(bits));
    case ElementType::s8:
      return static_cast<double>(static_cast<std::int8_t>(bits));
    case ElementType::s16:
      return static_cast<double>(static_cast<std::int16_t>(bits));
    case ElementType::s32:
      return static_cast<double>(static_cast<std::int32_t>(bits));
    case ElementType::s64:
    case ElementType::bf16:
    case ElementType::f16:
    case ElementType::f8e4m3fn:
    case ElementType::f8e5m2:
      break;
  }
  return static_cast<double>(static_cast<std::int64_t>(bits));
}

double round_to_element(ElementType type, double value) {
  if (type == ElementType::f32) return static_cast<double>(static_cast<float>(value));
  const auto format = small_float(type);
  if (!format || value == 0 || !std::isfinite(value)) return value;
  const int exponent = std::max(std::ilogb(value), 1 - format->bias());
  const double quantum = std::ldexp(1.0, exponent - format->mantissa_bits);
  const double rounded = std::nearbyint(value / quantum) * quantum;
  if (std::fabs(rounded) <= format->largest()) return rounded;
  return format->has_infinity ? std::copysign(std::numeric_limits<double>::infinity(), value)
                              : std::numeric_limits<double>::quiet_NaN();
}

}  // namespace convproof
