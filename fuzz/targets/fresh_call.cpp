#include <cstdint>
#include <string>

#include "fuzz/targets/target.h"
#include "oracle/arbitrary_aten_call.h"
#include "oracle/draw.h"

std::string convproof::fuzz::fresh_text(std::uint64_t seed) {
  oracle::SplitMixDraw source(seed);
  return printed_call(oracle::arbitrary_aten_call(source, {.mixed_types = true}));
}
