#pragma once

#include <functional>

#include "selector/op/conv_op.h"

namespace convproof::oracle {

// The smallest convolution that is still interesting, by greedy steps from `op`, which must be.
//
// A step makes one number smaller, or two together by as much, or two extents smaller in sum while
// one of them grows, or a layout, an element type or a flag plainer: extents towards 1, then
// strides and dilations towards 1, padding towards 0, group counts towards 1, layouts towards
// canonical order, element types towards f32. Groups stay whole and the declared result is the
// inferred one in every candidate, so that a well-formed op stays well formed as far as its shapes
// go; whether a candidate is well formed is for `interesting` to ask. No single step of the result
// is interesting any more. The same op and test give the same result.
ConvOp shrink(const ConvOp& op, const std::function<bool(const ConvOp&)>& interesting);

}  // namespace convproof::oracle
