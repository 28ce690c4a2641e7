#include <cstddef>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "props/proofs/diff_tables.h"
#include "props/proofs/ledger.h"
#include "props/proofs/prove_table.h"
#include "selector/registry/registry.h"

namespace convproof::proofs {
namespace {

ProofReport report_on(const std::string& table) {
  const auto registry = find_registry(table);
  EXPECT_TRUE(registry) << to_string(registry.error());
  auto report = prove_table(*registry);
  EXPECT_TRUE(report) << to_string(report.error());
  return report ? std::move(*report) : ProofReport{};
}

// `conv2d/no_bias different`, of what is wrong with the table.
std::set<std::string> wrong_in(const ProofReport& report) {
  std::set<std::string> wrong;
  for (const Finding& finding : report.findings) {
    if (finding.status == FindingStatus::unknown) wrong.insert("UNDECIDED " + finding.signature);
    if (finding.kind == FindingKind::unsound && finding.status == FindingStatus::witness) {
      wrong.insert(finding.row + "/" + finding.clause + " " + std::string(name_of(finding.effect)));
    }
    if (finding.kind == FindingKind::gap) wrong.insert(finding.signature);
  }
  return wrong;
}

// Design sheet of Inductor's convolution lowering, section F: F1 to F7, F9, F13, F14.
TEST(CandidateProofs, finds_what_the_forward_table_hands_its_kernels_wrongly) {
  const std::set<std::string> wrong = wrong_in(report_on("inductor-forward"));
  for (const char* expected :
       {"ck/not_transposed different", "ck/groups rejected", "ck/packed different",
        "conv2d/no_bias different", "conv3d/no_bias different", "depthwise1d/no_bias different",
        "mm1x1/two_operands aborts", "mm1x1/spatial_dims aborts", "conv2d/channel_offsets rejected",
        "conv2d/element_types aborts", "conv2d/grid rejected", "inductor-forward/gap/output"}) {
    EXPECT_TRUE(wrong.contains(expected)) << expected;
  }
  EXPECT_FALSE(wrong.contains("conv2d/warps none")) << "the table caps the warps";
}

// Section D.3: D-R1 to D-R3; F8 and F12.
TEST(CandidateProofs, finds_what_the_backward_table_leaves_out_or_hands_over_wrongly) {
  const std::set<std::string> wrong = wrong_in(report_on("inductor-backward"));
  for (const char* expected :
       {"inductor-backward/gap/bias_gradient", "inductor-backward/gap/input_gradient",
        "inductor-backward/gap/weight_gradient", "bias-sum/result_channels different",
        "weight-triton/sample_offsets rejected", "weight-triton/warps none"}) {
    EXPECT_TRUE(wrong.contains(expected)) << expected;
  }
}

TEST(CandidateProofs, the_repaired_tables_are_proved_clean) {
  for (const char* table : {"inductor-forward-repaired", "inductor-backward-repaired"}) {
    EXPECT_EQ(wrong_in(report_on(table)), std::set<std::string>{}) << table;
  }
}

TEST(CandidateProofs, eight_warps_are_unsound_in_the_older_release_only) {
  EXPECT_TRUE(wrong_in(report_on("inductor-forward-2.11")).contains("conv2d/warps none"));
}

TEST(CandidateProofs, the_ledgers_know_every_finding_and_none_beside) {
  for (const std::string table :
       {"inductor-forward", "inductor-forward-2.11", "inductor-backward"}) {
    ProofReport report = report_on(table);
    const std::string path = std::string(CONVPROOF_SOURCE_DIR) + "/corpus/known/" + table + ".json";
    std::ifstream file(path);
    const std::string text(std::istreambuf_iterator<char>(file), {});
    const auto ledger = parse_ledger(text, path);
    ASSERT_TRUE(ledger) << to_string(ledger.error());
    apply(*ledger, {}, "", report);
    EXPECT_EQ(exit_status(report), 0) << table;
  }
}

TEST(CandidateDiff, says_what_the_upgrade_changed) {
  const auto report =
      diff_tables(*find_registry("inductor-forward-2.11"), *find_registry("inductor-forward"));
  ASSERT_TRUE(report) << to_string(report.error());
  std::set<std::string> changes;
  for (const Change& change : report->changes) {
    EXPECT_EQ(change.status, FindingStatus::witness);
    EXPECT_TRUE(change.witness);
    const std::size_t how = change.detail.rfind(": ");
    changes.insert(change.from.row + " -> " + change.to.row +
                   (how == std::string::npos ? "" : change.detail.substr(how)));
  }
  EXPECT_EQ(changes, (std::set<std::string>{
                         " -> depthwise1d", "conv2d -> conv2d: no longer offered",
                         "conv2d -> conv2d: other values", "conv3d -> conv3d: no longer offered",
                         "conv3d -> conv3d: other values"}));
}

TEST(CandidateDiff, of_a_table_and_itself_is_empty) {
  const auto report =
      diff_tables(*find_registry("inductor-backward"), *find_registry("inductor-backward"));
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_TRUE(report->changes.empty());
  EXPECT_EQ(exit_status(*report), 0);
}

}  // namespace
}  // namespace convproof::proofs
