#pragma once

#include <span>
#include <string>
#include <string_view>

#include "props/proofs/diff_tables.h"
#include "props/proofs/finding.h"

namespace convproof::ci {

// The printers of proof reports, one per format.
//
// `save_folder` is where the witnesses were written; empty: nowhere.
std::string prove_to_text(const proofs::ProofReport& report, std::string_view save_folder,
                          bool colour);
std::string prove_to_markdown(std::span<const proofs::ProofReport> reports);

// `{"version": 1, "registry": ..., "bounds": ..., "summary": {...}, "findings": [...]}`; several
// reports as `{"version": 1, "reports": [...]}`.
std::string prove_to_json(std::span<const proofs::ProofReport> reports);
// SARIF 2.1.0: one run, one rule per kind, each finding at its row's line.
std::string prove_to_sarif(std::span<const proofs::ProofReport> reports);
// JUnit XML: a suite per registry, a case per row and kind that may be wrong.
std::string prove_to_junit(std::span<const proofs::ProofReport> reports);

std::string diff_to_text(const proofs::DiffReport& report);
std::string diff_to_json(const proofs::DiffReport& report);

// The witness's file name under the folder: the signature in letters, digits and dashes.
std::string witness_file(std::string_view signature);

}  // namespace convproof::ci
