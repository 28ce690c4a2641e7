#pragma once

#include <expected>
#include <string>

#include "selector/op/conv_op.h"
#include "selector/op/error.h"

namespace convproof {

// What every reader asks of an operation that it found: `check_structure`, no spatial extent
// negative after dilation and padding, and, where the file declares a result, the shape that the
// operands imply. An error's place is the field, as `res_shape`; shapes are in the op's own order.
std::expected<void, Error> check_window_fits(const ConvOp& op);
std::expected<void, Error> check_declared_result(const ConvOp& op);

// The rules on group counts and extents that the StableHLO verifier applies to each operation.
// Source: StableHLO specification, op `convolution`, constraints C10, C11, C14 to C16 and C23, and
// the verifier's demand of window extents of at least 1. `check_structure` must hold.
std::expected<void, Error> check_groups(const ConvOp& op);

// `f64, f32, ...`: what an unknown element type is told.
std::string known_element_types();

}  // namespace convproof
