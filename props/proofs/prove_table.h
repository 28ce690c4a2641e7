#pragma once

#include <cstddef>
#include <expected>
#include <functional>
#include <string>
#include <vector>

#include "props/proofs/finding.h"
#include "props/proofs/prover.h"
#include "selector/registry/registry.h"
#include "selector/rules/located_error.h"
#include "selector/rules/predicate.h"

namespace convproof::proofs {

struct ProveOptions {
  ProverOptions prover{};
  std::vector<FindingKind> kinds{};  // all where empty
  std::string row{};                 // obligations of this row only; all where empty
  std::vector<Clause> assumed{};     // conditions beside the schema's axioms
  std::function<void(std::size_t done, std::size_t total)> progress{};  // from any thread
  std::function<bool()> interrupted{};
  // What was proved impossible, in the numbering of TableQuestions: for tests that try to refute
  // it.
  std::vector<Condition>* impossible = nullptr;
};

// Decides every obligation of a table: see finding.h for the kinds. Each witness is as small as
// greedy steps make it, replayed through the compiled evaluation, and executed where its row wins.
// The report is the same for a seed whatever the number of threads.
std::expected<ProofReport, LocatedError> prove_table(const Registry& registry,
                                                     const ProveOptions& options = {});

// `every int within its schema's bounds and at most 1048575 in magnitude`
std::string bounds_text(const Prover& prover);

}  // namespace convproof::proofs
