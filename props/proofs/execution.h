#pragma once

#include "oracle/aten_check.h"
#include "oracle/check.h"
#include "props/proofs/subject.h"
#include "selector/registry/kernel_set.h"

namespace convproof::proofs {

Effect effect_of(const oracle::Verdict& verdict);
Effect effect_of(const oracle::AtenVerdict& verdict);

// What breaking a clause should come to.
Effect expected_effect(Violation violation);

}  // namespace convproof::proofs
