#include <cstdio>
#include <set>
#include <string>

#include <fmt/format.h>

#include "ci/fuzz_known.h"
#include "ci/fuzz_request.h"
#include "ci/inputs.h"
#include "fuzz/signature.h"
#include "fuzz/spine.h"
#include "oracle/check.h"

namespace convproof::ci {

int run_replay(const FuzzRequest& request) {
  const std::string registry = request.registry.empty() ? "neuron" : request.registry;
  const oracle::CheckOptions limits;  // as `check` has them
  auto spine = fuzz::Spine::create({.registry = registry,
                                    .seed = request.seed,
                                    .max_work = limits.max_work,
                                    .max_elements = limits.max_elements});
  if (!spine) {
    fmt::print(stderr, "convproof: {}\n", to_string(spine.error()));
    return 2;
  }
  const auto known = known_signatures(request.known, spine->registry().name);
  if (!known) {
    fmt::print(stderr, "convproof: {}\n", to_string(known.error()));
    return 2;
  }
  const Inputs inputs = read_inputs(request.files);
  for (const Error& error : inputs.errors) fmt::print(stderr, "convproof: {}\n", to_string(error));
  int status = inputs.errors.empty() ? 0 : 2;
  for (const FoundOp& found : inputs.ops) {
    fmt::print("{}: ", found.name);
    if (!found.op) {
      fmt::print("{}\n", to_string(found.op.error()));
      if (!found.expectation || !found.expectation->error) status = 2;
      continue;
    }
    const oracle::Verdict verdict = spine->check(*found.op);
    fmt::print("{}\n  {}\n", name_of(verdict.value), to_string(*found.op));
    if (!is_finding(verdict.value)) continue;
    const fuzz::Signature signature = spine->signature(*found.op, verdict);
    const bool is_known =
        known->contains(to_string(signature)) || known->contains(ledger_signature(signature));
    fmt::print("  {}{}\n  {}\n", to_string(signature), is_known ? ", known" : "",
               spine->detail(*found.op, verdict));
    if (!is_known && status == 0) status = 1;
  }
  return std::fflush(stdout) == 0 ? status : 3;
}

}  // namespace convproof::ci
