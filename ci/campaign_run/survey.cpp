#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "ci/campaign_run/corpus_files.h"
#include "ci/campaign_run/table_stage.h"
#include "fuzz/op_bytes.h"
#include "fuzz/signature.h"
#include "fuzz/steer_op.h"
#include "fuzz/triage.h"
#include "oracle/arbitrary_conv_op.h"
#include "oracle/check.h"
#include "oracle/draw.h"

namespace convproof::campaign {
namespace {

void count_clauses(const PredicateOutcome& outcome, RowReport& row) {
  using Kind = PredicateOutcome::Kind;
  const std::size_t passed =
      outcome.kind == Kind::matched ? row.clauses.size() : std::size_t{outcome.clause};
  for (std::size_t clause = 0; clause < passed; ++clause) ++row.clauses[clause].held;
  if (outcome.kind == Kind::not_matched) ++row.clauses[passed].failed;
  if (outcome.kind == Kind::raised) ++row.clauses[passed].raised;
}

void count_outcomes(Matcher& matcher, const ConvOp& op, std::vector<PredicateOutcome>& outcomes,
                    TableReport& report) {
  const Selection selection = matcher.select(op);
  if (selection.status == Selection::Status::gated) return;
  ++report.surveyed;
  if (selection.status == Selection::Status::unmatched) ++report.unmatched;
  if (selection.status == Selection::Status::matched) ++report.rows[selection.row].wins;
  matcher.outcomes(op, outcomes);
  std::vector<std::size_t> matching;
  for (std::size_t row = 0; row < outcomes.size(); ++row) {
    count_clauses(outcomes[row], report.rows[row]);
    if (outcomes[row].kind == PredicateOutcome::Kind::matched) matching.push_back(row);
  }
  for (const std::size_t row : matching) {
    ++report.rows[row].matches;
    for (const std::size_t other : matching) ++report.rows[row].overlaps[other];
  }
}

}  // namespace

TableReport empty_report(const TableContext& table) {
  TableReport report{.name = table.registry->name, .file = table.registry->file};
  for (const Row& row : table.registry->rows) {
    RowReport entry{.id = row.id, .number = row.number, .kernel = row.kernel, .line = row.line};
    entry.overlaps.assign(table.registry->rows.size(), 0);
    for (const Clause& clause : row.predicate.clauses) {
      entry.clauses.push_back({.text = to_string(clause)});
    }
    report.rows.push_back(std::move(entry));
  }
  return report;
}

StageOutcome survey(const TableContext& table, const StageOptions& options, TableReport& report) {
  if (table.candidates) return survey_calls(table, options, report);
  StageFindings result;
  if (!table.spine) {
    result.skipped.push_back({"drawn operations of " + report.name, table.no_spine});
    return result;
  }
  fuzz::Spine& spine = *table.spine;
  auto steering = fuzz::RowSteering::create(*table.registry);
  std::vector<PredicateOutcome> outcomes;
  std::map<std::string, std::int64_t> classes;
  std::set<std::string> seen;
  std::int64_t done = 0;
  for (; done < options.drawn && !options.interrupted() && !options.drawn_enough(); ++done) {
    const auto index = static_cast<std::uint64_t>(done);
    oracle::SplitMixDraw draw(options.seed + index);
    ConvOp op = oracle::arbitrary_conv_op(draw);
    if (steering && index % 2 == 1) op = steering->towards(op, index / 2 % steering->row_count());
    const oracle::Verdict verdict = spine.check(op);
    ++classes[std::string(name_of(verdict.value))];
    count_outcomes(spine.matcher(), op, outcomes, report);
    if (!is_finding(verdict.value)) continue;
    const fuzz::Signature signature = spine.signature(op, verdict);
    if (!seen.insert(ledger_signature(signature)).second) continue;
    auto small = fuzz::triage(spine, op);
    if (!small) continue;
    auto finding =
        table.maker->make(ledger_signature(signature), "drawn", small->detail, small->op);
    if (!finding) return std::unexpected(finding.error());
    result.findings.push_back(std::move(*finding));
  }
  for (const auto& info : oracle::check_classes) {
    report.generated_classes.emplace_back(info.name, classes[std::string(info.name)]);
  }
  if (options.interrupted()) {
    result.skipped.push_back({"drawn operations of " + report.name, "stopped early"});
  }
  return result;
}

void survey_inputs(const TableContext& table, const std::string& folder, TableReport& report) {
  if (!table.spine) return;
  std::vector<PredicateOutcome> outcomes;
  for (const std::string& name : files_of(folder)) {
    const auto content = read_whole(folder + "/" + name);
    if (!content) continue;
    const std::vector<std::uint8_t> bytes(content->begin(), content->end());
    count_outcomes(table.spine->matcher(), fuzz::decode_op(bytes), outcomes, report);
  }
}

}  // namespace convproof::campaign
