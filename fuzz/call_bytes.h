#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "fuzz/byte_draw.h"
#include "oracle/arbitrary_aten_call.h"
#include "selector/op/aten_call.h"

namespace convproof::fuzz {

// The inputs of the target of candidate tables: a call of aten is the choices of the generator that
// make it, so that any bytes are a well-formed call.

// `backward` is of the table's schema: a forward table is asked no gradients.
inline AtenCall decode_call(std::span<const std::uint8_t> bytes, bool backward) {
  ByteDraw draw(bytes);
  return oracle::arbitrary_aten_call(draw, {.mixed_types = true, .backward = backward});
}

// The bytes of the forward call that the seed draws.
inline std::vector<std::uint8_t> drawn_call(std::uint64_t seed) {
  RecordingDraw draw(seed);
  static_cast<void>(oracle::arbitrary_aten_call(draw, {.mixed_types = true, .backward = false}));
  return {draw.bytes().begin(), draw.bytes().end()};
}

}  // namespace convproof::fuzz
