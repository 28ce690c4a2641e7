#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ci/report.h"

namespace convproof::ci {
namespace {

std::string coloured(const OperationReport& operation, bool colour) {
  std::string padded = fmt::format("{:<10}", operation.value);
  if (!colour) return padded;
  const bool good = operation.value == "equal" || operation.value == "matched";
  const std::string_view code = operation.finding ? "31" : good ? "32" : "33";
  return fmt::format("\x1b[{}m{}\x1b[0m", code, padded);
}

std::string place_of(const OperationReport& operation) {
  if (operation.file.empty()) return operation.name;
  return fmt::format("{}:{} {}", operation.file, operation.line, operation.name);
}

std::string lines_of(const OperationReport& operation, bool colour) {
  std::string text = coloured(operation, colour) + " " + place_of(operation) + "\n";
  if (!operation.op.empty()) text += fmt::format("           {}\n", operation.op);
  if (!operation.row.empty())
    text += fmt::format("           row {} -> {}\n", operation.row, operation.kernel);
  if (!operation.detail.empty()) text += fmt::format("           {}\n", operation.detail);
  if (operation.golden) {
    text +=
        fmt::format("           golden values: {}\n", *operation.golden ? "equal" : "DIFFERENT");
  }
  if (!operation.unexpected.empty())
    text += fmt::format("           expected {}\n", operation.unexpected);
  return text;
}

// Findings that share class, row and explanation are one line with a count and one example.
std::string grouped_findings(const Report& report, bool colour) {
  struct Group {
    const OperationReport* example = nullptr;
    std::int64_t count = 0;
  };
  std::map<std::string, Group> groups;
  for (const OperationReport& operation : report.operations) {
    if (!operation.finding) continue;
    const std::string cause = !operation.clauses.empty()
                                  ? fmt::format("{}", fmt::join(operation.clauses, ", "))
                              : !operation.defect.empty() ? operation.defect
                                                          : operation.detail;
    Group& group = groups[fmt::format("{}\n{}\n{}", operation.row, operation.value, cause)];
    if (group.count++ == 0) group.example = &operation;
  }
  std::string text;
  for (const auto& [key, group] : groups) {
    text += fmt::format("{} times, for example\n{}", group.count, lines_of(*group.example, colour));
  }
  return text;
}

}  // namespace

std::string to_text(const Report& report, bool every_operation, bool colour) {
  std::string text;
  if (every_operation) {
    for (const OperationReport& operation : report.operations) text += lines_of(operation, colour);
  } else {
    text += grouped_findings(report, colour);
  }
  for (const Error& error : report.errors) text += fmt::format("error: {}\n", to_string(error));
  text += fmt::format("{} {}: {} operations", report.command, report.registry, report.total);
  for (const auto& [value, count] : report.counts) {
    if (count > 0) text += fmt::format(", {} {}", count, value);
  }
  if (report.findings > 0)
    text += fmt::format("; {} findings, {} explained", report.findings, report.explained);
  if (report.golden_checked > 0) {
    text += fmt::format("; golden values equal in {} of {}", report.golden_equal,
                        report.golden_checked);
  }
  if (report.expectations > 0) {
    text +=
        fmt::format("; expectations met in {} of {}", report.expectations_met, report.expectations);
  }
  if (!report.errors.empty()) text += fmt::format("; {} errors", report.errors.size());
  text += fmt::format("; seed {}\n", report.seed);
  for (const std::string& line : report.statistics) text += line + "\n";
  if (report.interrupted) text += "interrupted: what stands above was finished before\n";
  return text;
}

}  // namespace convproof::ci
