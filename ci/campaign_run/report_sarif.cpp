#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ci/campaign_run/printers.h"
#include "props/proofs/finding.h"

namespace convproof::campaign {
namespace {

using Json = nlohmann::ordered_json;

struct Rule {
  std::string_view name;
  std::string_view meaning;
};

// Kinds that the proofs do not have.
constexpr std::array other_rules{
    Rule{"different", "a kernel computes something else, and no contract clause tells"},
    Rule{"rejected", "a row matched, and its kernel refuses the operation"},
    Rule{"expectation", "a case of the corpus comes out otherwise than it says"},
    Rule{"golden", "the reference differs from a file's golden values"},
    Rule{"law", "a law of a fuzz target does not hold"},
    Rule{"crash", "a fuzz target crashes"},
    Rule{"timeout", "a fuzz target does not end"},
    Rule{"oom", "a fuzz target takes too much memory"},
    Rule{"leak", "a fuzz target leaks memory"},
    Rule{"vanished", "a ledger's entry no longer occurs"},
    Rule{"unknown", "an obligation was not decided"},
};

std::vector<Rule> all_rules() {
  std::vector<Rule> rules;
  for (const auto& kind : proofs::finding_kinds) {
    if (kind.wrong) rules.push_back({kind.name, kind.meaning});
  }
  rules.insert(rules.end(), other_rules.begin(), other_rules.end());
  return rules;
}

// SARIF knows no flapping: a finding that is back is new to the last campaign.
std::string_view baseline_of(FindingState state) {
  return state == FindingState::flapping ? "new" : name_of(state);
}

std::string message_of(const CampaignFinding& finding) {
  std::string text = finding.reason.empty() ? finding.kind : finding.reason;
  if (!finding.row.empty()) text = fmt::format("row {}: {}", finding.row, text);
  if (!finding.operation.empty()) text += "\n" + finding.operation;
  if (!finding.replay.empty()) text += "\nreplay: " + finding.replay;
  return text;
}

Json result_of(const CampaignFinding& finding, const std::vector<Rule>& rules) {
  const bool quiet = !finding.red();
  Json result{{"ruleId", finding.kind}};
  const auto rule = std::ranges::find(rules, finding.kind, &Rule::name);
  if (rule != rules.end()) result["ruleIndex"] = rule - rules.begin();
  result["level"] = quiet ? "note" : "error";
  result["message"] = {{"text", message_of(finding)}};
  if (!finding.file.empty()) {
    result["locations"] = Json::array(
        {{{"physicalLocation",
           {{"artifactLocation", {{"uri", finding.file}}},
            {"region", {{"startLine", std::max(finding.line, 1)}}}}},
          {"logicalLocations",
           Json::array(
               {{{"fullyQualifiedName", fmt::format("{}/{}", finding.table, finding.row)}}})}}});
  }
  result["partialFingerprints"] = {{"convproof/row/v1", finding.fingerprint}};
  result["baselineState"] = baseline_of(finding.state);
  result["properties"] = {{"state", name_of(finding.state)},
                          {"signature", finding.signature},
                          {"foundBy", finding.by},
                          {"replay", finding.replay}};
  if (!finding.known.empty()) {
    result["suppressions"] =
        Json::array({{{"kind", "external"}, {"justification", finding.known}}});
  }
  return result;
}

}  // namespace

std::string report_to_sarif(const CampaignReport& report) {
  const std::vector<Rule> rules = all_rules();
  Json rules_json = Json::array();
  for (const Rule& rule : rules) {
    rules_json.push_back({{"id", rule.name}, {"shortDescription", {{"text", rule.meaning}}}});
  }
  Json results = Json::array();
  for (const CampaignFinding& finding : report.findings) {
    results.push_back(result_of(finding, rules));
  }
  Json notes = Json::array();
  for (const std::string& failure : report.failures) {
    notes.push_back({{"level", "error"}, {"message", {{"text", failure}}}});
  }
  for (const SkippedItem& item : report.skipped) {
    notes.push_back({{"level", "note"},
                     {"message", {{"text", fmt::format("{}: {}", item.what, item.reason)}}}});
  }
  const Json invocation{{"executionSuccessful", report.failures.empty() && !report.interrupted},
                        {"exitCode", exit_status(report)},
                        {"toolExecutionNotifications", std::move(notes)}};
  const Json sarif{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                   {"version", "2.1.0"},
                   {"runs", Json::array({{{"tool",
                                           {{"driver",
                                             {{"name", "convproof"},
                                              {"version", report.tool_version},
                                              {"rules", std::move(rules_json)}}}}},
                                          {"automationDetails", {{"id", "convproof/campaign/"}}},
                                          {"invocations", Json::array({invocation})},
                                          {"results", std::move(results)}}})}};
  return sarif.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace convproof::campaign
