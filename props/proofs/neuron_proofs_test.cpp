// What the prover finds on the shipped tables, and that nothing it proves is refuted.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "props/proofs/convolution_subject.h"
#include "props/proofs/diff_tables.h"
#include "props/proofs/generated_table.h"
#include "props/proofs/ledger.h"
#include "props/proofs/prove_table.h"
#include "props/proofs/random_table.h"
#include "props/proofs/samples.h"
#include "props/proofs/table_questions.h"
#include "selector/op/dim_labels.h"
#include "selector/registry/conv_subject.h"

namespace convproof::proofs {
namespace {

struct ProvedTable {
  Registry registry{};
  ProofReport report{};
  std::vector<Condition> impossible{};
};

const ProvedTable& proved(const std::string& name) {
  static std::map<std::string, ProvedTable> tables;
  const auto known = tables.find(name);
  if (known != tables.end()) return known->second;
  ProvedTable& table = tables[name];
  table.registry = *find_registry(name);
  ProveOptions options;
  options.impossible = &table.impossible;
  table.report = *prove_table(table.registry, options);
  return table;
}

std::optional<Finding> find(const ProofReport& report, FindingKind kind, const std::string& row,
                            const std::string& clause = "") {
  for (const Finding& finding : report.findings) {
    if (finding.kind == kind && finding.row == row &&
        (clause.empty() || finding.clause == clause)) {
      return finding;
    }
  }
  return std::nullopt;
}

std::vector<std::string> neuron_tables() {
  std::vector<std::string> names;
  for (const std::string& name : registry_names()) {
    if (name.starts_with("neuron")) names.push_back(name);
  }
  return names;
}

const ConvolutionSubject& convolutions() {
  static const auto subject = *ConvolutionSubject::create(convolution_schema());
  return *subject;
}

TEST(NeuronProofs, row_6_is_shadowed_by_row_5_alone_and_lives_before_it) {
  const auto finding =
      find(proved("neuron").report, FindingKind::shadowed, "depthwise-forward-stride-3");
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->status, FindingStatus::proved);
  ASSERT_EQ(finding->by.size(), 1U);
  EXPECT_EQ(finding->by[0].row, "conv2d-depthwise");
  ASSERT_TRUE(finding->revival);
  EXPECT_EQ(finding->revival->before, "conv2d-depthwise");
}

TEST(NeuronProofs, rows_7_and_8_never_match) {
  for (const char* row : {"pbp-0f1b", "pbp-fb01"}) {
    EXPECT_TRUE(find(proved("neuron").report, FindingKind::contradiction, row)) << row;
  }
}

TEST(NeuronProofs, each_soundness_gap_of_the_sheet_is_found_with_an_executed_witness_of_its_class) {
  struct Gap {
    const char* id;
    const char* row;
    const char* clause;
    Effect effect;
  };
  for (const Gap& gap : {
           Gap{"G1", "conv2d-depthwise", "channels_are_groups", Effect::aborts},
           Gap{"G1", "conv2d-depthwise", "depthwise", Effect::aborts},
           Gap{"G2", "conv2d-depthwise", "stride", Effect::aborts},
           Gap{"G3", "conv2d-depthwise", "no_rhs_dilation", Effect::aborts},
           Gap{"G4", "conv2d-depthwise", "padding", Effect::aborts},
           Gap{"G5", "conv2d-depthwise", "no_reversal", Effect::different},
           Gap{"G9", "depthwise-backward", "stride", Effect::aborts},
           Gap{"G9", "depthwise-backward-io10", "stride", Effect::aborts},
           Gap{"G10", "depthwise-backward", "row_bytes", Effect::aborts},
           Gap{"G10", "depthwise-backward-io10", "row_bytes", Effect::aborts},
           Gap{"G11", "depthwise-backward", "result_pixels", Effect::rejected},
           Gap{"G11", "depthwise-backward-io10", "result_pixels", Effect::rejected},
           Gap{"G12", "depthwise-backward", "group_tail", Effect::rejected},
           Gap{"G13", "depthwise-backward", "partitions", Effect::rejected},
           Gap{"G13", "depthwise-backward-io10", "partitions", Effect::rejected},
           Gap{"G15", "depthwise-backward", "no_reversal", Effect::different},
           Gap{"G15", "depthwise-backward-io10", "no_reversal", Effect::different},
           Gap{"G16", "conv2d-dense-f01b", "ungrouped_features", Effect::different},
           Gap{"G16", "conv2d-dense-f01b", "ungrouped_batch", Effect::different},
           Gap{"G16", "conv2d-dense-f01b", "no_lhs_dilation", Effect::different},
           Gap{"G16", "conv2d-dense-f01b", "no_reversal", Effect::different},
           Gap{"G26", "replication", "no_reversal", Effect::different},
       }) {
    const auto finding = find(proved("neuron").report, FindingKind::unsound, gap.row, gap.clause);
    ASSERT_TRUE(finding) << gap.id << ' ' << gap.row << ' ' << gap.clause;
    EXPECT_EQ(finding->effect, gap.effect) << gap.id << ' ' << gap.row << ' ' << gap.clause;
    EXPECT_TRUE(finding->witness) << gap.id;
  }
}

TEST(NeuronProofs, what_row_6_would_do_wrong_is_latent) {
  for (const char* clause :
       {"one_image", "no_reversal", "group_tail", "row_bytes", "result_pixels"}) {
    EXPECT_TRUE(
        find(proved("neuron").report, FindingKind::latent, "depthwise-forward-stride-3", clause))
        << clause;
  }
}

TEST(NeuronProofs, low_channel_assertions_in_row_2_abort_the_compile) {
  const auto finding = find(proved("neuron-row2-lowchannel").report, FindingKind::raises,
                            "depthwise-backward", "clause 6");
  ASSERT_TRUE(finding);
  EXPECT_EQ(finding->effect, Effect::aborts);
}

TEST(NeuronProofs, the_repaired_table_is_clean) {
  const ProofReport& report = proved("neuron-repaired").report;
  for (const Finding& finding : report.findings) {
    EXPECT_NE(finding.kind, FindingKind::shadowed) << finding.row;
    EXPECT_NE(finding.kind, FindingKind::unsound) << finding.row << ' ' << finding.clause;
    EXPECT_NE(finding.kind, FindingKind::raises) << finding.row << ' ' << finding.clause;
    if (finding.kind == FindingKind::contradiction) {
      EXPECT_TRUE(finding.row.starts_with("pbp-")) << finding.row;
    }
  }
  for (const RowAccount& account : report.rows) {
    if (account.state == "live") {
      EXPECT_EQ(account.effect, Effect::none) << account.row;
    }
  }
}

TEST(NeuronProofs, everything_is_decided_and_every_row_is_accounted_for) {
  for (const std::string& name : neuron_tables()) {
    const ProvedTable& table = proved(name);
    EXPECT_EQ(table.report.unknown, 0U) << name;
    EXPECT_EQ(table.report.rows.size(), table.registry.rows.size()) << name;
    for (const RowAccount& account : table.report.rows) EXPECT_NE(account.state, "undecided");
    for (const Finding& finding : table.report.findings) EXPECT_FALSE(finding.internal);
  }
}

TEST(NeuronProofs, the_ledgers_know_every_wrong_finding_and_no_other) {
  for (const std::string& name : neuron_tables()) {
    const std::string path = std::string(CONVPROOF_SOURCE_DIR) + "/corpus/known/" + name + ".json";
    std::ifstream stream(path);
    if (!stream) continue;
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    const auto ledger = parse_ledger(text, path);
    ASSERT_TRUE(ledger) << to_string(ledger.error());
    ProofReport report = proved(name).report;
    apply(*ledger, {}, "", report);
    EXPECT_EQ(exit_status(report), 0) << name;
    EXPECT_TRUE(report.vanished.empty()) << name << ": " << report.vanished.front();
  }
}

TEST(NeuronProofs, the_report_does_not_depend_on_the_number_of_threads) {
  const Registry registry = *find_registry("neuron");
  ProveOptions options;
  options.prover.threads = 1;
  const ProofReport one = *prove_table(registry, options);
  const ProofReport& two = proved("neuron").report;
  ASSERT_EQ(one.findings.size(), two.findings.size());
  for (std::size_t i = 0; i < one.findings.size(); ++i) {
    EXPECT_EQ(one.findings[i].signature, two.findings[i].signature);
    EXPECT_EQ(one.findings[i].witness, two.findings[i].witness) << one.findings[i].signature;
    EXPECT_EQ(one.findings[i].effect, two.findings[i].effect) << one.findings[i].signature;
  }
}

// Every well-formed convolution of a small scope, by number; past the end the first again.
class SmallScope {
 public:
  static std::size_t size() {
    std::size_t count = 1;
    for (const std::size_t radix : radixes) count *= radix;
    return count;
  }

  static ConvOp op(std::size_t number) {
    const auto digit = [&number](std::size_t radix) {
      const std::size_t value = number % radix;
      number /= radix;
      return static_cast<std::int64_t>(value);
    };
    std::int64_t digits[radixes.size()];
    for (std::size_t i = 0; i < radixes.size(); ++i) digits[i] = digit(radixes[i]);
    const std::int64_t* at = digits;
    static constexpr std::pair<std::int64_t, std::int64_t> groups[] = {{1, 1}, {2, 1}, {1, 2}};
    const auto [features, batches] = groups[*at++];
    const std::int64_t batch = 1 + *at++;
    const std::int64_t inputs = 1 + *at++;
    const std::int64_t outputs = 1 + *at++;
    Shape image{batch * batches, inputs * features};
    Shape kernel{outputs * features * batches, inputs};
    for (int axis = 0; axis < 2; ++axis) image.push_back(1 + *at++);
    for (int axis = 0; axis < 2; ++axis) kernel.push_back(1 + *at++);
    static constexpr std::pair<std::int64_t, std::int64_t> strides[] = {{1, 1}, {1, 2}, {3, 3}};
    const auto [stride_h, stride_w] = strides[*at++];
    ConvOp op{.feature_group_count = features, .batch_group_count = batches};
    WindowDim height{.stride = stride_h};
    WindowDim width{.stride = stride_w};
    height.lhs_dilation = 1 + *at++;
    height.rhs_dilation = 1 + *at++;
    height.pad_low = *at++ - 1;
    width.pad_high = *at++ - 1;
    width.reversal = *at++ == 1;
    op.window.push_back(height);
    op.window.push_back(width);
    static constexpr const char* labels[] = {"bf01_oi01->bf01", "f01b_i01o->f01b",
                                             "fb01_io01->01bf", "fb10_io10->01bf"};
    const DimNumbers numbers = *parse_dim_labels(labels[*at++]);
    op.in_perm = numbers.in;
    op.kern_perm = numbers.kern;
    op.out_perm = numbers.out;
    op.input_is_graph_input = *at++ == 0;
    op.in_shape = apply_dims(image, invert(op.in_perm));
    op.kern_shape = apply_dims(kernel, invert(op.kern_perm));
    op.res_shape = infer_result_shape(op);
    return op;
  }

 private:
  static constexpr std::array<std::size_t, 16> radixes{3, 2, 2, 2, 2, 2, 2, 2,
                                                       3, 2, 2, 3, 3, 2, 4, 2};
};

// The first of the conditions that some convolution of the source satisfies, if there is one.
void expect_none(const ProvedTable& table, std::size_t count, const SampleSource& source) {
  const TableQuestions questions(table.registry, {}, convolutions().shows_something());
  const Observer observer = *Observer::create(questions.predicates(), table.registry.schema);
  std::vector<Observer> observers(2, observer);
  constexpr std::size_t batch = 1 << 15;
  for (std::size_t start = 0; start < count; start += batch) {
    const Samples samples(convolutions(), observers, questions.predicates().size(),
                          std::min(batch, count - start),
                          [&](std::size_t i) { return source(start + i); });
    for (const Condition& condition : table.impossible) {
      const auto refuting = samples.matching(condition).first(1);
      ASSERT_TRUE(refuting.empty()) << "proved impossible, and satisfied by "
                                    << convolutions().text(samples.record(refuting[0]));
    }
  }
}

TEST(NeuronProofs, no_convolution_of_a_small_scope_refutes_what_is_proved) {
  for (const char* name : {"neuron", "neuron-repaired"}) {
    expect_none(proved(name), SmallScope::size(),
                [](std::size_t number) { return convolutions().record(SmallScope::op(number)); });
  }
}

TEST(NeuronProofs, no_random_convolution_refutes_what_is_proved) {
  for (const char* name : {"neuron", "neuron-repaired"}) {
    expect_none(proved(name), 1'000'000, generated_samples(convolutions(), 271828));
  }
}

TEST(NeuronDiff, the_repair_moves_exactly_these_convolutions) {
  const DiffReport report =
      *diff_tables(*find_registry("neuron"), *find_registry("neuron-repaired"));
  std::vector<std::string> moves;
  for (const Change& change : report.changes) {
    EXPECT_EQ(change.status, FindingStatus::witness);
    moves.push_back(change.from.row + ">" + change.to.row);
  }
  const std::vector<std::string> expected{
      "depthwise-backward>",
      "depthwise-backward-io10>",
      "conv2d-depthwise>depthwise-forward-stride-3",
      "conv2d-depthwise>replication",
      "conv2d-depthwise>conv2d-dense-f01b",
      "conv2d-depthwise>",
      "replication>",
      "conv2d-dense-f01b>",
  };
  EXPECT_EQ(moves, expected);
}

TEST(NeuronDiff, a_table_does_not_differ_from_itself) {
  for (const std::string& name : neuron_tables()) {
    const Registry registry = *find_registry(name);
    const DiffReport report = *diff_tables(registry, registry);
    EXPECT_TRUE(report.changes.empty()) << name;
    EXPECT_EQ(exit_status(report), 0);
  }
}

TEST(NeuronDiff, swapping_rows_is_seen_where_they_overlap_and_only_there) {
  const Registry registry = *find_registry("neuron");
  // Rows 5 and 6 overlap; rows 3 and 4 (feature groups and batch groups) cannot.
  EXPECT_FALSE(diff_tables(registry, with_rows_swapped(registry, 4, 5))->changes.empty());
  EXPECT_TRUE(diff_tables(registry, with_rows_swapped(registry, 2, 3))->changes.empty());
}

TEST(ProveTable, an_assumption_kills_rows_that_need_its_opposite) {
  const Registry registry = *find_registry("neuron");
  const auto condition = parse_condition("batch_group_count == 1", registry.schema, {}, "--assume");
  ProveOptions options;
  options.kinds = {FindingKind::contradiction};
  options.assumed.push_back({.condition = *condition});
  const ProofReport report = *prove_table(registry, options);
  EXPECT_TRUE(find(report, FindingKind::contradiction, "depthwise-backward"));
  EXPECT_TRUE(find(report, FindingKind::contradiction, "depthwise-backward-io10"));
}

TEST(ProveTable, a_row_that_only_several_rows_together_cover_is_shadowed_by_all_of_them) {
  RandomTable tables([](std::uint32_t) { return 0U; });
  Registry registry = tables.table(0);
  const std::vector<std::vector<std::string>> rows{
      {"C % 3 == 0"}, {"C % 3 == 1"}, {"kernel_is_graph_input"}, {"C % 3 == 2"}, {"O == 5"}};
  for (const auto& clauses : rows) {
    registry.rows.push_back(tables.row_of(registry.rows.size(), clauses));
  }
  registry.lists[0].count = rows.size();
  ProveOptions options;
  options.kinds = {FindingKind::shadowed};
  const ProofReport report = *prove_table(registry, options);
  const auto finding = find(report, FindingKind::shadowed, "row-4");
  ASSERT_TRUE(finding);
  std::vector<std::string> by;
  for (const Blocker& blocker : finding->by) by.push_back(blocker.row);
  EXPECT_EQ(by, (std::vector<std::string>{"row-0", "row-1", "row-3"}));
}

// The group count divides the output features: with a multiple of 6 for it, so is their number.
TEST(ProveTable, what_divides_a_factor_divides_the_product) {
  RandomTable tables([](std::uint32_t) { return 0U; });
  Registry registry = tables.table(0);
  const std::vector<std::vector<std::string>> rows{
      {"feature_group_count == C", "C % 6 == 0", "O % 3 == 2"},
      {"feature_group_count == C", "C % 6 == 0", "O % 4 == 2"}};
  for (const auto& clauses : rows) {
    registry.rows.push_back(tables.row_of(registry.rows.size(), clauses));
  }
  registry.lists[0].count = rows.size();
  ProveOptions options;
  options.kinds = {FindingKind::contradiction};
  const ProofReport report = *prove_table(registry, options);
  EXPECT_EQ(report.unknown, 0U);
  EXPECT_TRUE(find(report, FindingKind::contradiction, "row-0"));
  EXPECT_FALSE(find(report, FindingKind::contradiction, "row-1"));
}

TEST(ProveTable, a_table_of_more_predicates_than_one_program_holds_is_proved) {
  const GeneratedTable table = *generated_table(300, 1);
  ProveOptions options;
  options.row = "row-300";
  const auto report = prove_table(table.registry, options);
  ASSERT_TRUE(report) << to_string(report.error());
  EXPECT_EQ(report->unknown, 0U);
}

TEST(ProveTable, a_row_that_is_not_there_is_refused) {
  ProveOptions options;
  options.row = "conv9d";
  const auto report = prove_table(*find_registry("neuron"), options);
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().error.value, "conv9d");
}

}  // namespace
}  // namespace convproof::proofs
