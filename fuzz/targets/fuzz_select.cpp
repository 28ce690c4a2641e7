// Law: the compiled table, the reference evaluator and the explanation say the same of every
// convolution, well formed or not, and the first row that matches is the one selected.

#include <cstddef>
#include <cstdint>

#include "fuzz/op_bytes.h"
#include "fuzz/selection_law.h"
#include "fuzz/targets/target.h"

const bool convproof::fuzz::declares_results = true;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace convproof::fuzz;
  static SelectionLaw law =
      SelectionLaw::create(target_settings().registry, target_settings().fault);
  const convproof::ConvOp op = decode_declared_op({data, size});
  count_execution(true);
  if (const auto broken = law.broken_by(op)) broken_law(broken->law, op, broken->detail);
  return 0;
}
