#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "props/proofs/generated_table.h"
#include "props/proofs/prove_table.h"

namespace convproof::proofs {

// Every planted row of a generated table is found shadowed by its blockers and no others, and
// everything else is decided.
inline void expect_planted_rows_found(std::size_t rows, std::vector<FindingKind> kinds) {
  const auto table = generated_table(rows, 1);
  ASSERT_TRUE(table) << to_string(table.error());
  ASSERT_EQ(table->registry.rows.size(), rows);
  ASSERT_EQ(table->planted.size(), rows / 10);
  ProveOptions options;
  options.kinds = std::move(kinds);
  const ProofReport report = *prove_table(table->registry, options);
  EXPECT_EQ(report.unknown, 0U);
  for (const Finding& finding : report.findings) {
    EXPECT_FALSE(finding.internal) << finding.signature << ": " << finding.detail;
  }
  for (const PlantedRow& planted : table->planted) {
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

}  // namespace convproof::proofs
