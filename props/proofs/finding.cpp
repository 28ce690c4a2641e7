#include "props/proofs/finding.h"

#include <algorithm>
#include <optional>
#include <string_view>

namespace convproof::proofs {

const FindingKindInfo& info(FindingKind kind) {
  return *std::ranges::find(finding_kinds, kind, &FindingKindInfo::kind);
}

std::optional<FindingKind> finding_kind_named(std::string_view name) {
  const auto* const found = std::ranges::find(finding_kinds, name, &FindingKindInfo::name);
  if (found == finding_kinds.end()) return std::nullopt;
  return found->kind;
}

std::string_view name_of(FindingStatus status) {
  switch (status) {
    case FindingStatus::proved:
      return "proved";
    case FindingStatus::witness:
      return "witness";
    case FindingStatus::unknown:
      break;
  }
  return "unknown";
}

int exit_status(const ProofReport& report) {
  const auto undecided = [](const Finding& finding) {
    return finding.internal || finding.status == FindingStatus::unknown;
  };
  if (report.interrupted || report.unknown > 0 || std::ranges::any_of(report.findings, undecided)) {
    return 3;
  }
  const bool wrong = std::ranges::any_of(report.findings, [](const Finding& finding) {
    return info(finding.kind).wrong && !finding.known;
  });
  return wrong || !report.vanished.empty() ? 1 : 0;
}

}  // namespace convproof::proofs
