// Law: a lowered program's bridges lead every element to where the kernel looks for it, and its
// result back.

#include <cstddef>
#include <cstdint>

#include "fuzz/bridge_law.h"
#include "fuzz/op_bytes.h"
#include "fuzz/targets/target.h"

const bool convproof::fuzz::declares_results = false;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace convproof::fuzz;
  const convproof::ConvOp op = decode_op({data, size});
  count_execution(true);
  for (const convproof::Row& row : target_spine().registry().rows) {
    if (const auto broken = broken_bridge(op, row, target_settings().fault)) {
      broken_law(broken->law, op, broken->detail);
    }
  }
  return 0;
}
