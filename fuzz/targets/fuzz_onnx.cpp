// Law: any bytes read as an ONNX model without a crash, every error has its place and rule, tables
// select for what was read, and the calls of aten among it are printed and read again as the same.

#include <cstddef>
#include <cstdint>
#include <string>

#include "fuzz/onnx_model.h"
#include "fuzz/targets/target.h"
#include "selector/frontends/onnx/read_onnx.h"

std::string convproof::fuzz::printed_call(const AtenCall& call) { return as_onnx_model(call); }

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  convproof::fuzz::check_calls({reinterpret_cast<const char*>(data), size}, convproof::read_onnx);
  return 0;
}
