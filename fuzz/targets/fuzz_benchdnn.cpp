// Law: any text reads as a problem list of benchdnn without a crash, every error has its place and
// rule, tables select for what was read, and the calls of aten among it are printed and read again
// as the same.

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "fuzz/call_law.h"
#include "fuzz/call_text.h"
#include "fuzz/targets/target.h"
#include "selector/frontends/benchdnn_problem.h"
#include "selector/frontends/document.h"
#include "selector/frontends/read_benchdnn.h"
#include "selector/op/error.h"

namespace {

std::expected<convproof::Document, convproof::Error> read_conv_list(std::string_view text,
                                                                    const std::string& file) {
  return convproof::read_benchdnn(text, file, convproof::BenchdnnDriver::conv);
}

}  // namespace

std::string convproof::fuzz::printed_call(const AtenCall& call) { return as_benchdnn(call); }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace convproof;
  using namespace convproof::fuzz;
  static ReadSelection selection = ReadSelection::create();
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const CallLaw law{
      .read = read_conv_list, .print = printed_call, .fault = target_settings().fault};
  const TextResult result = law.check(text, selection);
  count_execution(result.operations > 0);
  if (result.broken) broken_law(result.broken->law, text, result.broken->detail);
  return 0;
}
