#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "ci/aten_operations.h"
#include "ci/commands.h"
#include "ci/operations.h"
#include "ci/report.h"
#include "oracle/check.h"
#include "oracle/compare.h"
#include "selector/frontends/document.h"
#include "selector/op/error.h"

namespace convproof::ci {
namespace {

// Judges operations one by one and adds them to the report.
class CheckRun {
 public:
  CheckRun(oracle::Checker& checker, Report& report, bool keep_all)
      : checker_(checker), report_(report), keep_all_(keep_all) {}

  void visit(const FoundOp& found, std::uint64_t seed) {
    if (!found.op && found.aten) {
      add_gated(found, to_string(found.op.error()));
      return;
    }
    if (!found.op) {
      add_invalid(found, to_string(found.op.error()), report_);
      return;
    }
    const oracle::Verdict verdict = checker_.check(*found.op, seed);
    if (verdict.value == oracle::CheckClass::invalid) {
      const std::string reason = checker_.describe(*found.op, verdict, seed).detail;
      if (found.aten) {
        add_gated(found, reason);
      } else {
        add_invalid(found, reason, report_);
      }
      return;
    }
    report_.count(oracle::name_of(verdict.value));
    const bool wrong = oracle::is_finding(verdict.value);
    const bool plain = !wrong && !found.golden && !found.expectation &&
                       verdict.value != oracle::CheckClass::skipped;
    if (plain && !keep_all_) return;

    OperationReport operation = base_report(found);
    operation.value = oracle::name_of(verdict.value);
    operation.finding = wrong;
    if (verdict.row) {
      const Row& row = checker_.registry().rows[*verdict.row];
      operation.row = row.id;
      operation.kernel = row.kernel;
    }
    oracle::Explanation explanation = checker_.describe(*found.op, verdict, seed);
    operation.detail = std::move(explanation.detail);
    operation.clauses = std::move(explanation.clauses);
    operation.defect = std::move(explanation.defect);
    if (!found.note.empty())
      operation.detail += (operation.detail.empty() ? "" : "; ") + found.note;
    if (found.golden) check_golden(found, operation);
    if (found.expectation) check_expectation(found, operation);
    if (operation.finding) {
      ++report_.findings;
      const bool explained =
          !operation.clauses.empty() || !operation.defect.empty() || operation.value == "raised";
      report_.explained += explained ? 1 : 0;
    }
    report_.operations.push_back(std::move(operation));
  }

 private:
  // A call of aten that no general convolution expresses is for other tables.
  void add_gated(const FoundOp& found, const std::string& reason) {
    report_.count(oracle::name_of(oracle::CheckClass::gated));
    if (found.expectation && found.expectation->error) {
      ++report_.expectations;
      ++report_.expectations_met;
    }
    if (!keep_all_) return;
    OperationReport operation = base_report(found);
    operation.value = oracle::name_of(oracle::CheckClass::gated);
    operation.op = to_string(*found.aten);
    operation.detail = fmt::format("no general convolution: {}", reason);
    report_.operations.push_back(std::move(operation));
  }

  void check_golden(const FoundOp& found, OperationReport& operation) {
    const Golden& golden = *found.golden;
    const auto difference =
        oracle::compare_rounded(*found.op, {golden.image.elements, golden.image.shape},
                                {golden.kernel.elements, golden.kernel.shape},
                                {golden.expected.elements, golden.expected.shape},
                                oracle::rounded_bound(*found.op), golden.bias);
    ++report_.golden_checked;
    operation.golden = !difference;
    if (!difference) {
      ++report_.golden_equal;
    } else {
      operation.detail += fmt::format("{}golden values: {}", operation.detail.empty() ? "" : "; ",
                                      to_string(*difference));
    }
  }

  void check_expectation(const FoundOp& found, OperationReport& operation) {
    const Expectation& expected = *found.expectation;
    ++report_.expectations;
    const auto table = expected.tables.find(report_.registry);
    if (expected.error) {
      operation.unexpected = fmt::format("an error: {}", *expected.error);
    } else if (expected.out_shape && *expected.out_shape != found.op->res_shape) {
      ConvOp other = *found.op;
      other.res_shape = *expected.out_shape;
      operation.unexpected = to_string(other);
    } else if (table != expected.tables.end()) {
      check_outcome(table->second, operation);
    }
    if (operation.unexpected.empty()) ++report_.expectations_met;
  }

  // A defect that the case states is no finding. What was skipped contradicts no stated class.
  static void check_outcome(const ExpectedOutcome& stated, OperationReport& operation) {
    const bool skipped = operation.value == oracle::name_of(oracle::CheckClass::skipped);
    if (stated.row && *stated.row != operation.row) {
      operation.unexpected = stated.row->empty() ? "no row" : fmt::format("row {}", *stated.row);
    } else if (stated.value && *stated.value != operation.value && !skipped) {
      operation.unexpected = *stated.value;
    } else if (stated.value) {
      operation.finding = false;
    }
  }

  oracle::Checker& checker_;
  Report& report_;
  bool keep_all_;
};

}  // namespace

int run_check(const Request& request) {
  const auto registry = open_registry(request);
  if (!registry) return 2;
  if (registry->policy == Policy::collect_all) return run_aten_check(request, *registry);
  if (request.values != "field") {
    const Error error{"--values", request.values,
                      fmt::format("is for tables about calls of aten, and {} is about convolutions",
                                  registry->name)};
    fmt::print(stderr, "convproof: {}\n", to_string(error));
    return 2;
  }
  auto checker =
      oracle::Checker::create(*registry, {.max_work = request.max_work, .kernel = request.kernel});
  if (!checker) {
    fmt::print(stderr, "convproof: {}\n", to_string(checker.error()));
    return 2;
  }
  Report report{.command = "check",
                .registry = registry->name,
                .seed = request.seed,
                .explained_ok = request.explained_ok};
  for (const auto& entry : oracle::check_classes) report.counts.emplace_back(entry.name, 0);
  CheckRun run(*checker, report,
               request.generate == 0 || request.format == "json" || !request.report_file.empty());
  for_each_operation(request, report, convolution_generator(request),
                     [&](const FoundOp& found, std::uint64_t seed) { run.visit(found, seed); });
  return print_report(report, request);
}

}  // namespace convproof::ci
