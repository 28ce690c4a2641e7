#include <cstdio>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "ci/aten_operations.h"
#include "ci/fuzz_known.h"
#include "ci/fuzz_request.h"
#include "ci/inputs.h"
#include "fuzz/candidate_spine.h"
#include "fuzz/signature.h"
#include "fuzz/spine.h"
#include "oracle/check.h"
#include "selector/registry/registry.h"

namespace convproof::ci {
namespace {

// 2 where a case cannot be read and does not say so itself, else what `status` was.
int status_without(const FoundOp& found, const Error& problem, int status) {
  fmt::print("{}\n", to_string(problem));
  return found.expectation && found.expectation->error ? status : 2;
}

int finish(int status) { return std::fflush(stdout) == 0 ? status : 3; }

int replay_calls(const FuzzRequest& request, const std::string& registry) {
  fuzz::CandidateSpineOptions options;
  const oracle::CheckOptions limits;  // as `check` has them
  options.registry = registry;
  options.seed = request.seed;
  options.max_work = limits.max_work;
  options.max_elements = limits.max_elements;
  auto spine = fuzz::CandidateSpine::create(options);
  if (!spine) {
    fmt::print(stderr, "convproof: {}\n", to_string(spine.error()));
    return 2;
  }
  const auto known = known_signatures(request.known, spine->registry().name);
  const auto settings = EnvironmentSettings::read({});
  if (!known || !settings) {
    fmt::print(stderr, "convproof: {}\n",
               known ? to_string(settings.error()) : to_string(known.error()));
    return 2;
  }
  const Inputs inputs = read_inputs(request.files);
  for (const Error& error : inputs.errors) fmt::print(stderr, "convproof: {}\n", to_string(error));
  int status = inputs.errors.empty() ? 0 : 2;
  for (const FoundOp& found : inputs.ops) {
    fmt::print("{}: ", found.name);
    const auto call = call_of(found, *settings, spine->registry());
    if (!call) {
      status = status_without(found, call.error(), status);
      continue;
    }
    const std::vector<fuzz::Signature> signatures = spine->check(*call).signatures;
    fmt::print("{}\n  {}\n", signatures.empty() ? "equal" : "finding", to_string(*call));
    for (const fuzz::Signature& signature : signatures) {
      const bool is_known =
          known->contains(to_string(signature)) || known->contains(ledger_signature(signature));
      fmt::print("  {}{}\n  {}\n", to_string(signature), is_known ? ", known" : "",
                 spine->explain(*call, signature).detail);
      if (!is_known && status == 0) status = 1;
    }
  }
  return finish(status);
}

}  // namespace

int run_replay(const FuzzRequest& request) {
  const std::string registry = request.registry.empty() ? "neuron" : request.registry;
  const auto loaded = find_registry(registry);
  if (loaded && fuzz::collects_candidates(*loaded)) return replay_calls(request, registry);
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
      status = status_without(found, found.op.error(), status);
      continue;
    }
    const oracle::Verdict verdict = spine->check(*found.op);
    fmt::print("{}\n  {}\n", name_of(verdict.value), to_string(*found.op));
    if (!is_finding(verdict.value)) continue;
    const fuzz::Signature signature = spine->signature(*found.op, verdict);
    const bool is_known =
        known->contains(to_string(signature)) || known->contains(ledger_signature(signature));
    fmt::print("  {}{}\n  {}\n", to_string(signature), is_known ? ", known" : "",
               spine->explain(*found.op, verdict).detail);
    if (!is_known && status == 0) status = 1;
  }
  return finish(status);
}

}  // namespace convproof::ci
