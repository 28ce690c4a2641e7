#include "oracle/number_format.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace convproof::oracle {
namespace {

constexpr std::int64_t most_exact = std::int64_t{1} << 53;

// `precision` counts the significant bits, the implicit one included.
NumberFormat floating(int precision, int underflow_exponent, double largest) {
  return {.exact_integers = std::int64_t{1} << precision,
          .is_signed = true,
          .unit_roundoff = std::ldexp(1.0, -precision),
          .underflow = std::ldexp(1.0, underflow_exponent),
          .largest = largest};
}

NumberFormat integer(std::int64_t largest, bool is_signed = true) {
  return {.exact_integers = std::min(largest, most_exact),
          .is_signed = is_signed,
          .largest = static_cast<double>(largest)};
}

}  // namespace

NumberFormat number_format(ElementType type) {
  switch (type) {
    case ElementType::f64:
      return floating(53, -1022, 0x1.fffffffffffffp1023);
    case ElementType::f32:
      return floating(24, -126, 0x1.fffffep127);
    case ElementType::bf16:
      return floating(8, -126, 0x1.fep127);
    case ElementType::f16:
      return floating(11, -24, 65504);
    case ElementType::f8e4m3fn:
      return floating(4, -9, 448);
    case ElementType::f8e5m2:
      return floating(3, -16, 57344);
    case ElementType::s8:
      return integer(INT8_MAX);
    case ElementType::u8:
      return integer(UINT8_MAX, false);
    case ElementType::s16:
      return integer(INT16_MAX);
    case ElementType::s32:
      return integer(INT32_MAX);
    case ElementType::s64:
      return integer(INT64_MAX);
  }
  return {};
}

}  // namespace convproof::oracle
