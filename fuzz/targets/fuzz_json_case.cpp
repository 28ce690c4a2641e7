// Law: any text reads as JSON cases without a crash, every error has its place, and what was read
// is printed and read again as the same.

#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/targets/target.h"
#include "selector/frontends/document.h"
#include "selector/frontends/json_cases.h"

std::string convproof::fuzz::printed_text(const ConvOp& op) { return write_json_case("case", op); }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  convproof::fuzz::check_operations({reinterpret_cast<const char*>(data), size},
                                    convproof::read_json_cases);
  return 0;
}
