#include "props/proofs/execution.h"

#include <cstdint>

#include "oracle/check.h"
#include "selector/kernels/kernel_error.h"

namespace convproof::proofs {
namespace {

Effect effect_of(const oracle::Verdict& verdict) {
  switch (verdict.value) {
    case oracle::CheckClass::equal:
      return Effect::none;
    case oracle::CheckClass::different:
      return Effect::different;
    case oracle::CheckClass::raised:
      return Effect::aborts;
    case oracle::CheckClass::rejected:
      // The compile dies where the kernel's own assertion or its tracing fails; a device limit is
      // refused when the traced program is placed.
      return verdict.refusal && verdict.refusal->fault != KernelFault::device_limit
                 ? Effect::aborts
                 : Effect::rejected;
    case oracle::CheckClass::unmatched:
    case oracle::CheckClass::gated:
    case oracle::CheckClass::invalid:
    case oracle::CheckClass::skipped:
      break;
  }
  return Effect::not_executed;
}

}  // namespace

Execution execute_witness(oracle::Checker& checker, const ConvOp& op, std::uint64_t seed) {
  Execution execution{.effect = Effect::not_executed, .verdict = checker.check(op, seed)};
  execution.effect = effect_of(execution.verdict);
  return execution;
}

Effect expected_effect(Violation violation) {
  switch (violation) {
    case Violation::asserted:
    case Violation::trace:
      return Effect::aborts;
    case Violation::device:
      return Effect::rejected;
    case Violation::silent:
      break;
  }
  return Effect::different;
}

}  // namespace convproof::proofs
