// Law: a kernel computes every convolution within its contract, whatever the table says of it.

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

#include "fuzz/op_bytes.h"
#include "fuzz/steer_op.h"
#include "fuzz/targets/target.h"

const bool convproof::fuzz::declares_results = false;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace convproof::fuzz;
  Spine& any = target_spine();
  const std::size_t kernel =
      std::accumulate(data, data + size, std::size_t{0}) % any.registry().kernels.kernels.size();
  const convproof::ConvOp op = steer_to_contract(decode_op({data, size}), any.matcher(), kernel);
  std::vector<std::size_t> broken;
  any.matcher().broken_clauses(kernel, op, broken);
  if (op.window.size() != 2 || !broken.empty()) {
    count_execution(true);
    return 0;
  }
  Spine& spine = target_spine_of_kernel(kernel);
  const auto verdict = spine.check(op);
  // Attributes that the row's marshaller cannot express never reach the kernel.
  const bool unmarshalled =
      verdict.value == convproof::oracle::CheckClass::rejected && !verdict.refusal;
  if (unmarshalled) {
    count_execution(true);
  } else {
    conclude(spine, op, verdict);
  }
  return 0;
}
