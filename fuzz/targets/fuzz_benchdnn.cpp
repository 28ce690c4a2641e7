// Law: any text reads as a problem list of benchdnn without a crash, every error has its place and
// rule, tables select for what was read, and the calls of aten among it are printed and read again
// as the same.

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

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
  convproof::fuzz::check_calls({reinterpret_cast<const char*>(data), size}, read_conv_list);
  return 0;
}
