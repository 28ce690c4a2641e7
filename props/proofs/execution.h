#pragma once

#include <string>

#include "oracle/check.h"
#include "props/proofs/finding.h"
#include "selector/op/conv_op.h"
#include "selector/registry/kernel_set.h"

namespace convproof::proofs {

struct Execution {
  Effect effect = Effect::not_executed;
  oracle::Verdict verdict{};
};

// Selects, lowers and runs a witness, and compares it with the reference convolution.
Execution execute_witness(oracle::Checker& checker, const ConvOp& op, std::uint64_t seed);

// What a kernel set says that breaking a clause comes to.
Effect expected_effect(Violation violation);

}  // namespace convproof::proofs
