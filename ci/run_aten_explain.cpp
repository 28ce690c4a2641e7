#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ci/aten_operations.h"
#include "ci/clause_text.h"
#include "ci/operations.h"
#include "ci/report.h"
#include "oracle/aten_table_check.h"
#include "selector/registry/aten_selector.h"
#include "selector/registry/aten_subject.h"
#include "selector/rules/explain.h"
#include "selector/rules/reference.h"

namespace convproof::ci {
namespace {

// A row's clauses on the call as the rewrites leave it.
struct RowExplanation {
  const Row* row = nullptr;
  bool rewrite = false;
  PredicateOutcome outcome{};
  std::vector<ClauseExplanation> clauses{};
  std::vector<ClauseExplanation> append{};  // where the row matches
  std::size_t candidates = 0;
};

struct CallExplanation {
  AtenSelection selection{};
  std::vector<RowExplanation> rows{};
};

CallExplanation explain_call(const AtenCall& call, AtenSelector& selector,
                             const AtenBinding& binding) {
  const Registry& registry = selector.registry();
  CallExplanation explanation{.selection = selector.select(call), .rows = {}};
  std::vector<std::int64_t> record(registry.schema.record_size);
  fill_record(explanation.selection.call, binding, record);
  for (const RowList& list : registry.lists) {
    if (!list.enabled) continue;
    for (std::size_t index = list.first; index < list.first + list.count; ++index) {
      const Row& row = registry.rows[index];
      RowExplanation entry;
      entry.row = &row;
      entry.rewrite = list.policy == Policy::rewrite;
      entry.outcome = evaluate(row.predicate, registry.schema, record);
      entry.clauses = explain(row.predicate, registry.schema, record);
      if (entry.outcome.kind == PredicateOutcome::Kind::matched)
        entry.append = explain(row.append, registry.schema, record);
      for (const Candidate& candidate : explanation.selection.candidates)
        entry.candidates += candidate.row == index ? 1 : 0;
      explanation.rows.push_back(std::move(entry));
    }
  }
  return explanation;
}

std::string to_text(const FoundOp& found, const AtenCall& call, const CallExplanation& explanation,
                    const Registry& registry) {
  const AtenSelection& selection = explanation.selection;
  std::string text = fmt::format("{}\n  {}\n", title_of(found), to_string(call));
  for (const std::uint32_t rewrite : selection.rewrites)
    text += fmt::format("  rewritten by {}\n", registry.rows[rewrite].id);
  text += fmt::format("  to {}\n", to_string(selection.call));
  for (const RowExplanation& row : explanation.rows) {
    text += fmt::format("  {} {} {} ({}:{}) {}", row.rewrite ? "rewrite" : "row", row.row->number,
                        row.row->id, registry.file, row.row->line, name_of(row.outcome.kind));
    text += row.rewrite ? "\n" : fmt::format(", {} candidates\n", row.candidates);
    for (const ClauseExplanation& clause : row.clauses) text += clause_line(clause);
    for (const ClauseExplanation& clause : row.append) text += clause_line(clause);
  }
  for (const std::uint32_t result : selection.missing)
    text += fmt::format("  no candidate computes the {}\n", registry.results[result].name);
  return text + "\n";
}

nlohmann::ordered_json to_json(const FoundOp& found, const AtenCall& call,
                               const CallExplanation& explanation, const Registry& registry) {
  using nlohmann::ordered_json;
  ordered_json rewrites = ordered_json::array();
  for (const std::uint32_t rewrite : explanation.selection.rewrites)
    rewrites.push_back(registry.rows[rewrite].id);
  ordered_json rows = ordered_json::array();
  for (const RowExplanation& row : explanation.rows) {
    ordered_json clauses = ordered_json::array();
    for (const ClauseExplanation& clause : row.clauses) clauses.push_back(clause_json(clause));
    ordered_json append = ordered_json::array();
    for (const ClauseExplanation& clause : row.append) append.push_back(clause_json(clause));
    rows.push_back({{"row", row.row->id},
                    {"number", row.row->number},
                    {"line", row.row->line},
                    {"outcome", name_of(row.outcome.kind)},
                    {"candidates", row.candidates},
                    {"clauses", std::move(clauses)},
                    {"append", std::move(append)}});
  }
  return {{"name", found.name},
          {"file", found.place.file},
          {"line", found.place.line},
          {"call", to_string(call)},
          {"rewrites", std::move(rewrites)},
          {"rewritten", to_string(explanation.selection.call)},
          {"rows", std::move(rows)}};
}

}  // namespace

int run_aten_explain(const Request& request, const Registry& registry) {
  auto selector = AtenSelector::compile(registry);
  const auto binding = bind_aten(registry.schema);
  const auto settings = EnvironmentSettings::read(request);
  if (!selector || !binding || !settings) {
    fmt::print(stderr, "convproof: {}\n",
               !selector  ? to_string(selector.error())
               : !binding ? to_string(binding.error())
                          : to_string(settings.error()));
    return 2;
  }
  Report report{.command = "explain", .registry = registry.name, .seed = request.seed};
  nlohmann::ordered_json operations = nlohmann::ordered_json::array();
  for_each_operation(request, report, aten_generator(request, registry),
                     [&](const FoundOp& found, std::uint64_t /*seed*/) {
                       const auto call = call_of(found, *settings, registry);
                       if (!call) return add_error(found, call.error(), report);
                       const CallExplanation explanation = explain_call(*call, *selector, *binding);
                       if (request.format == "json") {
                         operations.push_back(to_json(found, *call, explanation, registry));
                       } else {
                         fmt::print("{}", to_text(found, *call, explanation, registry));
                       }
                     });
  return print_operations(report, request, std::move(operations));
}

}  // namespace convproof::ci
