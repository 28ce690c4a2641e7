// Law: every candidate that a table collects for a call computes what the call asks for.

#include <cstddef>
#include <cstdint>

#include "fuzz/call_bytes.h"
#include "fuzz/targets/target.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace convproof::fuzz;
  CandidateSpine& spine = target_candidates();
  const convproof::AtenCall call = decode_call({data, size}, spine.is_backward());
  conclude(spine, call, spine.check(call));
  return 0;
}
