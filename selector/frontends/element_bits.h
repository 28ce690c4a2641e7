#pragma once

#include <cstdint>

#include "selector/op/element_type.h"

namespace convproof {

// The element of `type` whose bit pattern is the low bits of `bits`, widened to double; exact but
// for s64 beyond 2^53.
double decode_element(ElementType type, std::uint64_t bits);

// `value` rounded to the nearest element of the float type `type`, ties to even; past the largest
// finite element it becomes infinity, or NaN where the type has no infinity. Integers are returned
// unchanged.
double round_to_element(ElementType type, double value);

}  // namespace convproof
