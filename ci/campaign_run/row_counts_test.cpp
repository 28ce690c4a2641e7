// What the survey counts of a table: which operations reach and pass each clause.
#include "ci/campaign_run/row_counts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "oracle/arbitrary_aten_call.h"
#include "oracle/draw.h"
#include "selector/rules/reference.h"

namespace convproof::campaign {
namespace {

using Kind = PredicateOutcome::Kind;

TEST(RowCounts, a_clause_counts_what_reaches_it) {
  TableReport report{.name = "demo"};
  report.rows.resize(2);
  for (RowReport& row : report.rows) {
    row.clauses.resize(2);
    row.overlaps.assign(2, 0);
  }
  const std::vector<std::uint32_t> first{0};
  const std::vector<PredicateOutcome> both{{.kind = Kind::matched}, {.kind = Kind::matched}};
  const std::vector<PredicateOutcome> one{{.kind = Kind::not_matched, .clause = 1},
                                          {.kind = Kind::raised, .clause = 0}};
  count_operation(both, first, report);
  count_operation(one, {}, report);
  EXPECT_EQ(report.surveyed, 2);
  EXPECT_EQ(report.rows[0].clauses,
            (std::vector<ClauseReport>{{.held = 2}, {.held = 1, .failed = 1}}));
  EXPECT_EQ(report.rows[1].clauses,
            (std::vector<ClauseReport>{{.held = 1, .raised = 1}, {.held = 1}}));
  EXPECT_EQ(report.rows[0].wins, 1);
  EXPECT_EQ(report.rows[1].wins, 0);
  EXPECT_EQ(report.rows[1].matches, 1);
  EXPECT_EQ(report.rows[0].overlaps, (std::vector<std::int64_t>{1, 1}));
}

TEST(RowCounts, a_row_of_candidates_lists_what_must_hold_beside_its_predicate) {
  const Registry registry = *find_registry("inductor-forward");
  const TableReport report = empty_report(registry);
  ASSERT_EQ(report.rows.size(), registry.rows.size());
  EXPECT_EQ(report.policy, Policy::collect_all);
  std::size_t beside = 0;
  for (std::size_t i = 0; i < report.rows.size(); ++i) {
    const Row& row = registry.rows[i];
    beside += row.append.clauses.size();
    EXPECT_EQ(report.rows[i].clauses.size(),
              row.predicate.clauses.size() + row.append.clauses.size());
    EXPECT_NE(report.rows[i].kernel.empty(), report.rows[i].action.empty()) << row.id;
  }
  EXPECT_GT(beside, 0U);
  EXPECT_TRUE(report.rows.front().rewrite);
  EXPECT_FALSE(report.rows.back().rewrite);
}

class CountedCalls : public testing::TestWithParam<const char*> {
 protected:
  static constexpr std::uint64_t calls = 3000;

  // The report of `calls` drawn calls, with what the table makes of each.
  TableReport survey(const Registry& registry, std::vector<AtenSelection>& selections) const {
    auto selector = AtenSelector::compile(registry);
    auto counter = CallCounter::create(registry);
    EXPECT_TRUE(selector && counter);
    TableReport report = empty_report(registry);
    for (std::uint64_t seed = 0; seed < calls; ++seed) {
      oracle::SplitMixDraw draw(seed);
      const AtenCall call = oracle::arbitrary_aten_call(
          draw, {.mixed_types = true, .backward = is_backward(registry.schema)});
      selections.push_back(selector->select(call));
      counter->count(call, selections.back(), report);
    }
    return report;
  }
};

TEST_P(CountedCalls, a_row_wins_as_often_as_the_walk_gives_it_a_call) {
  const Registry registry = *find_registry(GetParam());
  std::vector<AtenSelection> selections;
  const TableReport report = survey(registry, selections);
  EXPECT_EQ(report.surveyed, static_cast<std::int64_t>(calls));
  EXPECT_EQ(report.unmatched, std::ranges::count_if(selections, [](const AtenSelection& selection) {
              return selection.candidates.empty();
            }));
  for (std::uint32_t row = 0; row < registry.rows.size(); ++row) {
    const auto won = std::ranges::count_if(selections, [&](const AtenSelection& selection) {
      return std::ranges::find(selection.rewrites, row) != selection.rewrites.end() ||
             std::ranges::find(selection.candidates, row, &Candidate::row) !=
                 selection.candidates.end();
    });
    EXPECT_EQ(report.rows[row].wins, won) << registry.rows[row].id;
  }
}

TEST_P(CountedCalls, what_a_row_wins_its_clauses_admit) {
  const Registry registry = *find_registry(GetParam());
  std::vector<AtenSelection> selections;
  const TableReport report = survey(registry, selections);
  for (const RowReport& row : report.rows) {
    EXPECT_LE(row.wins, row.matches) << row.id;
    EXPECT_GT(row.matches, 0) << row.id;
    std::int64_t reaching = report.surveyed;
    for (const ClauseReport& clause : row.clauses) {
      // A rewrite that took part has passed all its clauses; any other row is asked once a call.
      EXPECT_EQ(clause.held + clause.failed + clause.raised, reaching) << row.id << clause.text;
      reaching = clause.held;
    }
    EXPECT_EQ(reaching, row.matches) << row.id;
  }
}

// The reference evaluation of each row, over the call as the rewrites leave it.
TEST_P(CountedCalls, rows_that_take_part_in_no_rewriting_are_asked_about_the_rewritten_call) {
  const Registry registry = *find_registry(GetParam());
  std::vector<AtenSelection> selections;
  const TableReport report = survey(registry, selections);
  const AtenBinding binding = *bind_aten(registry.schema);
  std::vector<std::int64_t> record(registry.schema.record_size);
  std::vector<std::int64_t> matches(registry.rows.size(), 0);
  for (const AtenSelection& selection : selections) {
    fill_record(selection.call, binding, record);
    for (std::size_t row = 0; row < registry.rows.size(); ++row) {
      const bool holds =
          evaluate(registry.rows[row].predicate, registry.schema, record).kind == Kind::matched &&
          evaluate(registry.rows[row].append, registry.schema, record).kind == Kind::matched;
      if (holds) ++matches[row];
    }
  }
  for (std::size_t row = 0; row < registry.rows.size(); ++row) {
    if (report.rows[row].rewrite) continue;
    EXPECT_EQ(report.rows[row].matches, matches[row]) << registry.rows[row].id;
  }
}

INSTANTIATE_TEST_SUITE_P(Tables, CountedCalls,
                         testing::Values("inductor-forward", "inductor-forward-repaired",
                                         "inductor-backward-repaired"));

}  // namespace
}  // namespace convproof::campaign
