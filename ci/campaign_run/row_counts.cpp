#include "ci/campaign_run/row_counts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <utility>
#include <vector>

namespace convproof::campaign {
namespace {

using Kind = PredicateOutcome::Kind;

void count_clauses(const PredicateOutcome& outcome, RowReport& row) {
  const std::size_t passed =
      outcome.kind == Kind::matched ? row.clauses.size() : std::size_t{outcome.clause};
  for (std::size_t clause = 0; clause < passed; ++clause) ++row.clauses[clause].held;
  if (outcome.kind == Kind::not_matched) ++row.clauses[passed].failed;
  if (outcome.kind == Kind::raised) ++row.clauses[passed].raised;
}

}  // namespace

TableReport empty_report(const Registry& registry) {
  TableReport report{.name = registry.name, .file = registry.file, .policy = registry.policy};
  for (const Row& row : registry.rows) {
    RowReport entry{.id = row.id, .number = row.number, .kernel = row.kernel, .line = row.line};
    if (entry.kernel.empty()) entry.action = row.action;
    entry.overlaps.assign(registry.rows.size(), 0);
    for (const Predicate* const predicate : {&row.predicate, &row.append}) {
      for (const Clause& clause : predicate->clauses) {
        entry.clauses.push_back({.text = to_string(clause)});
      }
    }
    report.rows.push_back(std::move(entry));
  }
  for (const RowList& list : registry.lists) {
    for (std::size_t row = list.first; row < list.first + list.count; ++row) {
      report.rows[row].list = list.name;
      report.rows[row].rewrite = list.policy == Policy::rewrite;
    }
  }
  return report;
}

void count_operation(std::span<const PredicateOutcome> outcomes,
                     std::span<const std::uint32_t> winners, TableReport& report) {
  ++report.surveyed;
  for (const std::uint32_t row : winners) ++report.rows[row].wins;
  std::vector<std::size_t> matching;
  for (std::size_t row = 0; row < outcomes.size(); ++row) {
    count_clauses(outcomes[row], report.rows[row]);
    if (outcomes[row].kind == Kind::matched) matching.push_back(row);
  }
  for (const std::size_t row : matching) {
    ++report.rows[row].matches;
    for (const std::size_t other : matching) ++report.rows[row].overlaps[other];
  }
}

std::expected<CallCounter, LocatedError> CallCounter::create(const Registry& registry) {
  CallCounter counter;
  std::vector<Predicate> predicates;
  for (const Row& row : registry.rows) {
    predicates.push_back(row.predicate);
    predicates.push_back(row.append);
    counter.clauses_.push_back(static_cast<std::uint32_t>(row.predicate.clauses.size()));
  }
  auto program = compile_table(predicates, registry.schema);
  if (!program) return std::unexpected(std::move(program.error()));
  auto binding = bind_aten(registry.schema, program->attributes_read());
  if (!binding) return std::unexpected(std::move(binding.error()));
  counter.program_ = std::move(*program);
  counter.workspace_ = counter.program_.make_workspace();
  counter.binding_ = std::move(*binding);
  return counter;
}

void CallCounter::count(const AtenCall& call, const AtenSelection& selection, TableReport& report) {
  AtenCall asked = selection.call;
  // The lowering settles on the operands' layout after it has asked the rows.
  asked.input_format = call.input_format;
  fill_record(asked, binding_, workspace_.record());
  outcomes_.clear();
  for (std::uint32_t row = 0; row < clauses_.size(); ++row) {
    PredicateOutcome outcome = program_.run_row(2 * std::size_t{row}, workspace_);
    if (outcome.kind == Kind::matched) {
      outcome = program_.run_row(2 * std::size_t{row} + 1, workspace_);
      outcome.clause += clauses_[row];
    }
    outcomes_.push_back(outcome);
  }
  winners_.clear();
  for (const std::uint32_t row : selection.rewrites) {
    outcomes_[row].kind = Kind::matched;
    if (std::ranges::find(winners_, row) == winners_.end()) winners_.push_back(row);
  }
  for (const Candidate& candidate : selection.candidates) {
    // A row has a candidate for each of its tunings that is left.
    if (std::ranges::find(winners_, candidate.row) == winners_.end())
      winners_.push_back(candidate.row);
  }
  count_operation(outcomes_, winners_, report);
  if (selection.candidates.empty()) ++report.unmatched;
}

}  // namespace convproof::campaign
