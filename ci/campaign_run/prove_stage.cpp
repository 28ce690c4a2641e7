#include <algorithm>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ci/campaign_run/table_stage.h"
#include "oracle/check.h"
#include "props/proofs/finding.h"
#include "selector/frontends/document.h"

namespace convproof::campaign {
namespace {

using Json = nlohmann::json;

std::expected<ConvOp, Error> witness_of(const Json& finding) {
  const Json document{{"version", 1}, {"cases", Json::array({finding.at("witness")})}};
  const auto read = read_json_cases(document.dump(), "witness");
  if (!read) return std::unexpected(read.error());
  if (read->ops.size() != 1) return std::unexpected(Error{"witness", "", "is no convolution"});
  return read->ops[0].op;
}

// What `by` and `detail` say, in one line.
std::string reason_of(const Json& finding) {
  std::string reason;
  for (const Json& blocker : finding.value("by", Json::array())) {
    reason +=
        fmt::format("{}{}", reason.empty() ? "earlier rows take everything it matches: " : ", ",
                    blocker.value("row", ""));
  }
  const std::string text = finding.value("clause_text", "");
  const std::string detail = finding.value("detail", "");
  if (!text.empty() && detail.find(text) == std::string::npos) reason += "`" + text + "`";
  if (!detail.empty()) reason += (reason.empty() ? "" : "; ") + detail;
  if (const std::string kind = finding.value("kind", ""); reason.empty()) {
    const auto known = proofs::finding_kind_named(kind);
    reason = known ? std::string(info(*known).meaning) : kind;
  }
  return reason;
}

std::expected<CampaignFinding, Error> finding_of(const TableContext& table, const Json& json) {
  const std::string signature = json.at("signature");
  const std::string kind = json.at("kind");
  const bool shown_by_running = kind == "unsound" || kind == "raises";
  CampaignFinding finding;
  if (json.contains("witness") && shown_by_running && table.spine) {
    auto op = witness_of(json);
    if (!op) return std::unexpected(op.error());
    // The proof says which clause is broken; running says where the result first differs.
    const oracle::Verdict verdict = table.spine->check(*op);
    oracle::Explanation why = table.spine->explain(*op, verdict);
    if (why.first_difference.empty()) why.detail = reason_of(json);
    auto made = table.maker->make(signature, "prove", why, *op);
    if (!made) return made;
    finding = std::move(*made);
    if (!is_finding(verdict.value)) {
      finding.replay = fmt::format("{} prove {} --row {} --kind {}",
                                   finding.replay.substr(0, finding.replay.find(" replay ")),
                                   shell_quoted(table.argument), shell_quoted(finding.row), kind);
    }
  } else {
    finding = table.maker->make(signature, "prove", reason_of(json));
    if (json.contains("witness_text")) finding.operation = json.at("witness_text");
  }
  if (json.at("status") == "unknown" || json.value("internal", false)) {
    finding.kind = "unknown";
    finding.known.clear();
  }
  return finding;
}

StageOutcome read_proofs(const TableContext& table, const Json& json, TableReport& report) {
  StageFindings result;
  report.bounds = json.at("bounds");
  const Json& summary = json.at("summary");
  report.proved = summary.at("proved");
  report.witnesses = summary.at("witness");
  report.unknown = summary.at("unknown");
  for (const Json& row : json.at("rows")) {
    const auto entry =
        std::ranges::find(report.rows, row.at("row").get<std::string>(), &RowReport::id);
    if (entry != report.rows.end()) entry->state = row.at("state");
  }
  for (const Json& entry : json.at("findings")) {
    const bool unknown = entry.at("status") == "unknown" || entry.value("internal", false);
    if (!entry.at("wrong").get<bool>() && !unknown) continue;
    auto finding = finding_of(table, entry);
    if (!finding) return std::unexpected(finding.error());
    result.findings.push_back(std::move(*finding));
  }
  return result;
}

}  // namespace

StageOutcome prove(const TableContext& table, const StageOptions& options, TableReport& report) {
  const auto output =
      run_tool(options.program,
               {"prove", table.argument, "--format", "json", "--seed", fmt::to_string(options.seed),
                "--threads", fmt::to_string(options.threads)},
               options.interrupted);
  if (!output) return std::unexpected(output.error());
  if (options.interrupted()) {
    return StageFindings{.skipped = {{"proofs of " + report.name, "stopped early"}}};
  }
  try {
    return read_proofs(table, Json::parse(output->text), report);
  } catch (const nlohmann::json::exception& error) {
    return std::unexpected(
        Error{"prove " + table.argument, fmt::format("status {}", output->status), error.what()});
  }
}

}  // namespace convproof::campaign
