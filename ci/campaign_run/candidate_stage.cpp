#include <cstddef>
#include <cstdint>
#include <expected>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ci/aten_operations.h"
#include "ci/campaign_run/corpus_files.h"
#include "ci/campaign_run/row_counts.h"
#include "ci/campaign_run/table_stage.h"
#include "ci/commands.h"
#include "ci/inputs.h"
#include "fuzz/call_bytes.h"
#include "fuzz/signature.h"
#include "oracle/aten_table_check.h"
#include "oracle/check.h"
#include "selector/registry/aten_selector.h"
#include "selector/registry/aten_subject.h"

namespace convproof::campaign {
namespace {

// Adds what the call shows and no earlier call showed, made small.
std::expected<void, Error> add_findings(const TableContext& table, const AtenCall& call,
                                        const char* stage, std::set<std::string>& seen,
                                        StageFindings& result) {
  bool fresh = false;
  for (const fuzz::Signature& signature : table.candidates->check(call).signatures) {
    fresh = fresh || !seen.contains(ledger_signature(signature));
  }
  if (!fresh) return {};
  for (const fuzz::TriagedCall& small : fuzz::triage(*table.candidates, call)) {
    const std::string signature = ledger_signature(small.signature);
    if (!seen.insert(signature).second) continue;
    auto finding = table.maker->make(signature, stage, small.explanation, small.call);
    if (!finding) return std::unexpected(finding.error());
    result.findings.push_back(std::move(*finding));
  }
  return {};
}

}  // namespace

StageOutcome survey_calls(const TableContext& table, const StageOptions& options,
                          TableReport& report) {
  StageFindings result;
  auto checker = oracle::AtenTableChecker::create(*table.registry, {.max_work = 1 << 24});
  if (!checker) return std::unexpected(checker.error().error);
  auto counter = CallCounter::create(*table.registry);
  if (!counter) return std::unexpected(counter.error().error);
  const ci::Generator draw = ci::aten_generator({}, *table.registry);
  const auto settings = ci::EnvironmentSettings::read({});
  if (!settings) return std::unexpected(settings.error());
  std::map<std::string, std::int64_t> classes;
  std::set<std::string> seen;
  // A call executes every candidate.
  const std::int64_t calls = options.drawn / 10;
  std::int64_t done = 0;
  for (; done < calls && !options.interrupted() && !options.drawn_enough(); ++done) {
    const FoundOp found = draw(options.seed + static_cast<std::uint64_t>(done));
    const auto call = ci::call_of(found, *settings, *table.registry);
    if (!call) continue;
    const oracle::AtenTableVerdict& verdict = checker->check(*call, options.seed);
    counter->count(*call, verdict.selection, report);
    for (const oracle::AtenVerdict& each : verdict.verdicts)
      ++classes[std::string(name_of(each.value))];
    if (auto added = add_findings(table, *call, "drawn", seen, result); !added) {
      return std::unexpected(added.error());
    }
  }
  for (const auto& info : oracle::check_classes) {
    report.generated_classes.emplace_back(info.name, classes[std::string(info.name)]);
  }
  if (options.interrupted())
    result.skipped.push_back({"drawn calls of " + report.name, "stopped early"});
  return result;
}

void survey_call_inputs(const TableContext& table, const std::string& folder, TableReport& report) {
  auto selector = AtenSelector::compile(*table.registry);
  auto counter = CallCounter::create(*table.registry);
  if (!selector || !counter) return;  // the survey of drawn calls has said why
  const bool backward = is_backward(table.registry->schema);
  AtenSelection selection;
  for (const std::string& name : files_of(folder)) {
    const auto content = read_whole(folder + "/" + name);
    if (!content) continue;
    const std::vector<std::uint8_t> bytes(content->begin(), content->end());
    const AtenCall call = fuzz::decode_call(bytes, backward);
    selector->select(call, selection);
    counter->count(call, selection, report);
  }
}

StageOutcome findings_of_calls(const TableContext& table, const StageOptions& options) {
  StageFindings result;
  const auto settings = ci::EnvironmentSettings::read({});
  if (!settings) return std::unexpected(settings.error());
  std::set<std::string> seen;
  for (const FoundOp& found : ci::read_inputs(options.corpus).ops) {
    if (options.interrupted()) break;
    const auto call = ci::call_of(found, *settings, *table.registry);
    if (!call) continue;
    if (auto added = add_findings(table, *call, "corpus", seen, result); !added) {
      return std::unexpected(added.error());
    }
  }
  return result;
}

}  // namespace convproof::campaign
