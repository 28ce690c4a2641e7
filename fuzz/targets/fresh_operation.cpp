#include <cstdint>
#include <string>

#include "fuzz/targets/target.h"
#include "oracle/arbitrary_conv_op.h"
#include "oracle/draw.h"

std::string convproof::fuzz::fresh_text(std::uint64_t seed) {
  oracle::SplitMixDraw source(seed);
  return printed_text(oracle::arbitrary_conv_op(source, {.empty_results = true}));
}
