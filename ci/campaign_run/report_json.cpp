#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "ci/campaign_run/finding_json.h"
#include "ci/campaign_run/printers.h"

namespace convproof::campaign {
namespace {

using Json = nlohmann::ordered_json;

Json classes_json(const std::vector<std::pair<std::string, std::int64_t>>& classes) {
  Json json = Json::object();
  for (const auto& [name, count] : classes) json[name] = count;
  return json;
}

Json row_json(const RowReport& row) {
  Json clauses = Json::array();
  for (const ClauseReport& clause : row.clauses) {
    clauses.push_back({{"text", clause.text},
                       {"held", clause.held},
                       {"failed", clause.failed},
                       {"raised", clause.raised},
                       {"covered", clause.covered()}});
  }
  return {{"id", row.id},           {"number", row.number},     {"list", row.list},
          {"rewrite", row.rewrite}, {"kernel", row.kernel},     {"action", row.action},
          {"line", row.line},       {"state", row.state},       {"matches", row.matches},
          {"wins", row.wins},       {"overlaps", row.overlaps}, {"clauses", std::move(clauses)}};
}

Json table_json(const TableReport& table) {
  Json rows = Json::array();
  for (const RowReport& row : table.rows) rows.push_back(row_json(row));
  return {{"name", table.name},
          {"file", table.file},
          {"policy", table.policy == Policy::collect_all ? "collect_all" : "first_match"},
          {"proofs",
           {{"bounds", table.bounds},
            {"proved", table.proved},
            {"witness", table.witnesses},
            {"unknown", table.unknown}}},
          {"corpus", classes_json(table.corpus_classes)},
          {"drawn", classes_json(table.generated_classes)},
          {"surveyed", table.surveyed},
          {"unmatched", table.unmatched},
          {"rows", std::move(rows)}};
}

Json job_json(const FuzzJobReport& job) {
  Json points = Json::array();
  for (const CoveragePoint& point : job.points) {
    points.push_back({{"executions", point.executions},
                      {"coverage", point.coverage},
                      {"features", point.features},
                      {"corpus", point.corpus}});
  }
  return {{"target", job.target},   {"table", job.table},     {"executions", job.executions},
          {"checked", job.checked}, {"crashes", job.crashes}, {"points", std::move(points)}};
}

Json timings_json(const Timings& timings) {
  Json stages = Json::array();
  for (const StageTime& stage : timings.stages) {
    stages.push_back({{"stage", stage.stage}, {"seconds", stage.seconds}});
  }
  Json fuzzing = Json::array();
  for (const RatePoint& point : timings.fuzzing) {
    fuzzing.push_back({{"seconds", point.seconds}, {"executions", point.executions}});
  }
  return {{"started", timings.started},
          {"seconds", timings.seconds},
          {"workers", timings.workers},
          {"stages", std::move(stages)},
          {"fuzzing", std::move(fuzzing)}};
}

}  // namespace

std::string report_to_json(const CampaignReport& report) {
  const Totals totals = totals_of(report);
  Json tables = Json::array();
  for (const TableReport& table : report.tables) tables.push_back(table_json(table));
  Json jobs = Json::array();
  for (const FuzzJobReport& job : report.jobs) jobs.push_back(job_json(job));
  Json corpora = Json::array();
  for (const CorpusReport& corpus : report.corpora) {
    corpora.push_back(
        {{"target", corpus.target}, {"inputs", corpus.inputs}, {"minimised", corpus.minimised}});
  }
  Json findings = Json::array();
  for (const CampaignFinding& finding : report.findings) {
    findings.push_back(Json::parse(finding_to_json(finding)));
  }
  Json skipped = Json::array();
  for (const SkippedItem& item : report.skipped) {
    skipped.push_back({{"what", item.what}, {"reason", item.reason}});
  }
  const Json document{{"version", 1},
                      {"tool", report.tool_version},
                      {"seed", report.seed},
                      {"budget", report.budget},
                      {"verdict", verdict_of(report)},
                      {"status", exit_status(report)},
                      {"interrupted", report.interrupted},
                      {"summary",
                       {{"executions", totals.executions},
                        {"checked", totals.checked},
                        {"new", totals.red},
                        {"known", totals.known},
                        {"absent", totals.absent}}},
                      {"failures", report.failures},
                      {"findings", std::move(findings)},
                      {"tables", std::move(tables)},
                      {"jobs", std::move(jobs)},
                      {"corpora", std::move(corpora)},
                      {"skipped", std::move(skipped)},
                      {"timings", timings_json(report.timings)}};
  // Names come from input files and need not be UTF-8.
  return document.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace convproof::campaign
