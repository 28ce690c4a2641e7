// Law: any bytes read as an ONNX model without a crash, every error has its place and rule, tables
// select for what was read, and the calls of aten among it are printed and read again as the same.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "fuzz/call_law.h"
#include "fuzz/onnx_model.h"
#include "fuzz/targets/target.h"
#include "selector/frontends/onnx/read_onnx.h"

std::string convproof::fuzz::printed_call(const AtenCall& call) { return as_onnx_model(call); }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace convproof;
  using namespace convproof::fuzz;
  static ReadSelection selection = ReadSelection::create();
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const CallLaw law{.read = read_onnx, .print = printed_call, .fault = target_settings().fault};
  const TextResult result = law.check(bytes, selection);
  count_execution(result.operations > 0);
  if (result.broken) broken_law(result.broken->law, bytes, result.broken->detail);
  return 0;
}
