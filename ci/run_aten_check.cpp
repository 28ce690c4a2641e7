#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ci/aten_operations.h"
#include "ci/aten_special_check.h"
#include "ci/operations.h"
#include "ci/report.h"
#include "oracle/aten_check.h"
#include "oracle/aten_table_check.h"
#include "oracle/check.h"

namespace convproof::ci {
namespace {

constexpr std::string_view missing_class = "missing";  // a requested result that nothing computes

std::string detail_of(const SpecialVerdict& special) {
  const oracle::AtenVerdict& verdict = special.verdict;
  if (verdict.value != oracle::CheckClass::different) return to_string(verdict);
  return fmt::format(
      "NaN in {} elements that have none by definition, the first is {}; element {} of the {}, as "
      "stored, is infinite",
      verdict.differences, first_difference(verdict), special.place,
      special.in_gradient ? "result's gradient" : "weight");
}

// Judges calls one by one, every candidate of each, and adds what is to be told to the report.
class AtenCheckRun {
 public:
  // `special`, where given, judges the candidates instead of the checker.
  AtenCheckRun(oracle::AtenTableChecker& checker, AtenSpecialChecker* special,
               const EnvironmentSettings& settings, Report& report, bool keep_all)
      : checker_(checker),
        special_(special),
        settings_(settings),
        report_(report),
        keep_all_(keep_all) {}

  void visit(const FoundOp& found, std::uint64_t seed) {
    if (!is_for(found, checker_.registry())) return add_gated(found);
    const auto call = call_of(found, settings_, checker_.registry());
    if (!call) return add_invalid(found, to_string(call.error()), report_);
    const oracle::AtenTableVerdict& verdict = judge(*call, seed);
    ++report_.total;
    const std::size_t first = report_.operations.size();
    add_findings(found, *call, verdict);
    // A case states what comes of data that is finite.
    if (found.expectation && special_ == nullptr) check_expectation(found, first);
  }

 private:
  const oracle::AtenTableVerdict& judge(const AtenCall& call, std::uint64_t seed) {
    if (special_ == nullptr) return checker_.check(call, seed);
    checker_.selector().select(call, special_verdict_.selection);
    special_verdicts_.clear();
    special_verdict_.verdicts.clear();
    for (const Candidate& candidate : special_verdict_.selection.candidates) {
      special_verdicts_.push_back(special_->check(special_verdict_.selection, candidate, seed));
      special_verdict_.verdicts.push_back(special_verdicts_.back().verdict);
    }
    return special_verdict_;
  }

  void add_findings(const FoundOp& found, const AtenCall& call,
                    const oracle::AtenTableVerdict& verdict) {
    const AtenSelection& selection = verdict.selection;
    if (selection.raised) {
      const Row& row = checker_.registry().rows[selection.raised->row];
      OperationReport operation = base(found, call);
      operation.value = oracle::name_of(oracle::CheckClass::raised);
      operation.row = row.id;
      report_.add_to(operation.value);
      operation.detail = fmt::format("clause {} raises: {}", selection.raised->clause + 1,
                                     message_of(selection.raised->cause));
      return add_finding(std::move(operation), true);
    }
    for (const std::uint32_t result : selection.missing) {
      OperationReport operation = base(found, call);
      operation.value = missing_class;
      report_.add_to(operation.value);
      operation.detail = fmt::format("no candidate computes the {}: the compile aborts",
                                     checker_.registry().results[result].name);
      add_finding(std::move(operation), true);
    }
    add_candidates(found, call, verdict);
  }

  // What a case states of a table holds of the call as a whole: `equal` that no candidate is a
  // finding, any other class that one is of it, and of the row where that is stated too. A finding
  // that is stated is none.
  void check_expectation(const FoundOp& found, std::size_t first) {
    ++report_.expectations;
    const auto table = found.expectation->tables.find(report_.registry);
    if (found.expectation->error) {
      OperationReport operation = base_report(found);
      operation.value = "valid";
      operation.unexpected = fmt::format("an error: {}", *found.expectation->error);
      report_.operations.push_back(std::move(operation));
      return;
    }
    if (table == found.expectation->tables.end() || !table->second.value) {
      ++report_.expectations_met;
      return;
    }
    const ExpectedOutcome& stated = table->second;
    bool met = *stated.value == oracle::name_of(oracle::CheckClass::equal);
    for (std::size_t i = first; i < report_.operations.size(); ++i) {
      OperationReport& operation = report_.operations[i];
      if (!operation.finding) continue;
      if (operation.value != *stated.value || (stated.row && *stated.row != operation.row)) {
        met = met && *stated.value != oracle::name_of(oracle::CheckClass::equal);
        continue;
      }
      met = true;
      operation.finding = false;
      --report_.findings;
      if (operation.value == missing_class || !operation.clauses.empty()) --report_.explained;
    }
    if (met) {
      ++report_.expectations_met;
      return;
    }
    OperationReport operation = base_report(found);
    operation.value = "unmet";
    operation.unexpected =
        stated.row ? fmt::format("{} in row {}", *stated.value, *stated.row) : *stated.value;
    report_.operations.push_back(std::move(operation));
  }

  static OperationReport base(const FoundOp& found, const AtenCall& call) {
    OperationReport operation = base_report(found);
    operation.op = to_string(call);
    return operation;
  }

  // Candidates of one row that came to the same for the same reason are told once, by the first.
  void add_candidates(const FoundOp& found, const AtenCall& call,
                      const oracle::AtenTableVerdict& verdict) {
    const AtenSelection& selection = verdict.selection;
    groups_.clear();
    for (std::size_t i = 0; i < selection.candidates.size(); ++i) {
      const oracle::AtenVerdict& found_here = verdict.verdicts[i];
      report_.add_to(oracle::name_of(found_here.value));
      const bool wrong = oracle::is_finding(found_here.value);
      if (!wrong && !keep_all_) continue;
      const Candidate& candidate = selection.candidates[i];
      Group group{.candidate = i, .count = 1, .broken = {}};
      if (wrong) group.broken = checker_.broken_clauses(selection, candidate);
      const auto same = std::ranges::find_if(groups_, [&](const Group& other) {
        return selection.candidates[other.candidate].row == candidate.row &&
               verdict.verdicts[other.candidate].value == found_here.value &&
               other.broken == group.broken;
      });
      if (same == groups_.end()) {
        groups_.push_back(std::move(group));
      } else {
        ++same->count;
      }
    }
    for (const Group& group : groups_) add_group(found, call, verdict, group);
  }

  struct Group {
    std::size_t candidate = 0;  // the first
    std::size_t count = 0;
    std::vector<std::size_t> broken{};
  };

  void add_group(const FoundOp& found, const AtenCall& call,
                 const oracle::AtenTableVerdict& verdict, const Group& group) {
    const Registry& registry = checker_.registry();
    const Candidate& candidate = verdict.selection.candidates[group.candidate];
    const oracle::AtenVerdict& shown = verdict.verdicts[group.candidate];
    const Row& row = registry.rows[candidate.row];
    OperationReport operation = base(found, call);
    operation.value = oracle::name_of(shown.value);
    operation.row = row.id;
    operation.kernel = row.kernel;
    if (group.count > 1) operation.kernel += fmt::format(", {} tunings as", group.count);
    if (const std::string parameters = oracle::parameters_text(registry, candidate);
        !parameters.empty()) {
      operation.kernel += " " + parameters;
    }
    operation.detail =
        special_ == nullptr ? to_string(shown) : detail_of(special_verdicts_[group.candidate]);
    const KernelInfo& kernel = registry.kernels.kernels[*registry.kernels.find(row.kernel)];
    for (const std::size_t clause : group.broken) {
      operation.clauses.push_back(fmt::format("{}: {}", kernel.contract[clause].id,
                                              to_string(kernel.contract[clause].clause)));
    }
    if (!operation.clauses.empty()) {
      operation.detail +=
          fmt::format("{}breaks the contract, {}", operation.detail.empty() ? "" : "; ",
                      fmt::join(operation.clauses, ", "));
    }
    if (oracle::is_finding(shown.value)) {
      const bool explained = !operation.clauses.empty();
      add_finding(std::move(operation), explained);
    } else {
      report_.operations.push_back(std::move(operation));
    }
  }

  void add_finding(OperationReport operation, bool explained) {
    operation.finding = true;
    ++report_.findings;
    report_.explained += explained ? 1 : 0;
    report_.operations.push_back(std::move(operation));
  }

  void add_gated(const FoundOp& found) {
    report_.count(oracle::name_of(oracle::CheckClass::gated));
    if (!keep_all_) return;
    OperationReport operation = base_report(found);
    if (found.aten) operation.op = to_string(*found.aten);
    operation.value = oracle::name_of(oracle::CheckClass::gated);
    operation.detail =
        fmt::format("no call for a table of the schema {}", checker_.registry().schema.name);
    report_.operations.push_back(std::move(operation));
  }

  oracle::AtenTableChecker& checker_;
  AtenSpecialChecker* special_;
  const EnvironmentSettings& settings_;
  Report& report_;
  bool keep_all_;
  std::vector<Group> groups_{};
  oracle::AtenTableVerdict special_verdict_{};
  std::vector<SpecialVerdict> special_verdicts_{};  // of its candidates
};

}  // namespace

int run_aten_check(const Request& request, const Registry& registry) {
  const oracle::AtenCheckOptions options{.max_work = request.max_work};
  auto checker = oracle::AtenTableChecker::create(registry, options);
  const auto settings = EnvironmentSettings::read(request);
  if (!checker || !settings) {
    fmt::print(stderr, "convproof: {}\n",
               checker ? to_string(settings.error()) : to_string(checker.error()));
    return 2;
  }
  Report report;
  report.command = "check";
  report.registry = registry.name;
  report.seed = request.seed;
  report.explained_ok = request.explained_ok;
  report.counts.emplace_back(missing_class, 0);
  for (const auto& entry : oracle::check_classes) report.counts.emplace_back(entry.name, 0);
  std::optional<AtenSpecialChecker> special;
  if (request.values == "special") special.emplace(*checker, options);
  AtenCheckRun run(
      *checker, special ? &*special : nullptr, *settings, report,
      request.generate == 0 || request.format == "json" || !request.report_file.empty());
  for_each_operation(request, report, aten_generator(request, registry),
                     [&](const FoundOp& found, std::uint64_t seed) { run.visit(found, seed); });
  return print_report(report, request);
}

}  // namespace convproof::ci
