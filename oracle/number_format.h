#pragma once

#include <cstdint>

#include "selector/op/element_type.h"

namespace convproof::oracle {

// What an element type can hold, as far as exact and rounded comparison need it.
struct NumberFormat {
  // Every integer of magnitude up to this is an element; no more than 2^53, so that double holds
  // whatever the type holds. u8 has the non-negative ones only.
  std::int64_t exact_integers = 0;
  bool is_signed = true;
  // Largest relative error of rounding to nearest: half the distance from 1 to the next value; 0
  // for integers.
  double unit_roundoff = 0;
  // Largest absolute error of one operation that underflows. For f64, f32 and bf16 the least normal
  // number, so that a device that flushes subnormals is within it; else the least subnormal.
  double underflow = 0;
  double largest = 0;  // the largest finite value
};

// Source: IEEE 754-2019 for f64, f32 and f16; OCP 8-bit floating point specification 1.0 for the
// fp8 types.
NumberFormat number_format(ElementType type);

}  // namespace convproof::oracle
