#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ci/commands.h"
#include "ci/inputs.h"
#include "ci/prove_options.h"
#include "ci/prove_request.h"
#include "selector/registry/conv_subject.h"
#include "selector/registry/matcher.h"
#include "selector/rules/explain.h"

namespace convproof::ci {
namespace {

// The clause that stops the row, with the values it read.
std::string stopping_clause(const Row& row, const Registry& registry, const ConvOp& op) {
  std::vector<std::int64_t> record(registry.schema.record_size, 0);
  const auto binding = bind_convolution(registry.schema);
  if (!binding) return to_string(binding.error());
  fill_record(op, *binding, record);
  const auto clauses = explain(row.predicate, registry.schema, record);
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    const ClauseExplanation& clause = clauses[i];
    if (clause.kind == ClauseExplanation::Kind::fails) {
      return fmt::format("clause {} `{}` is false: {}", i + 1, clause.text, clause.substituted);
    }
    if (clause.kind == ClauseExplanation::Kind::raises) {
      return fmt::format("clause {} `{}` raises: {}", i + 1, clause.text, clause.message);
    }
  }
  return "every clause holds";
}

std::string answer(const Registry& registry, std::size_t index, Matcher& matcher,
                   const ConvOp& op) {
  if (const auto valid = validate(op); !valid) {
    return fmt::format("  it is no well-formed convolution: {}\n", to_string(valid.error()));
  }
  const Row& row = registry.rows[index];
  std::vector<PredicateOutcome> outcomes;
  matcher.outcomes(op, outcomes);
  const Selection selection = matcher.select(op);
  std::string text;
  if (selection.status == Selection::Status::gated) {
    text +=
        fmt::format("  the pass does not look at it: gate `{}`\n",
                    registry.gate.clauses.empty() ? "" : to_string(registry.gate.clauses.front()));
  }
  const bool matches = outcomes[index].kind == PredicateOutcome::Kind::matched;
  text += fmt::format("  {}\n", stopping_clause(row, registry, op));
  for (const RowList& list : registry.lists) {
    if (!list.enabled && index >= list.first && index < list.first + list.count) {
      text += fmt::format("  its list `{}` is off: --set {}=true\n", list.name, list.when);
    }
  }
  if (selection.status == Selection::Status::matched && selection.row == index) {
    text += "  it does take it\n";
  } else if (selection.status == Selection::Status::matched) {
    text += fmt::format("  row {} ({}) takes it{}\n", registry.rows[selection.row].id,
                        registry.rows[selection.row].kernel,
                        matches && selection.row < index ? ", since it stands earlier" : "");
  } else if (selection.status == Selection::Status::raised) {
    text += fmt::format("  the compile aborts: {}\n", raise_text(registry, selection));
  } else if (selection.status == Selection::Status::unmatched) {
    text += "  no row takes it\n";
  }
  const auto kernel = registry.kernels.find(row.kernel);
  if (!kernel) return text;
  std::vector<std::size_t> broken;
  matcher.broken_clauses(*kernel, op, broken);
  for (const std::size_t clause : broken) {
    const ContractClause& contract = registry.kernels.kernels[*kernel].contract[clause];
    text += fmt::format("  its kernel's contract does not allow it: {} `{}`\n", contract.id,
                        to_string(contract.clause));
  }
  if (broken.empty()) text += "  its kernel's contract allows it\n";
  return text;
}

}  // namespace

int run_why_not(const ProveRequest& request) {
  Request opened{.settings = request.settings};
  if (!request.registries.empty()) opened.registry = request.registries.front();
  const auto registry = open_registry(opened);
  if (!registry) return 2;
  const Row* const row = registry->find_row(request.row);
  if (row == nullptr) {
    fmt::print(stderr, "convproof: row = {}: is no row of {}\n", request.row, registry->name);
    return 2;
  }
  auto matcher = Matcher::compile(*registry);
  if (!matcher) {
    fmt::print(stderr, "convproof: {}\n", to_string(matcher.error()));
    return 2;
  }
  const Inputs inputs = read_inputs({request.file});
  for (const Error& error : inputs.errors) fmt::print(stderr, "convproof: {}\n", to_string(error));
  const auto index = static_cast<std::size_t>(row - registry->rows.data());
  std::string text;
  bool bad = !inputs.errors.empty() || inputs.ops.empty();
  for (const FoundOp& found : inputs.ops) {
    text += fmt::format("{}\n", found.name);
    if (!found.op) {
      bad = true;
      text += fmt::format("  {}\n", to_string(found.op.error()));
      continue;
    }
    text += fmt::format("  {}\n{}", to_string(*found.op),
                        answer(*registry, index, *matcher, *found.op));
  }
  return print_result(text, bad ? 2 : 0);
}

}  // namespace convproof::ci
