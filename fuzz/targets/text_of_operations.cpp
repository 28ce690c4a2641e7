#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/targets/target.h"
#include "fuzz/text_law.h"
#include "oracle/arbitrary_conv_op.h"
#include "oracle/draw.h"

namespace convproof::fuzz {

std::string fresh_text(std::uint64_t seed) {
  oracle::SplitMixDraw source(seed);
  return printed_text(oracle::arbitrary_conv_op(source, {.empty_results = true}));
}

void check_operations(std::string_view text, TextReader read) {
  const TextLaw law{.read = read, .print = printed_text, .fault = target_settings().fault};
  conclude(text, law.check(text));
}

}  // namespace convproof::fuzz
