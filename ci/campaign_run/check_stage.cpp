#include <cstddef>
#include <cstdint>
#include <expected>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ci/campaign_run/fingerprint.h"
#include "ci/campaign_run/table_stage.h"
#include "ci/inputs.h"
#include "fuzz/signature.h"
#include "oracle/check.h"

namespace convproof::campaign {
namespace {

using Json = nlohmann::json;

std::string title_of(const Json& operation) {
  return fmt::format("{}:{} {}", operation.value("file", ""), operation.value("line", 0),
                     operation.value("name", ""));
}

// A case that comes out otherwise than it says.
CampaignFinding case_finding(const TableContext& table, const Json& operation,
                             const std::string& kind, const std::string& reason,
                             const StageOptions& options) {
  const std::string name = operation.value("name", "");
  const std::string file = operation.value("file", "");
  CampaignFinding finding = table.maker->make(
      fmt::format("{}/{}/{}/{}", table.registry->name, kind, operation.value("row", ""), name),
      "corpus", reason);
  finding.operation = operation.value("op", "");
  finding.fingerprint = fingerprint_of(table.registry->name, finding.operation, kind, name);
  finding.file = file;
  finding.line = operation.value("line", 0);
  finding.replay =
      fmt::format("{} check {} --registry {} --max-work {}", shell_quoted(options.program),
                  shell_quoted(file), shell_quoted(table.argument), options.max_work);
  return finding;
}

StageOutcome read_check(const TableContext& table, const StageOptions& options, const Json& json,
                        TableReport& report) {
  StageFindings result;
  for (const auto& info : oracle::check_classes) {
    report.corpus_classes.emplace_back(
        info.name, json.at("summary").at(std::string(info.name)).get<std::int64_t>());
  }
  for (const Json& error : json.at("errors")) {
    return std::unexpected(
        Error{error.value("place", ""), error.value("value", ""), error.value("rule", "")});
  }
  // Of a table of candidates, an operation of the report is a candidate of a call.
  const ci::Inputs inputs = table.candidates ? ci::Inputs{} : ci::read_inputs(options.corpus);
  const Json& operations = json.at("operations");
  if (!table.candidates && operations.size() != inputs.ops.size()) {
    return std::unexpected(Error{"corpus", "", "changed while it was read"});
  }
  if (table.candidates) {
    auto found = findings_of_calls(table, options);
    if (!found) return found;
    result = std::move(*found);
  }
  std::set<std::string> seen;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const Json& operation = operations[i];
    const std::string value = operation.at("class");
    if (value == "skipped") {
      result.skipped.push_back(
          {fmt::format("{} under {}", title_of(operation), report.name), operation.at("detail")});
    }
    if (operation.contains("expected")) {
      result.findings.push_back(case_finding(
          table, operation, "expectation",
          fmt::format("is {}, expected {}", value, operation.at("expected").get<std::string>()),
          options));
    }
    if (operation.value("golden", "") == "different") {
      result.findings.push_back(
          case_finding(table, operation, "golden", operation.at("detail"), options));
    }
    const bool wrong = value == "different" || value == "rejected" || value == "raised";
    if (!wrong || !table.spine || !inputs.ops[i].op || options.interrupted()) continue;
    const ConvOp& op = *inputs.ops[i].op;
    const oracle::Verdict verdict = table.spine->check(op);
    if (!is_finding(verdict.value)) {
      result.skipped.push_back({fmt::format("naming what {} shows", title_of(operation)),
                                "too large for the fuzzers' spine"});
      continue;
    }
    const std::string signature = ledger_signature(table.spine->signature(op, verdict));
    if (!seen.insert(signature).second) continue;
    auto finding = table.maker->make(signature, "corpus", table.spine->explain(op, verdict), op);
    if (!finding) return std::unexpected(finding.error());
    result.findings.push_back(std::move(*finding));
  }
  return result;
}

}  // namespace

StageOutcome check_corpus(const TableContext& table, const StageOptions& options,
                          TableReport& report) {
  std::vector<std::string> arguments{"check",
                                     "--format",
                                     "json",
                                     "--registry",
                                     table.argument,
                                     "--seed",
                                     fmt::to_string(options.seed),
                                     "--max-work",
                                     fmt::to_string(options.max_work),
                                     "--explained-ok"};
  arguments.insert(arguments.end(), options.corpus.begin(), options.corpus.end());
  const auto output = run_tool(options.program, arguments, options.interrupted);
  if (!output) return std::unexpected(output.error());
  if (options.interrupted()) {
    return StageFindings{.skipped = {{"corpus under " + report.name, "stopped early"}}};
  }
  try {
    auto result = read_check(table, options, Json::parse(output->text), report);
    // What is no call of aten is nothing to a table of candidates.
    if (result && output->status == 2 && !table.candidates) {
      return std::unexpected(Error{"check " + table.argument, "status 2",
                                   "an operation of the corpus is not well formed"});
    }
    return result;
  } catch (const nlohmann::json::exception& error) {
    return std::unexpected(
        Error{"check " + table.argument, fmt::format("status {}", output->status), error.what()});
  }
}

}  // namespace convproof::campaign
