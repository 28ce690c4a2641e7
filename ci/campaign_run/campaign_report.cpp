#include "ci/campaign_run/campaign_report.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace convproof::campaign {

std::string_view name_of(FindingState state) {
  switch (state) {
    case FindingState::fresh:
      return "new";
    case FindingState::unchanged:
      return "unchanged";
    case FindingState::absent:
      return "absent";
    case FindingState::flapping:
      return "flapping";
  }
  return "";
}

Totals totals_of(const CampaignReport& report) {
  Totals totals;
  for (const FuzzJobReport& job : report.jobs) {
    totals.executions += job.executions;
    totals.checked += job.checked;
  }
  for (const TableReport& table : report.tables) {
    for (const auto* classes : {&table.corpus_classes, &table.generated_classes}) {
      for (const auto& [name, count] : *classes) {
        if (name == "equal" || name == "different" || name == "rejected") totals.checked += count;
      }
    }
  }
  for (const CampaignFinding& finding : report.findings) {
    if (finding.state == FindingState::absent) {
      ++totals.absent;
    } else if (finding.red()) {
      ++totals.red;
    } else {
      ++totals.known;
    }
  }
  return totals;
}

int exit_status(const CampaignReport& report) {
  if (!report.failures.empty()) return 3;
  if (totals_of(report).red > 0) return 1;
  return report.interrupted ? 3 : 0;
}

std::string verdict_of(const CampaignReport& report) {
  const std::int64_t red = totals_of(report).red;
  std::string found = red == 0   ? "nothing new"
                      : red == 1 ? "1 new finding"
                                 : fmt::format("{} new findings", red);
  if (!report.failures.empty()) return "the campaign failed; " + found;
  if (report.interrupted) return "stopped early; " + found;
  return found;
}

void tidy_findings(std::vector<CampaignFinding>& findings,
                   const std::vector<std::string>& table_order) {
  std::vector<CampaignFinding> merged;
  for (CampaignFinding& finding : findings) {
    const auto same = std::ranges::find(merged, finding.fingerprint, &CampaignFinding::fingerprint);
    if (same == merged.end()) {
      merged.push_back(std::move(finding));
      continue;
    }
    for (std::string& stage : finding.by) {
      if (std::ranges::find(same->by, stage) == same->by.end()) {
        same->by.push_back(std::move(stage));
      }
    }
  }
  const auto place = [&](const CampaignFinding& finding) {
    return std::ranges::find(table_order, finding.table) - table_order.begin();
  };
  const auto key = [&](const CampaignFinding& finding) {
    return std::tuple(!finding.red(), finding.state == FindingState::absent, place(finding),
                      finding.line, std::string_view(finding.kind),
                      std::string_view(finding.signature));
  };
  std::ranges::sort(merged, [&](const auto& a, const auto& b) { return key(a) < key(b); });
  findings = std::move(merged);
}

}  // namespace convproof::campaign
