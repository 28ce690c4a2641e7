#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/call_law.h"
#include "fuzz/targets/target.h"
#include "oracle/arbitrary_aten_call.h"
#include "oracle/draw.h"

namespace convproof::fuzz {

std::string fresh_text(std::uint64_t seed) {
  oracle::SplitMixDraw source(seed);
  return printed_call(oracle::arbitrary_aten_call(source, {.mixed_types = true}));
}

void check_calls(std::string_view text, TextReader read) {
  static ReadSelection selection = ReadSelection::create();
  const CallLaw law{.read = read, .print = printed_call, .fault = target_settings().fault};
  conclude(text, law.check(text, selection));
}

}  // namespace convproof::fuzz
