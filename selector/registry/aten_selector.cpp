#include "selector/registry/aten_selector.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "selector/kernels/inductor/operand_layout.h"
#include "selector/rules/nearest_name.h"

namespace convproof {
namespace {

// Each rewrite makes a call more normal: more than these in a row do not end.
constexpr int max_rewrites = 16;

}  // namespace

std::expected<AtenSelector, LocatedError> AtenSelector::compile(const Registry& registry) {
  auto collector = Collector::compile(registry);
  if (!collector) return std::unexpected(std::move(collector.error()));
  auto binding = bind_aten(registry.schema, collector->attributes_read());
  if (!binding) return std::unexpected(std::move(binding.error()));
  AtenSelector selector(std::move(*collector), std::move(*binding));
  for (const Row& row : registry.rows) {
    const AtenRewrite* action = find_aten_rewrite(row.action);
    if (!row.action.empty() && action == nullptr) {
      std::vector<std::string> known;
      for (const AtenRewrite& rewrite : aten_rewrites()) known.emplace_back(rewrite.name);
      return std::unexpected(LocatedError{
          .error = {.place = fmt::format("{}:{}: row {}", registry.file, row.line, row.id),
                    .value = row.action,
                    .rule = fmt::format("is no action{}; known are {}",
                                        did_you_mean(row.action, known), fmt::join(known, ", "))}});
    }
    selector.actions_.push_back(action);
  }
  return selector;
}

void AtenSelector::select(const AtenCall& call, AtenSelection& into) {
  into.rewrites.clear();
  into.call = call;
  into.exit_row.reset();
  into.candidates.clear();
  into.raised.reset();
  into.missing.clear();
  for (int step = 0; step < max_rewrites; ++step) {
    fill_record(into.call, binding_, collector_.record());
    const TableOutcome rewrite = collector_.rewrite();
    if (rewrite.kind == TableOutcome::Kind::none) break;
    if (rewrite.kind == TableOutcome::Kind::raised) {
      into.raised = RaisedRow{rewrite.row, rewrite.clause, rewrite.cause};
      return;
    }
    into.rewrites.push_back(rewrite.row);
    if (actions_[rewrite.row] == nullptr) {
      into.exit_row = rewrite.row;
      into.candidates.push_back({.row = rewrite.row});
      return;
    }
    actions_[rewrite.row]->apply(into.call);
  }
  // The operands are brought into the layout that the lowering settles on before any candidate
  // sees them.
  into.call.input_format = operand_format(into.call);
  if (auto collected = collector_.collect(into.candidates); !collected) {
    into.raised = collected.error();
    return;
  }
  const std::vector<Row>& rows = registry().rows;
  for (std::uint32_t result = 0; result < registry().results.size(); ++result) {
    const bool computed = std::ranges::any_of(into.candidates, [&](const Candidate& candidate) {
      const auto& computes = rows[candidate.row].results;
      return std::ranges::find(computes, result) != computes.end();
    });
    if (!computed && collector_.is_requested(result)) into.missing.push_back(result);
  }
}

AtenSelection AtenSelector::select(const AtenCall& call) {
  AtenSelection selection;
  select(call, selection);
  return selection;
}

}  // namespace convproof
