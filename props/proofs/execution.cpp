#include "props/proofs/execution.h"

#include <optional>

#include "oracle/aten_check.h"
#include "oracle/check.h"
#include "selector/kernels/kernel_error.h"

namespace convproof::proofs {
namespace {

// The compile dies where the kernel's own assertion or its tracing fails; a device limit is
// refused when the traced program is placed.
Effect effect_of(oracle::CheckClass value, const std::optional<KernelError>& refusal) {
  switch (value) {
    case oracle::CheckClass::equal:
      return Effect::none;
    case oracle::CheckClass::different:
      return Effect::different;
    case oracle::CheckClass::raised:
      return Effect::aborts;
    case oracle::CheckClass::rejected:
      return refusal && refusal->fault != KernelFault::device_limit ? Effect::aborts
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

Effect effect_of(const oracle::Verdict& verdict) {
  return effect_of(verdict.value, verdict.refusal);
}

Effect effect_of(const oracle::AtenVerdict& verdict) {
  return effect_of(verdict.value, verdict.refusal);
}

Effect expected_effect(Violation violation) {
  switch (violation) {
    case Violation::asserted:
    case Violation::trace:
      return Effect::aborts;
    case Violation::device:
      return Effect::rejected;
    case Violation::toolchain:  // in the model of values the result is right
      return Effect::none;
    case Violation::silent:
      break;
  }
  return Effect::different;
}

}  // namespace convproof::proofs
