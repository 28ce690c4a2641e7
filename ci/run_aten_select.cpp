#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ci/aten_operations.h"
#include "ci/operations.h"
#include "ci/report.h"
#include "oracle/aten_table_check.h"
#include "selector/registry/aten_rewrites.h"
#include "selector/registry/aten_selector.h"

namespace convproof::ci {
namespace {

std::string rewrite_line(const Row& row) {
  if (row.action.empty()) return fmt::format("  exit {} -> {} alone\n", row.id, row.kernel);
  const AtenRewrite* action = find_aten_rewrite(row.action);
  return fmt::format("  rewrite {} ({}): {}\n", row.id, row.action,
                     action == nullptr ? "" : action->result);
}

std::string to_text(const FoundOp& found, const AtenCall& call, const AtenSelection& selection,
                    const Registry& registry) {
  std::string text = fmt::format("{}\n  {}\n", title_of(found), to_string(call));
  for (const std::uint32_t rewrite : selection.rewrites)
    text += rewrite_line(registry.rows[rewrite]);
  if (selection.raised) {
    const Row& row = registry.rows[selection.raised->row];
    return text + fmt::format("  the compile aborts: row {}, clause {} raises: {}\n", row.id,
                              selection.raised->clause + 1, message_of(selection.raised->cause));
  }
  if (selection.call != call && !selection.exit_row)
    text += fmt::format("  candidates for {}\n", to_string(selection.call));
  for (const Candidate& candidate : selection.candidates) {
    if (selection.exit_row) break;
    const Row& row = registry.rows[candidate.row];
    text += fmt::format("  {:<16} {:<28} {}\n", row.id, row.kernel,
                        oracle::parameters_text(registry, candidate));
  }
  for (const std::uint32_t result : selection.missing) {
    text += fmt::format("  no candidate computes the {}: the compile aborts\n",
                        registry.results[result].name);
  }
  return text;
}

nlohmann::ordered_json to_json(const FoundOp& found, const AtenCall& call,
                               const AtenSelection& selection, const Registry& registry) {
  using nlohmann::ordered_json;
  ordered_json rewrites = ordered_json::array();
  for (const std::uint32_t rewrite : selection.rewrites)
    rewrites.push_back(registry.rows[rewrite].id);
  ordered_json candidates = ordered_json::array();
  for (const Candidate& candidate : selection.candidates) {
    const Row& row = registry.rows[candidate.row];
    ordered_json entry{{"row", row.id}, {"kernel", row.kernel}};
    if (row.configuration_index) {
      const auto& names = registry.configurations[*row.configuration_index].parameters;
      ordered_json parameters = ordered_json::object();
      for (std::size_t i = 0; i < names.size(); ++i) parameters[names[i]] = candidate.values[i];
      entry["parameters"] = std::move(parameters);
    }
    candidates.push_back(std::move(entry));
  }
  ordered_json missing = ordered_json::array();
  for (const std::uint32_t result : selection.missing)
    missing.push_back(registry.results[result].name);
  return {{"name", found.name},
          {"file", found.place.file},
          {"line", found.place.line},
          {"call", to_string(call)},
          {"rewrites", std::move(rewrites)},
          {"candidates", std::move(candidates)},
          {"missing", std::move(missing)},
          {"raised", selection.raised ? registry.rows[selection.raised->row].id : ""}};
}

}  // namespace

int run_aten_select(const Request& request, const Registry& registry) {
  auto selector = AtenSelector::compile(registry);
  const auto settings = EnvironmentSettings::read(request);
  if (!selector || !settings) {
    fmt::print(stderr, "convproof: {}\n",
               selector ? to_string(settings.error()) : to_string(selector.error()));
    return 2;
  }
  Report report{.command = "select", .registry = registry.name, .seed = request.seed};
  nlohmann::ordered_json operations = nlohmann::ordered_json::array();
  AtenSelection selection;
  for_each_operation(request, report, aten_generator(request, registry),
                     [&](const FoundOp& found, std::uint64_t /*seed*/) {
                       const auto call = call_of(found, *settings, registry);
                       if (!call) return add_error(found, call.error(), report);
                       selector->select(*call, selection);
                       if (selection.raised || !selection.missing.empty()) ++report.findings;
                       if (request.format == "json") {
                         operations.push_back(to_json(found, *call, selection, registry));
                       } else {
                         fmt::print("{}", to_text(found, *call, selection, registry));
                       }
                     });
  return print_operations(report, request, std::move(operations));
}

}  // namespace convproof::ci
