// One law per obligation: what a finding says is so, by selection alone, on random tables.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "oracle/arbitrary_conv_op.h"
#include "oracle/draw.h"
#include "props/proofs/diff_tables.h"
#include "props/proofs/prove_table.h"
#include "props/proofs/random_table.h"
#include "selector/registry/conv_subject.h"
#include "selector/registry/matcher.h"

namespace convproof::proofs {
namespace {

std::uint32_t drawn(std::uint32_t below) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint32_t>(0, below));
}

// Few samples, so that the solver has its share of the answers.
ProveOptions options_of(std::vector<FindingKind> kinds) {
  return {.prover = {.samples = 64, .threads = 1}, .kinds = std::move(kinds)};
}

struct Proved {
  Registry registry{};
  ProofReport report{};
};

Proved proved(const std::vector<FindingKind>& kinds) {
  Proved result;
  result.registry = RandomTable(drawn).table(1 + drawn(4));
  result.report = *prove_table(result.registry, options_of(kinds));
  for (const Finding& finding : result.report.findings) {
    RC_ASSERT(finding.status != FindingStatus::unknown);
    RC_ASSERT(!finding.internal);
  }
  return result;
}

std::size_t row_index(const Registry& registry, const std::string& id) {
  return static_cast<std::size_t>(registry.find_row(id) - registry.rows.data());
}

ConvOp op_of(const Record& record) { return from_record(record, convolution_binding()); }

std::vector<ConvOp> some_convolutions() {
  std::vector<ConvOp> ops;
  oracle::SplitMixDraw draw(
      *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint64_t>(0, 1'000'000)));
  for (int i = 0; i < 400; ++i) ops.push_back(oracle::arbitrary_conv_op(draw));
  return ops;
}

// The row a convolution goes to, by id; what else becomes of it in angle brackets.
std::string destination(Matcher& matcher, const ConvOp& op) {
  const Selection selection = matcher.select(op);
  switch (selection.status) {
    case Selection::Status::matched:
      return matcher.registry().rows[selection.row].id;
    case Selection::Status::raised:
      return "<raises>";
    case Selection::Status::gated:
      return "<gated>";
    case Selection::Status::unmatched:
      break;
  }
  return "<none>";
}

std::vector<PredicateOutcome> outcomes(Matcher& matcher, const ConvOp& op) {
  std::vector<PredicateOutcome> result;
  matcher.outcomes(op, result);
  return result;
}

bool row_matches(Matcher& matcher, std::size_t row, const ConvOp& op) {
  return outcomes(matcher, op)[row].kind == PredicateOutcome::Kind::matched;
}

bool contract_broken(Matcher& matcher, const Finding& finding) {
  const KernelSet& kernels = matcher.registry().kernels;
  const std::size_t kernel = *kernels.find(finding.kernel);
  std::vector<std::size_t> broken;
  matcher.broken_clauses(kernel, op_of(*finding.witness), broken);
  return std::ranges::any_of(broken, [&](std::size_t clause) {
    return kernels.kernels[kernel].contract[clause].id == finding.clause;
  });
}

RC_GTEST_PROP(Obligations, dropping_a_shadowed_row_changes_no_selection, ()) {
  const Proved table = proved({FindingKind::shadowed, FindingKind::contradiction});
  const std::vector<ConvOp> ops = some_convolutions();
  auto whole = Matcher::compile(table.registry);
  for (const Finding& finding : table.report.findings) {
    if (finding.kind != FindingKind::shadowed) continue;
    const std::size_t row = row_index(table.registry, finding.row);
    const Registry shorter = without_row(table.registry, row);
    auto part = Matcher::compile(shorter);
    for (const ConvOp& op : ops) RC_ASSERT(destination(*whole, op) == destination(*part, op));
  }
}

RC_GTEST_PROP(Obligations, each_blocker_of_a_shadowed_row_is_needed, ()) {
  const Proved table = proved({FindingKind::shadowed});
  auto matcher = Matcher::compile(table.registry);
  for (const Finding& finding : table.report.findings) {
    for (const Blocker& blocker : finding.by) {
      RC_ASSERT(blocker.witness.has_value());
      const auto seen = outcomes(*matcher, op_of(*blocker.witness));
      RC_ASSERT(seen[row_index(table.registry, finding.row)].kind ==
                PredicateOutcome::Kind::matched);
      for (const Blocker& other : finding.by) {
        const bool passes =
            seen[row_index(table.registry, other.row)].kind == PredicateOutcome::Kind::not_matched;
        RC_ASSERT(passes == (other.row != blocker.row));
      }
    }
  }
}

RC_GTEST_PROP(Obligations, a_revived_row_wins_the_witness_of_its_revival, ()) {
  const Proved table = proved({FindingKind::shadowed});
  for (const Finding& finding : table.report.findings) {
    if (!finding.revival) continue;
    Registry moved = table.registry;
    const std::size_t from = row_index(moved, finding.row);
    const std::size_t to = row_index(moved, finding.revival->before);
    std::rotate(moved.rows.begin() + static_cast<std::ptrdiff_t>(to),
                moved.rows.begin() + static_cast<std::ptrdiff_t>(from),
                moved.rows.begin() + static_cast<std::ptrdiff_t>(from) + 1);
    auto matcher = Matcher::compile(moved);
    RC_ASSERT(destination(*matcher, op_of(*finding.revival->witness)) == finding.row);
  }
}

RC_GTEST_PROP(Obligations, a_contradictory_row_matches_nothing, ()) {
  const Proved table = proved({FindingKind::contradiction});
  const std::vector<ConvOp> ops = some_convolutions();
  auto matcher = Matcher::compile(table.registry);
  for (const Finding& finding : table.report.findings) {
    const std::size_t row = row_index(table.registry, finding.row);
    for (const ConvOp& op : ops) {
      if (op.window.size() == 2) RC_ASSERT(!row_matches(*matcher, row, op));
    }
  }
}

RC_GTEST_PROP(Obligations, every_row_is_dead_or_has_a_convolution_that_it_wins, ()) {
  const Proved table = proved({FindingKind::shadowed, FindingKind::contradiction});
  auto matcher = Matcher::compile(table.registry);
  RC_ASSERT(table.report.rows.size() == table.registry.rows.size());
  for (const RowAccount& account : table.report.rows) {
    RC_ASSERT(account.state != "undecided");
    if (account.state == "live") {
      RC_ASSERT(destination(*matcher, op_of(*account.witness)) == account.row);
    }
  }
}

RC_GTEST_PROP(Obligations, a_witness_of_raises_aborts_the_selection_at_its_row_and_clause, ()) {
  const Proved table = proved({FindingKind::raises});
  auto matcher = Matcher::compile(table.registry);
  for (const Finding& finding : table.report.findings) {
    const Selection selection = matcher->select(op_of(*finding.witness));
    RC_ASSERT(selection.status == Selection::Status::raised);
    RC_ASSERT(table.registry.rows[selection.row].id == finding.row);
    RC_ASSERT("clause " + std::to_string(selection.clause + 1) == finding.clause);
  }
}

RC_GTEST_PROP(Obligations, a_table_without_raises_aborts_on_nothing, ()) {
  const Proved table = proved({FindingKind::raises});
  if (!table.report.findings.empty()) return;
  auto matcher = Matcher::compile(table.registry);
  for (const ConvOp& op : some_convolutions()) RC_ASSERT(destination(*matcher, op) != "<raises>");
}

RC_GTEST_PROP(Obligations, a_witness_of_unsound_is_won_by_its_row_and_breaks_the_clause, ()) {
  const Proved table = proved({FindingKind::unsound});
  auto matcher = Matcher::compile(table.registry);
  for (const Finding& finding : table.report.findings) {
    RC_ASSERT(destination(*matcher, op_of(*finding.witness)) == finding.row);
    RC_ASSERT(contract_broken(*matcher, finding));
  }
}

RC_GTEST_PROP(Obligations, a_witness_of_latent_matches_loses_and_breaks_the_clause, ()) {
  const Proved table = proved({FindingKind::latent});
  auto matcher = Matcher::compile(table.registry);
  for (const Finding& finding : table.report.findings) {
    RC_ASSERT(
        row_matches(*matcher, row_index(table.registry, finding.row), op_of(*finding.witness)));
    RC_ASSERT(destination(*matcher, op_of(*finding.witness)) != finding.row);
    RC_ASSERT(contract_broken(*matcher, finding));
  }
}

RC_GTEST_PROP(Obligations, both_rows_of_an_overlap_match_its_witness, ()) {
  const Proved table = proved({FindingKind::overlap});
  auto matcher = Matcher::compile(table.registry);
  for (const Finding& finding : table.report.findings) {
    RC_ASSERT(
        row_matches(*matcher, row_index(table.registry, finding.row), op_of(*finding.witness)));
    RC_ASSERT(
        row_matches(*matcher, row_index(table.registry, finding.other), op_of(*finding.witness)));
  }
}

RC_GTEST_PROP(Obligations, dropping_a_redundant_clause_changes_no_outcome, ()) {
  const Proved table = proved({FindingKind::redundant_clause});
  const std::vector<ConvOp> ops = some_convolutions();
  auto whole = Matcher::compile(table.registry);
  for (const Finding& finding : table.report.findings) {
    const std::size_t row = row_index(table.registry, finding.row);
    Registry weaker = table.registry;
    auto& clauses = weaker.rows[row].predicate.clauses;
    clauses.erase(clauses.begin() + std::stoi(finding.clause.substr(7)) - 1);
    auto part = Matcher::compile(weaker);
    for (const ConvOp& op : ops) {
      if (op.window.size() != 2) continue;
      RC_ASSERT(outcomes(*whole, op)[row].kind == outcomes(*part, op)[row].kind);
    }
  }
}

RC_GTEST_PROP(Obligations, swapping_the_rows_changes_the_selection_of_a_witness_of_swap, ()) {
  const Proved table = proved({FindingKind::swap});
  auto before = Matcher::compile(table.registry);
  for (const Finding& finding : table.report.findings) {
    const std::size_t row = row_index(table.registry, finding.row);
    const Registry swapped = with_rows_swapped(table.registry, row, row + 1);
    auto after = Matcher::compile(swapped);
    RC_ASSERT(destination(*before, op_of(*finding.witness)) !=
              destination(*after, op_of(*finding.witness)));
  }
}

RC_GTEST_PROP(Obligations, rows_without_a_swap_can_be_exchanged, ()) {
  const Proved table = proved({FindingKind::swap});
  const std::vector<ConvOp> ops = some_convolutions();
  auto before = Matcher::compile(table.registry);
  for (std::size_t row = 0; row + 1 < table.registry.rows.size(); ++row) {
    if (std::ranges::find(table.report.findings, table.registry.rows[row].id, &Finding::row) !=
        table.report.findings.end()) {
      continue;
    }
    const Registry swapped = with_rows_swapped(table.registry, row, row + 1);
    auto after = Matcher::compile(swapped);
    for (const ConvOp& op : ops) RC_ASSERT(destination(*before, op) == destination(*after, op));
  }
}

RC_GTEST_PROP(Obligations, no_row_takes_a_witness_of_a_gap, ()) {
  const Proved table = proved({FindingKind::gap});
  auto matcher = Matcher::compile(table.registry);
  for (const Finding& finding : table.report.findings) {
    RC_ASSERT(destination(*matcher, op_of(*finding.witness)) == "<none>");
  }
  if (!table.report.findings.empty()) return;
  for (const ConvOp& op : some_convolutions()) RC_ASSERT(destination(*matcher, op) != "<none>");
}

RC_GTEST_PROP(Obligations, no_row_of_an_unused_kernel_matches_what_its_contract_allows, ()) {
  const Proved table = proved({FindingKind::unused});
  auto matcher = Matcher::compile(table.registry);
  for (const Finding& finding : table.report.findings) {
    std::vector<std::size_t> broken;
    matcher->broken_clauses(*table.registry.kernels.find(finding.kernel), op_of(*finding.witness),
                            broken);
    RC_ASSERT(broken.empty());
    for (std::size_t row = 0; row < table.registry.rows.size(); ++row) {
      if (table.registry.rows[row].kernel != finding.kernel) continue;
      RC_ASSERT(!row_matches(*matcher, row, op_of(*finding.witness)));
    }
  }
}

RC_GTEST_PROP(Obligations, a_diff_is_empty_exactly_where_two_tables_select_alike, ()) {
  RandomTable tables(drawn);
  const Registry before = tables.table(1 + drawn(4));
  Registry after = before;
  const std::size_t changed = drawn(static_cast<std::uint32_t>(after.rows.size()));
  auto& clauses = after.rows[changed].predicate.clauses;
  if (!clauses.empty()) clauses.pop_back();
  const DiffReport report = *diff_tables(before, after, options_of({}));
  auto old_matcher = Matcher::compile(before);
  auto new_matcher = Matcher::compile(after);
  for (const Change& change : report.changes) {
    RC_ASSERT(change.status == FindingStatus::witness);
    RC_ASSERT(destination(*old_matcher, op_of(*change.witness)) !=
              destination(*new_matcher, op_of(*change.witness)));
  }
  if (!report.changes.empty()) return;
  for (const ConvOp& op : some_convolutions()) {
    const std::string from = destination(*old_matcher, op);
    const std::string to = destination(*new_matcher, op);
    if (from == to) continue;
    // Only rows of one kernel and lowering may change places.
    const Row* const old_row = before.find_row(from);
    const Row* const new_row = after.find_row(to);
    RC_ASSERT(old_row != nullptr);
    RC_ASSERT(new_row != nullptr);
    RC_ASSERT(old_row->kernel == new_row->kernel);
  }
}

}  // namespace
}  // namespace convproof::proofs
