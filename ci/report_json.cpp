#include <string>

#include <nlohmann/json.hpp>

#include "ci/report.h"

namespace convproof::ci {

std::string to_json(const Report& report) {
  using nlohmann::ordered_json;
  ordered_json summary{{"operations", report.total}};
  for (const auto& [value, count] : report.counts) summary[value] = count;
  summary["findings"] = report.findings;
  summary["explained"] = report.explained;
  summary["golden"] = {{"checked", report.golden_checked}, {"equal", report.golden_equal}};
  summary["expectations"] = {{"checked", report.expectations}, {"met", report.expectations_met}};

  ordered_json operations = ordered_json::array();
  for (const OperationReport& operation : report.operations) {
    ordered_json entry{{"name", operation.name},     {"file", operation.file},
                       {"line", operation.line},     {"op", operation.op},
                       {"class", operation.value},   {"row", operation.row},
                       {"kernel", operation.kernel}, {"detail", operation.detail}};
    if (!operation.clauses.empty()) entry["clauses"] = operation.clauses;
    if (!operation.defect.empty()) entry["defect"] = operation.defect;
    if (operation.golden) entry["golden"] = *operation.golden ? "equal" : "different";
    if (!operation.unexpected.empty()) entry["expected"] = operation.unexpected;
    operations.push_back(std::move(entry));
  }
  ordered_json errors = ordered_json::array();
  for (const Error& error : report.errors) {
    errors.push_back({{"place", error.place}, {"value", error.value}, {"rule", error.rule}});
  }
  ordered_json document{{"version", 1},
                        {"command", report.command},
                        {"seed", report.seed},
                        {"registry", report.registry},
                        {"summary", std::move(summary)},
                        {"operations", std::move(operations)},
                        {"errors", std::move(errors)}};
  if (!report.statistics.empty()) document["statistics"] = report.statistics;
  if (report.interrupted) document["interrupted"] = true;
  // Names come from input files and need not be UTF-8.
  return document.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace convproof::ci
