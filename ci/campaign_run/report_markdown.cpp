#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "ci/campaign_run/printers.h"

namespace convproof::campaign {
namespace {

// As code: nothing in it is read as markup. The fence is longer than any run of back quotes inside.
std::string code(std::string_view text) {
  std::string line;
  for (const char c : text) line += c == '\n' || c == '\r' ? ' ' : c;
  std::size_t longest = 0;
  std::size_t run = 0;
  for (const char c : line) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  return longest == 0 ? fence + line + fence : fence + " " + line + " " + fence;
}

// Within a table's cell a bar ends the cell, even in code.
std::string cell(std::string_view text) {
  std::string result;
  for (const char c : code(text)) {
    if (c == '|') result += '\\';
    result += c;
  }
  return result;
}

void add_finding(std::string& text, const CampaignFinding& finding) {
  text += fmt::format("### {} ({})\n\n", code(finding.signature), name_of(finding.state));
  if (!finding.operation.empty()) text += fmt::format("{}\n\n", code(finding.operation));
  if (!finding.reason.empty()) text += fmt::format("{}\n\n", code(finding.reason));
  if (!finding.first_difference.empty()) {
    text += fmt::format("First differing element: {}\n\n", code(finding.first_difference));
  }
  if (!finding.replay.empty()) text += fmt::format("Replay: {}\n\n", code(finding.replay));
}

}  // namespace

std::string report_to_markdown(const CampaignReport& report) {
  constexpr std::size_t most_shown = 20;  // a comment has a limited length
  const Totals totals = totals_of(report);
  std::string text = fmt::format("## convproof: {}\n\n", verdict_of(report));
  text += fmt::format(
      "{} known, {} absent; {} executions, {} convolutions checked; seed {}, {}\n\n", totals.known,
      totals.absent, totals.executions, totals.checked, report.seed, report.budget);
  for (const std::string& failure : report.failures) {
    text += fmt::format("**Failed:** {}\n\n", code(failure));
  }
  std::size_t shown = 0;
  for (const CampaignFinding& finding : report.findings) {
    if (finding.red() && shown++ < most_shown) add_finding(text, finding);
  }
  if (shown > most_shown) text += fmt::format("... and {} more.\n\n", shown - most_shown);
  text +=
      "| table | rows | live | proved | findings | operations surveyed | no row |\n"
      "|---|---|---|---|---|---|---|\n";
  for (const TableReport& table : report.tables) {
    text +=
        fmt::format("| {} | {} | {} | {} | {} | {} | {} |\n", cell(table.name), table.rows.size(),
                    std::ranges::count(table.rows, "live", &RowReport::state), table.proved,
                    std::ranges::count(report.findings, table.name, &CampaignFinding::table),
                    table.surveyed, table.unmatched);
  }
  if (!report.skipped.empty()) {
    text += fmt::format("\n<details><summary>{} skipped</summary>\n\n", report.skipped.size());
    for (const SkippedItem& item : report.skipped) {
      text += fmt::format("- {}: {}\n", code(item.what), code(item.reason));
    }
    text += "\n</details>\n";
  }
  return text;
}

}  // namespace convproof::campaign
