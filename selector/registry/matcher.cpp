#include "selector/registry/matcher.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace convproof {

std::expected<Matcher::Table, LocatedError> Matcher::Table::over(const TableProgram& program,
                                                                 const Schema& schema) {
  auto binding = bind_convolution(schema, program.attributes_read());
  if (!binding) return std::unexpected(std::move(binding.error()));
  return Table{
      .program = program, .binding = std::move(*binding), .workspace = program.make_workspace()};
}

std::expected<Matcher::Table, LocatedError> Matcher::Table::compile(std::span<const Predicate> rows,
                                                                    const Schema& schema) {
  auto program = compile_table(rows, schema);
  if (!program) return std::unexpected(std::move(program.error()));
  return over(*program, schema);
}

std::expected<Matcher, LocatedError> Matcher::compile(const Registry& registry) {
  Matcher matcher;
  matcher.registry_ = &registry;
  auto gate = Table::compile(std::span(&registry.gate, 1), registry.schema);
  if (!gate) return std::unexpected(std::move(gate.error()));
  matcher.gate_ = std::move(*gate);

  std::vector<Predicate> all;
  for (const Row& row : registry.rows) all.push_back(row.predicate);
  for (const RowList& list : registry.lists) {
    if (!list.enabled) continue;
    auto table = Table::compile(std::span(all).subspan(list.first, list.count), registry.schema);
    if (!table) return std::unexpected(std::move(table.error()));
    matcher.enabled_.push_back({static_cast<std::uint32_t>(list.first), std::move(*table)});
  }
  auto rows = Table::compile(all, registry.schema);
  if (!rows) return std::unexpected(std::move(rows.error()));
  matcher.rows_ = std::move(*rows);
  auto contracts = Table::over(registry.kernels.contracts, registry.schema);
  if (!contracts) return std::unexpected(std::move(contracts.error()));
  matcher.contracts_ = std::move(*contracts);
  return matcher;
}

Selection Matcher::select(const ConvOp& op) {
  gate_.read(op);
  const PredicateOutcome gate = gate_.program.run_row(0, gate_.workspace);
  if (gate.kind != PredicateOutcome::Kind::matched) return {.status = Selection::Status::gated};
  for (List& list : enabled_) {
    list.table.read(op);
    const TableOutcome outcome = list.table.program.first_match(list.table.workspace);
    if (outcome.kind == TableOutcome::Kind::none) continue;
    return {.status = outcome.kind == TableOutcome::Kind::matched ? Selection::Status::matched
                                                                  : Selection::Status::raised,
            .row = list.first + outcome.row,
            .clause = outcome.clause,
            .cause = outcome.cause};
  }
  return {};
}

void Matcher::outcomes(const ConvOp& op, std::vector<PredicateOutcome>& outcomes) {
  rows_.read(op);
  outcomes.clear();
  for (std::size_t row = 0; row < rows_.program.row_count(); ++row) {
    outcomes.push_back(rows_.program.run_row(row, rows_.workspace));
  }
}

void Matcher::broken_clauses(std::size_t kernel, const ConvOp& op,
                             std::vector<std::size_t>& broken) {
  contracts_.read(op);
  const KernelSet& set = registry_->kernels;
  for (std::size_t clause = 0; clause < set.kernels[kernel].contract.size(); ++clause) {
    const PredicateOutcome outcome =
        contracts_.program.run_row(set.first_clause[kernel] + clause, contracts_.workspace);
    if (outcome.kind != PredicateOutcome::Kind::matched) broken.push_back(clause);
  }
}

std::string raise_text(const Registry& registry, const Selection& selection) {
  const Row& row = registry.rows[selection.row];
  const Clause& clause = row.predicate.clauses[selection.clause];
  const bool own_message = selection.cause == RaiseCause::assertion && clause.message;
  return fmt::format("row {}, clause {} `{}` raises: {}", row.id, selection.clause + 1,
                     to_string(clause),
                     own_message ? *clause.message : std::string(message_of(selection.cause)));
}

}  // namespace convproof
