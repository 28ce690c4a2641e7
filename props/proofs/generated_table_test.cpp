#include "props/proofs/generated_table.h"

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "oracle/arbitrary_conv_op.h"
#include "oracle/draw.h"
#include "props/proofs/prove_table.h"
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

TEST(GeneratedTable, of_two_hundred_rows_is_decided_and_every_planted_row_found_with_its_blockers) {
  const GeneratedTable table = *generated_table(200, 1);
  ASSERT_EQ(table.planted.size(), 20U);
  const ProofReport report = *prove_table(table.registry, {});
  EXPECT_EQ(report.unknown, 0U);
  for (const Finding& finding : report.findings) {
    EXPECT_FALSE(finding.internal) << finding.signature << ": " << finding.detail;
  }
  for (const PlantedRow& planted : table.planted) {
    const auto found = std::ranges::find_if(report.findings, [&](const Finding& finding) {
      return finding.kind == FindingKind::shadowed && finding.row == planted.row;
    });
    ASSERT_NE(found, report.findings.end()) << planted.row;
    EXPECT_EQ(found->status, FindingStatus::proved);
    std::vector<std::string> by;
    for (const Blocker& blocker : found->by) by.push_back(blocker.row);
    EXPECT_EQ(by, planted.by) << planted.row;
  }
}

}  // namespace
}  // namespace convproof::proofs
