#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ci/prove_report.h"
#include "props/proofs/subject.h"

namespace convproof::ci {
namespace {

using Json = nlohmann::ordered_json;
using proofs::Finding;
using proofs::FindingStatus;
using proofs::ProofReport;
using proofs::Record;
using proofs::Subject;

// The form of corpus/ cases, one case.
Json case_of(const Subject& subject, std::string_view name, const Record& record) {
  return Json::parse(subject.json_case(name, record))["cases"][0];
}

void add_witness(Json& object, const Subject& subject, std::string_view name,
                 const std::optional<Record>& record) {
  if (!record) return;
  object["witness"] = case_of(subject, name, *record);
  object["witness_text"] = subject.text(*record);
}

Json finding_json(const Finding& finding, const Subject& subject) {
  Json json{{"kind", info(finding.kind).name},
            {"row", finding.row},
            {"status", name_of(finding.status)},
            {"signature", finding.signature},
            {"wrong", info(finding.kind).wrong}};
  if (finding.line > 0) json["line"] = finding.line;
  if (!finding.kernel.empty()) json["kernel"] = finding.kernel;
  if (!finding.by.empty()) {
    json["by"] = Json::array();
    for (const proofs::Blocker& blocker : finding.by) {
      Json entry{{"row", blocker.row}, {"share", blocker.share}};
      add_witness(entry, subject, finding.signature, blocker.witness);
      json["by"].push_back(std::move(entry));
    }
  }
  if (finding.revival) {
    Json revival{{"before", finding.revival->before},
                 {"from", finding.revival->from},
                 {"share", finding.revival->share}};
    add_witness(revival, subject, finding.signature, finding.revival->witness);
    json["revival"] = std::move(revival);
  }
  if (!finding.other.empty()) json["other"] = finding.other;
  if (!finding.clause.empty()) json["clause"] = finding.clause;
  if (!finding.clause_text.empty()) json["clause_text"] = finding.clause_text;
  if (finding.effect != proofs::Effect::not_executed) json["effect"] = name_of(finding.effect);
  add_witness(json, subject, finding.signature, finding.witness);
  if (!finding.detail.empty()) json["detail"] = finding.detail;
  if (finding.internal) json["internal"] = true;
  if (finding.known) json["known"] = *finding.known;
  return json;
}

Json report_json(const ProofReport& report) {
  std::size_t fresh = 0;
  std::size_t known = 0;
  for (const Finding& finding : report.findings) {
    if (finding.known) {
      ++known;
    } else if (info(finding.kind).wrong || finding.status == FindingStatus::unknown) {
      ++fresh;
    }
  }
  Json json{{"version", 1},
            {"registry", report.registry},
            {"file", report.file},
            {"bounds", report.bounds},
            {"seed", report.seed},
            {"samples", report.samples},
            {"summary",
             {{"proved", report.proved},
              {"witness", report.witness},
              {"unknown", report.unknown},
              {"new", fresh},
              {"known", known}}}};
  json["rows"] = Json::array();
  for (const proofs::RowAccount& account : report.rows) {
    Json row{{"row", account.row}, {"number", account.number}, {"state", account.state}};
    if (account.witness) row["effect"] = name_of(account.effect);
    add_witness(row, *report.subject, account.row, account.witness);
    json["rows"].push_back(std::move(row));
  }
  json["findings"] = Json::array();
  for (const Finding& finding : report.findings) {
    json["findings"].push_back(finding_json(finding, *report.subject));
  }
  if (!report.vanished.empty()) json["vanished"] = report.vanished;
  if (report.interrupted) json["interrupted"] = true;
  return json;
}

std::string line_of(const Finding& finding, const Subject& subject) {
  std::string text = fmt::format("row {}: {}", finding.row, info(finding.kind).meaning);
  if (finding.row.empty()) text = fmt::format("{}: {}", finding.kernel, info(finding.kind).meaning);
  if (!finding.other.empty()) text += fmt::format(" (with {})", finding.other);
  if (!finding.clause_text.empty()) text += fmt::format(": `{}`", finding.clause_text);
  if (finding.witness) text += fmt::format("; {}", subject.text(*finding.witness));
  if (!finding.detail.empty()) text += fmt::format("; {}", finding.detail);
  return text;
}

std::string_view level_of(const Finding& finding) {
  if (finding.internal || finding.status == FindingStatus::unknown) return "error";
  if (!info(finding.kind).wrong || finding.known) return "note";
  return "error";
}

// Built-in tables are known by their name in the source tree.
std::string artifact_of(const ProofReport& report) {
  return report.file.find('/') == std::string::npos && report.file == report.registry + ".json"
             ? fmt::format("selector/registries/{}", report.file)
             : report.file;
}

Json sarif_result(const ProofReport& report, const Finding& finding) {
  Json result{{"ruleId", info(finding.kind).name},
              {"ruleIndex", static_cast<std::size_t>(finding.kind)},
              {"level", level_of(finding)},
              {"message", {{"text", line_of(finding, *report.subject)}}},
              {"partialFingerprints", {{"convproof/v1", finding.signature}}}};
  Json location{{"physicalLocation",
                 {{"artifactLocation", {{"uri", artifact_of(report)}}},
                  {"region", {{"startLine", std::max(finding.line, 1)}}}}}};
  result["locations"] = Json::array({std::move(location)});
  if (finding.known) {
    result["suppressions"] =
        Json::array({{{"kind", "external"}, {"justification", *finding.known}}});
  }
  return result;
}

Json side_json(const proofs::Destination& destination) {
  switch (destination.what) {
    case proofs::Destination::What::row:
      return {{"row", destination.row}, {"kernel", destination.kernel}};
    case proofs::Destination::What::raises:
      return {{"row", destination.row}, {"raises", true}};
    case proofs::Destination::What::none:
      break;
  }
  return nullptr;
}

}  // namespace

std::string prove_to_json(std::span<const ProofReport> reports) {
  if (reports.size() == 1) return report_json(reports[0]).dump(2) + "\n";
  Json json{{"version", 1}, {"reports", Json::array()}};
  for (const ProofReport& report : reports) json["reports"].push_back(report_json(report));
  return json.dump(2) + "\n";
}

std::string prove_to_sarif(std::span<const ProofReport> reports) {
  Json rules = Json::array();
  for (const auto& kind : proofs::finding_kinds) {
    rules.push_back({{"id", kind.name},
                     {"shortDescription", {{"text", kind.meaning}}},
                     {"defaultConfiguration", {{"level", kind.wrong ? "error" : "note"}}}});
  }
  Json results = Json::array();
  for (const ProofReport& report : reports) {
    for (const Finding& finding : report.findings) results.push_back(sarif_result(report, finding));
  }
  Json run{{"tool", {{"driver", {{"name", "convproof"}, {"rules", std::move(rules)}}}}},
           {"results", std::move(results)}};
  const Json sarif{{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                   {"version", "2.1.0"},
                   {"runs", Json::array({std::move(run)})}};
  return sarif.dump(2) + "\n";
}

// Per row what it gained and what it lost, each part with a witness.
std::string diff_to_json(const proofs::DiffReport& report) {
  std::vector<std::string> order;
  std::map<std::string, Json> rows;
  const auto row_of = [&](const proofs::Destination& destination) -> Json& {
    const std::string key =
        destination.what == proofs::Destination::What::none ? "" : destination.row;
    const auto [at, added] = rows.try_emplace(key);
    if (added) {
      order.push_back(key);
      at->second = {{"row", key.empty() ? Json(nullptr) : Json(key)},
                    {"gained", Json::array()},
                    {"lost", Json::array()}};
    }
    return at->second;
  };
  const auto add = [&](const proofs::Change& change, const proofs::Destination& here,
                       const proofs::Destination& there, const char* direction,
                       const char* preposition) {
    Json part{{preposition, side_json(there)},
              {"status", name_of(change.status)},
              {"share", change.share}};
    add_witness(part, *report.subject, "diff", change.witness);
    if (!change.detail.empty()) part["detail"] = change.detail;
    Json& row = row_of(here);
    if (!row.contains("witness")) add_witness(row, *report.subject, "diff", change.witness);
    row[direction].push_back(std::move(part));
  };
  for (const proofs::Change& change : report.changes) {
    add(change, change.from, change.to, "lost", "to");
    add(change, change.to, change.from, "gained", "from");
  }
  Json json{{"version", 1},
            {"old", report.old_registry},
            {"new", report.new_registry},
            {"bounds", report.bounds},
            {"seed", report.seed},
            {"samples", report.samples},
            {"proved", report.proved},
            {"changes", Json::array()}};
  for (const std::string& key : order) json["changes"].push_back(rows.at(key));
  if (report.interrupted) json["interrupted"] = true;
  return json.dump(2) + "\n";
}

}  // namespace convproof::ci
