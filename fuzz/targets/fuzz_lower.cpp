// Law: the selected row lowers every convolution to a program that computes it.

#include <cstddef>
#include <cstdint>

#include "fuzz/op_bytes.h"
#include "fuzz/targets/target.h"

const bool convproof::fuzz::declares_results = false;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace convproof::fuzz;
  const convproof::ConvOp op = decode_op({data, size});
  conclude(target_spine(), op, target_spine().check(op));
  return 0;
}
