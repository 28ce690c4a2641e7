#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ci/aten_operations.h"
#include "ci/clause_text.h"
#include "ci/commands.h"
#include "ci/operations.h"
#include "ci/report.h"
#include "selector/registry/conv_subject.h"
#include "selector/registry/matcher.h"
#include "selector/rules/explain.h"

namespace convproof::ci {
namespace {

// Everything that one operation's explanation shows.
struct RowExplanation {
  const Row* row = nullptr;
  bool enabled = true;
  PredicateOutcome outcome{};
  std::vector<ClauseExplanation> clauses{};
};

struct OperationExplanation {
  const FoundOp* found = nullptr;
  Selection selection{};
  std::vector<RowExplanation> rows{};
  std::vector<ClauseExplanation> contract{};  // of the winning row's kernel, one entry per clause
};

OperationExplanation explain_operation(const FoundOp& found, Matcher& matcher,
                                       const ConvBinding& binding) {
  const Registry& registry = matcher.registry();
  const ConvOp& op = *found.op;
  OperationExplanation explanation{.found = &found, .selection = matcher.select(op)};
  std::vector<std::int64_t> record(registry.schema.record_size);
  fill_record(op, binding, record);
  if (explanation.selection.status == Selection::Status::gated) return explanation;
  std::vector<PredicateOutcome> outcomes;
  matcher.outcomes(op, outcomes);
  for (const RowList& list : registry.lists) {
    for (std::size_t row = list.first; row < list.first + list.count; ++row) {
      explanation.rows.push_back(
          {.row = &registry.rows[row],
           .enabled = list.enabled,
           .outcome = outcomes[row],
           .clauses = explain(registry.rows[row].predicate, registry.schema, record)});
    }
  }
  if (explanation.selection.status == Selection::Status::matched) {
    const std::size_t kernel =
        *registry.kernels.find(registry.rows[explanation.selection.row].kernel);
    for (const ContractClause& clause : registry.kernels.kernels[kernel].contract) {
      const Predicate alone{.clauses = {clause.clause}};
      explanation.contract.push_back(explain(alone, registry.schema, record).front());
    }
  }
  return explanation;
}

std::string to_text(const OperationExplanation& explanation, const Registry& registry) {
  const FoundOp& found = *explanation.found;
  std::string text = title_of(found);
  text += fmt::format("\n  {}\n", to_string(*found.op));
  const Row& winner = registry.rows[explanation.selection.row];  // where a row matched
  switch (explanation.selection.status) {
    case Selection::Status::gated:
      return text + fmt::format("  the pass does not look at it: gate {}\n\n",
                                to_string(registry.gate.clauses.front()));
    case Selection::Status::unmatched:
      text += "  no row takes it\n";
      break;
    case Selection::Status::raised:
      text +=
          fmt::format("  the compile aborts: {}\n", raise_text(registry, explanation.selection));
      break;
    case Selection::Status::matched:
      text += fmt::format("  taken by row {}, kernel {}\n", winner.id, winner.kernel);
      break;
  }
  for (const RowExplanation& row : explanation.rows) {
    text += fmt::format("  row {} {} ({}:{}) {}{}\n", row.row->number, row.row->id, registry.file,
                        row.row->line, name_of(row.outcome.kind),
                        row.enabled ? "" : ", but its list is off");
    for (const ClauseExplanation& clause : row.clauses) text += clause_line(clause);
  }
  if (!explanation.contract.empty()) {
    text += fmt::format("  contract of {}\n", winner.kernel);
    for (const ClauseExplanation& clause : explanation.contract) text += clause_line(clause);
  }
  return text + "\n";
}

nlohmann::ordered_json to_json(const OperationExplanation& explanation, const Registry& registry) {
  using nlohmann::ordered_json;
  const FoundOp& found = *explanation.found;
  ordered_json rows = ordered_json::array();
  for (const RowExplanation& row : explanation.rows) {
    ordered_json clauses = ordered_json::array();
    for (const ClauseExplanation& clause : row.clauses) clauses.push_back(clause_json(clause));
    rows.push_back({{"row", row.row->id},
                    {"number", row.row->number},
                    {"line", row.row->line},
                    {"enabled", row.enabled},
                    {"outcome", name_of(row.outcome.kind)},
                    {"clauses", std::move(clauses)}});
  }
  ordered_json contract = ordered_json::array();
  for (const ClauseExplanation& clause : explanation.contract)
    contract.push_back(clause_json(clause));
  const bool has_row = explanation.selection.status == Selection::Status::matched ||
                       explanation.selection.status == Selection::Status::raised;
  return {{"name", found.name},
          {"file", found.place.file},
          {"line", found.place.line},
          {"op", to_string(*found.op)},
          {"row", has_row ? registry.rows[explanation.selection.row].id : ""},
          {"rows", std::move(rows)},
          {"contract", std::move(contract)}};
}

}  // namespace

int run_explain(const Request& request) {
  const auto registry = open_registry(request);
  if (!registry) return 2;
  if (registry->policy == Policy::collect_all) return run_aten_explain(request, *registry);
  auto matcher = Matcher::compile(*registry);
  const auto binding = bind_convolution(registry->schema);
  if (!matcher || !binding) {
    fmt::print(stderr, "convproof: {}\n", to_string(matcher ? binding.error() : matcher.error()));
    return 2;
  }
  Report report{.command = "explain", .registry = registry->name, .seed = request.seed};
  nlohmann::ordered_json operations = nlohmann::ordered_json::array();
  for_each_operation(request, report, convolution_generator(request),
                     [&](const FoundOp& found, std::uint64_t /*seed*/) {
                       if (const auto problem = problem_of(found))
                         return add_error(found, *problem, report);
                       const OperationExplanation explanation =
                           explain_operation(found, *matcher, *binding);
                       if (request.format == "json") {
                         operations.push_back(to_json(explanation, *registry));
                       } else {
                         fmt::print("{}", to_text(explanation, *registry));
                       }
                     });
  return print_operations(report, request, std::move(operations));
}

}  // namespace convproof::ci
