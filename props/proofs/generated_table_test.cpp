#include "props/proofs/generated_table.h"

#include <cstddef>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "oracle/arbitrary_conv_op.h"
#include "oracle/draw.h"
#include "props/proofs/planted_rows.h"
#include "selector/registry/matcher.h"

namespace convproof::proofs {
namespace {

TEST(GeneratedTable, is_the_same_for_a_seed_and_another_for_another) {
  const GeneratedTable table = *generated_table(60, 5);
  const GeneratedTable again = *generated_table(60, 5);
  EXPECT_EQ(table.planted, again.planted);
  EXPECT_TRUE(table.registry.rows == again.registry.rows);
  EXPECT_NE(table.planted, generated_table(60, 6)->planted);
}

TEST(GeneratedTable, each_planted_row_has_two_or_three_blockers_before_it) {
  for (const std::size_t rows : {10U, 25U, 100U, 400U}) {
    const GeneratedTable table = *generated_table(rows, 1);
    EXPECT_EQ(table.planted.size(), rows / 10);
    std::set<std::string> used;
    for (const PlantedRow& planted : table.planted) {
      EXPECT_GE(planted.by.size(), 2U);
      EXPECT_LE(planted.by.size(), 3U);
      const Row* const row = table.registry.find_row(planted.row);
      for (const std::string& blocker : planted.by) {
        EXPECT_LT(table.registry.find_row(blocker), row);
        EXPECT_TRUE(used.insert(blocker).second) << blocker;
      }
    }
  }
}

// Random convolutions do not refute it; the proof is the prover's.
TEST(GeneratedTable, no_convolution_is_taken_by_a_planted_row) {
  const GeneratedTable table = *generated_table(100, 1);
  auto matcher = Matcher::compile(table.registry);
  std::set<std::string> planted;
  for (const PlantedRow& row : table.planted) planted.insert(row.row);
  oracle::SplitMixDraw draw(3);
  std::size_t taken = 0;
  for (int i = 0; i < 20'000; ++i) {
    const Selection selection = matcher->select(oracle::arbitrary_conv_op(draw));
    if (selection.status != Selection::Status::matched) continue;
    ++taken;
    EXPECT_FALSE(planted.contains(table.registry.rows[selection.row].id));
  }
  EXPECT_GT(taken, 100U);
}

TEST(GeneratedTable, the_prover_finds_every_planted_row_with_its_blockers) {
  expect_planted_rows_found(
      40, {FindingKind::shadowed, FindingKind::contradiction, FindingKind::overlap});
}

}  // namespace
}  // namespace convproof::proofs
