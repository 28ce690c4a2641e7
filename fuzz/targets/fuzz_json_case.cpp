// Law: any text reads as JSON cases without a crash, every error has its place, and what was read
// is printed and read again as the same.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/targets/target.h"
#include "fuzz/text_law.h"
#include "selector/frontends/document.h"
#include "selector/frontends/json_cases.h"

std::string convproof::fuzz::printed_text(const ConvOp& op) { return write_json_case("case", op); }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace convproof;
  using namespace convproof::fuzz;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const TextLaw law{
      .read = read_json_cases, .print = printed_text, .fault = target_settings().fault};
  const TextResult result = law.check(text);
  count_execution(result.operations > 0);
  if (result.broken) broken_law(result.broken->law, text, result.broken->detail);
  return 0;
}
