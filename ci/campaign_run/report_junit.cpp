#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "ci/campaign_run/printers.h"

namespace convproof::campaign {
namespace {

struct Suite {
  std::string cases{};
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t skipped = 0;
  std::size_t errors = 0;

  void add(std::string_view group, std::string_view name, std::string_view outcome) {
    ++tests;
    cases += fmt::format("    <testcase classname=\"{}\" name=\"{}\">{}</testcase>\n",
                         escaped(group), escaped(name), outcome);
  }
  [[nodiscard]] std::string text(std::string_view name) const {
    return fmt::format(
        "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n"
        "{}  </testsuite>\n",
        escaped(name), tests, failures, errors, skipped, cases);
  }
};

void add(Suite& suite, const CampaignFinding& finding) {
  const std::string group = finding.table.empty()
                                ? finding.by.empty() ? "fuzz" : finding.by.front()
                                : fmt::format("{}.{}", finding.table, finding.row);
  if (finding.red()) {
    ++suite.failures;
    suite.add(
        group, finding.signature,
        fmt::format("<failure type=\"{}\" message=\"{}\">{}</failure>", escaped(finding.kind),
                    escaped(finding.reason), escaped(finding.operation + "\n" + finding.replay)));
  } else if (finding.state == FindingState::absent) {
    suite.add(group, finding.signature, "");
  } else {
    ++suite.skipped;
    suite.add(group, finding.signature,
              fmt::format("<skipped message=\"{}\"/>", escaped(finding.known)));
  }
}

}  // namespace

std::string report_to_junit(const CampaignReport& report) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"convproof\">\n";
  for (const TableReport& table : report.tables) {
    Suite suite;
    for (const RowReport& row : table.rows) {
      if (row.state == "live") suite.add(table.name + "." + row.id, "live", "");
    }
    for (const CampaignFinding& finding : report.findings) {
      if (finding.table == table.name) add(suite, finding);
    }
    text += suite.text(table.name);
  }
  Suite rest;
  for (const FuzzJobReport& job : report.jobs) {
    if (job.crashes == 0) {
      rest.add(job.target, job.table.empty() ? "ran" : "ran on " + job.table, "");
    }
  }
  for (const CampaignFinding& finding : report.findings) {
    if (finding.table.empty()) add(rest, finding);
  }
  for (const SkippedItem& item : report.skipped) {
    ++rest.skipped;
    rest.add("skipped", item.what, fmt::format("<skipped message=\"{}\"/>", escaped(item.reason)));
  }
  for (const std::string& failure : report.failures) {
    ++rest.errors;
    rest.add("campaign", "failure", fmt::format("<error message=\"{}\"/>", escaped(failure)));
  }
  text += rest.text("campaign");
  return text + "</testsuites>\n";
}

}  // namespace convproof::campaign
