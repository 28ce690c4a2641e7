#include "ci/operations.h"

#include <cstdint>
#include <cstdio>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ci/inputs.h"
#include "ci/progress.h"
#include "ci/write_file.h"
#include "oracle/arbitrary_conv_op.h"
#include "oracle/check.h"
#include "oracle/draw.h"
#include "selector/registry/conv_subject.h"

namespace convproof::ci {

Generator convolution_generator(const Request& request) {
  return [options = oracle::GeneratorOptions{.size = request.size}](std::uint64_t seed) {
    oracle::SplitMixDraw draw(seed);
    FoundOp found;
    found.op = oracle::arbitrary_conv_op(draw, options);
    return found;
  };
}

void for_each_operation(const Request& request, Report& report, const Generator& generator,
                        const std::function<void(const FoundOp&, std::uint64_t seed)>& visit) {
  watch_interrupts();
  if (request.generate > 0) {
    Progress progress(report.command, request.generate);
    for (std::int64_t i = 0; i < request.generate && !report.interrupted; ++i) {
      const std::uint64_t seed = request.seed + static_cast<std::uint64_t>(i);
      FoundOp found = generator(seed);
      found.name = fmt::format("seed-{}", seed);
      visit(found, seed);
      progress.at(i + 1);
      report.interrupted = interrupted();
    }
    return;
  }
  Inputs inputs = read_inputs(request.files);
  report.errors = std::move(inputs.errors);
  Progress progress(report.command, static_cast<std::int64_t>(inputs.ops.size()));
  std::int64_t done = 0;
  for (const FoundOp& found : inputs.ops) {
    if (report.interrupted) return;
    visit(found, request.seed);
    progress.at(++done);
    report.interrupted = interrupted();
  }
}

OperationReport base_report(const FoundOp& found) {
  OperationReport operation{.name = found.name, .file = found.place.file, .line = found.place.line};
  if (found.op) operation.op = to_string(*found.op);
  return operation;
}

std::string title_of(const FoundOp& found) {
  if (found.place.file.empty()) return found.name;
  return fmt::format("{}:{} {}", found.place.file, found.place.line, found.name);
}

std::optional<Error> problem_of(const FoundOp& found) {
  if (!found.op) return found.op.error();
  if (const auto valid = validate(*found.op); !valid) return valid.error();
  return std::nullopt;
}

void add_error(const FoundOp& found, const Error& problem, Report& report) {
  report.errors.push_back({.place = title_of(found), .rule = to_string(problem)});
}

void add_invalid(const FoundOp& found, std::string detail, Report& report) {
  report.count(oracle::name_of(oracle::CheckClass::invalid));
  OperationReport operation = base_report(found);
  operation.value = oracle::name_of(oracle::CheckClass::invalid);
  operation.detail = std::move(detail);
  if (found.expectation && found.expectation->error) {
    ++report.expectations;
    ++report.expectations_met;
  } else {
    ++report.bad_operations;
  }
  report.operations.push_back(std::move(operation));
}

int print_operations(const Report& report, const Request& request,
                     nlohmann::ordered_json operations) {
  for (const Error& error : report.errors) fmt::print(stderr, "convproof: {}\n", to_string(error));
  if (request.format == "json") {
    const nlohmann::ordered_json document{{"version", 1},
                                          {"command", report.command},
                                          {"seed", report.seed},
                                          {"registry", report.registry},
                                          {"operations", std::move(operations)}};
    // Names come from input files and need not be UTF-8.
    fmt::print("{}\n", document.dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
  }
  return exit_status(report);
}

int print_report(const Report& report, const Request& request) {
  if (!request.report_file.empty()) {
    if (const auto written = write_file(request.report_file, to_json(report)); !written) {
      fmt::print(stderr, "convproof: {}\n", to_string(written.error()));
      return 3;
    }
  }
  const bool every_operation = request.generate == 0;
  const std::string text = request.format == "json"
                               ? to_json(report)
                               : to_text(report, every_operation, is_terminal_output());
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    fmt::print(stderr, "convproof: standard output: cannot be written\n");
    return 3;
  }
  return exit_status(report);
}

}  // namespace convproof::ci
