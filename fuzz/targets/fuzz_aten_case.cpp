// Law: any text reads as JSON cases without a crash, every error has its place and rule, tables
// select for what was read, and the calls of aten among it are printed and read again as the same.

#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/call_text.h"
#include "fuzz/targets/target.h"
#include "selector/frontends/document.h"

std::string convproof::fuzz::printed_call(const AtenCall& call) { return as_aten_case(call); }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  convproof::fuzz::check_calls({reinterpret_cast<const char*>(data), size},
                               convproof::read_json_cases);
  return 0;
}
