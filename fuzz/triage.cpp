#include "fuzz/triage.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>
#include <vector>

#include "oracle/shrink.h"

namespace convproof::fuzz {

std::optional<TriagedFinding> triage(Spine& spine, const ConvOp& op) {
  const oracle::Verdict verdict = spine.check(op);
  if (!is_finding(verdict.value)) return std::nullopt;
  TriagedFinding finding{.signature = spine.signature(op, verdict), .found = op};
  const auto start = std::chrono::steady_clock::now();
  finding.op = oracle::shrink(
      op, [&](const ConvOp& smaller) { return spine.finds(smaller, finding.signature); });
  finding.shrinking = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - start);
  finding.explanation = spine.explain(finding.op, spine.check(finding.op));
  return finding;
}

std::vector<TriagedFinding> triage_all(Spine& spine, const std::vector<ConvOp>& ops) {
  std::vector<TriagedFinding> findings;
  for (const ConvOp& op : ops) {
    auto finding = triage(spine, op);
    if (!finding) continue;
    const auto same = std::ranges::find(findings, finding->signature, &TriagedFinding::signature);
    if (same == findings.end()) {
      findings.push_back(std::move(*finding));
    } else if (multiply_adds(finding->op) < multiply_adds(same->op)) {
      *same = std::move(*finding);
    }
  }
  return findings;
}

}  // namespace convproof::fuzz
