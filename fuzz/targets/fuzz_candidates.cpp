// Law: every candidate that a table collects for a call computes what the call asks for.

#include <cstddef>
#include <cstdint>

#include "fuzz/byte_draw.h"
#include "fuzz/targets/target.h"
#include "oracle/arbitrary_aten_call.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace convproof::fuzz;
  CandidateSpine& spine = target_candidates();
  convproof::oracle::AtenGeneratorOptions options;
  options.backward = spine.is_backward();
  options.mixed_types = true;
  ByteDraw bytes({data, size});
  const convproof::AtenCall call = convproof::oracle::arbitrary_aten_call(bytes, options);
  conclude(spine, call, spine.check(call));
  return 0;
}
