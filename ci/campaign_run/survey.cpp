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
#include "ci/campaign_run/row_counts.h"
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

void count_outcomes(Matcher& matcher, const ConvOp& op, std::vector<PredicateOutcome>& outcomes,
                    TableReport& report) {
  const Selection selection = matcher.select(op);
  if (selection.status == Selection::Status::gated) return;
  matcher.outcomes(op, outcomes);
  const bool taken = selection.status == Selection::Status::matched;
  if (selection.status == Selection::Status::unmatched) ++report.unmatched;
  count_operation(outcomes, {&selection.row, taken ? 1U : 0U}, report);
}

}  // namespace

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
        table.maker->make(ledger_signature(signature), "drawn", small->explanation, small->op);
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

void survey_inputs(const TableContext& table, const std::string& corpora, TableReport& report) {
  if (table.candidates) return survey_call_inputs(table, corpora + "/fuzz_candidates", report);
  if (!table.spine) return;
  const std::string folder = corpora + "/fuzz_lower";
  std::vector<PredicateOutcome> outcomes;
  for (const std::string& name : files_of(folder)) {
    const auto content = read_whole(folder + "/" + name);
    if (!content) continue;
    const std::vector<std::uint8_t> bytes(content->begin(), content->end());
    count_outcomes(table.spine->matcher(), fuzz::decode_op(bytes), outcomes, report);
  }
}

}  // namespace convproof::campaign
