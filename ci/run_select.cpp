#include <array>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "ci/aten_operations.h"
#include "ci/commands.h"
#include "ci/operations.h"
#include "ci/report.h"
#include "oracle/check.h"
#include "selector/registry/conv_pass.h"
#include "selector/registry/conv_subject.h"
#include "selector/registry/matcher.h"

namespace convproof::ci {
namespace {

std::string_view name_of(Selection::Status status) {
  switch (status) {
    case Selection::Status::matched:
      return "matched";
    case Selection::Status::unmatched:
      return "unmatched";
    case Selection::Status::gated:
      return "gated";
    case Selection::Status::raised:
      return "raised";
  }
  return "";
}

void add_invalid(const FoundOp& found, const Error& problem, Report& report) {
  report.count("invalid");
  OperationReport operation = base_report(found);
  operation.value = "invalid";
  operation.detail = to_string(problem);
  if (!found.expectation || !found.expectation->error) ++report.bad_operations;
  report.operations.push_back(std::move(operation));
}

}  // namespace

int run_select(const Request& request) {
  const auto registry = open_registry(request);
  if (!registry) return 2;
  if (registry->policy == Policy::collect_all) return run_aten_select(request, *registry);
  auto matcher = Matcher::compile(*registry);
  if (!matcher) {
    fmt::print(stderr, "convproof: {}\n", to_string(matcher.error()));
    return 2;
  }
  PassStatistics statistics;
  ConvPass pass(std::move(*matcher), statistics, request.pglt);
  Report report{.command = "select", .registry = registry->name, .seed = request.seed};
  report.counts.emplace_back("matched", 0);
  for (const auto& entry : oracle::check_classes) report.counts.emplace_back(entry.name, 0);
  for_each_operation(request, report, convolution_generator(request),
                     [&](const FoundOp& found, std::uint64_t /*seed*/) {
                       if (const auto problem = problem_of(found))
                         return add_invalid(found, *problem, report);
                       ConvOp op = *found.op;
                       const PassResult result = pass.transform(op);
                       OperationReport operation = base_report(found);
                       operation.value = name_of(result.selection.status);
                       report.count(operation.value);
                       if (result.selection.status == Selection::Status::matched ||
                           result.selection.status == Selection::Status::raised) {
                         const Row& row = registry->rows[result.selection.row];
                         operation.row = row.id;
                         operation.kernel = row.kernel;
                       }
                       if (result.selection.status == Selection::Status::raised) {
                         operation.finding = true;
                         ++report.findings;
                         ++report.explained;
                         operation.detail = raise_text(*registry, result.selection);
                       }
                       if (result.lowering_error)
                         operation.detail = to_string(*result.lowering_error);
                       if (!result.debug_line.empty())
                         fmt::print(stderr, "{}\n", result.debug_line);
                       report.operations.push_back(std::move(operation));
                     });
  report.statistics = pass.epilogue();
  return print_report(report, request);
}

}  // namespace convproof::ci
