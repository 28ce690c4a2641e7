#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "props/proofs/finding.h"
#include "selector/op/error.h"

namespace convproof::proofs {

// A finding that is known, with the reason why it may stand.
struct KnownFinding {
  std::string signature{};
  std::string why{};

  bool operator==(const KnownFinding&) const = default;
};

// The known findings of one registry:
//   {"version": 1, "registry": "neuron", "known": [{"signature": "...", "why": "..."}]}
struct Ledger {
  std::string registry{};
  std::vector<KnownFinding> known{};

  bool operator==(const Ledger&) const = default;
};

// Refused whole at the first error; no signature twice, no entry without a reason. `file` is only
// used in error places.
std::expected<Ledger, Error> parse_ledger(std::string_view json_text, std::string_view file);

// Marks what the ledger knows, and lists the signatures of entries that no longer occur. Entries of
// kinds and rows that the report was not asked for are left alone.
void apply(const Ledger& ledger, const std::vector<FindingKind>& kinds, std::string_view row,
           ProofReport& report);

}  // namespace convproof::proofs
