// Section B of the Neuron table's design sheet: gate, registries, dispatcher, options, statistics.
// The numbers in the test names are the section's.
#include "selector/registry/conv_pass.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "selector/lowering/attributes.h"
#include "selector/registry/neuron_cases.h"
#include "selector/registry/registry.h"

namespace convproof {
namespace {

// The pass over one table, with everything it needs kept alive.
class Bench {
 public:
  explicit Bench(std::vector<OptionValue> options = {}, const std::string& name = "neuron")
      : registry_(*find_registry(name, options)), pass_(make_pass(false)) {}

  ConvPass make_pass(bool pglt) { return {*Matcher::compile(registry_), statistics_, pglt}; }
  PassResult run(ConvOp op) { return pass_.transform(op); }

  Registry registry_;
  PassStatistics statistics_;
  ConvPass pass_;
};

ConvOp one_dimensional() {
  ConvOp op{.in_shape = {1, 4, 8},
            .kern_shape = {4, 4, 3},
            .in_perm = {0, 1, 2},
            .kern_perm = {0, 1, 2},
            .out_perm = {0, 1, 2},
            .window = {{}}};
  op.res_shape = infer_result_shape(op);
  return op;
}

TEST(ConvPass, b1_the_gate_leaves_counters_and_the_pglt_flag_alone) {
  Bench bench;
  ConvPass pass = bench.make_pass(true);
  ConvOp op = one_dimensional();
  EXPECT_FALSE(pass.transform(op).changed());
  EXPECT_EQ(bench.statistics_.total, 0U);
  EXPECT_FALSE(op.is_pglt);
}

TEST(ConvPass, b2_b29_a_raise_leaves_the_total_counted_and_the_match_not) {
  Bench bench;
  const PassResult result = bench.run(neuron_case(60));
  EXPECT_EQ(result.selection.status, Selection::Status::raised);
  EXPECT_EQ(bench.statistics_.total, 1U);
  EXPECT_EQ(bench.statistics_.matched, 0U);
}

TEST(ConvPass, b3_a_functional_match_counts_and_replaces) {
  Bench bench;
  EXPECT_TRUE(bench.run(neuron_case(8)).changed());
  EXPECT_EQ(bench.statistics_.total, 1U);
  EXPECT_EQ(bench.statistics_.matched, 1U);
}

TEST(ConvPass, b4_b5_b6_the_debug_line_appears_only_with_the_experimental_option) {
  Bench off;
  EXPECT_EQ(off.run(neuron_case(64)).debug_line, "");
  Bench on({{"experimental_convolution_kernel_match", 1}});
  const PassResult result = on.run(neuron_case(64));
  EXPECT_FALSE(result.changed());
  EXPECT_EQ(result.debug_line, "DIDN'T MATCH KERNEL FOR: " + to_string(neuron_case(64)));
  EXPECT_EQ(on.run(neuron_case(8)).debug_line, "");
}

TEST(ConvPass, b7_predicates_after_the_winner_are_not_evaluated) {
  // Row 9 would assert on this malformed operation, but row 5 stands before it.
  ConvOp op = neuron_case(60);
  op.in_shape = {2, 8, 8, 8};
  op.kern_shape = {8, 3, 3, 3};
  Bench bench;
  EXPECT_EQ(bench.run(op).selection.status, Selection::Status::matched);
  EXPECT_EQ(bench.registry_.rows[bench.run(op).selection.row].number, 5);
}

TEST(ConvPass, b8_every_visited_op_carries_the_pass_flag_afterwards) {
  Bench bench;
  ConvPass pass = bench.make_pass(true);
  ConvOp unmatched = neuron_case(13);
  pass.transform(unmatched);
  EXPECT_TRUE(unmatched.is_pglt);
  ConvPass other = bench.make_pass(false);
  other.transform(unmatched);
  EXPECT_FALSE(unmatched.is_pglt);
}

TEST(ConvPass, b9_keyword_arguments_let_one_predicate_serve_two_rows) {
  Bench bench;
  const Row* io01 = bench.registry_.find_row("depthwise-backward");
  const Row* io10 = bench.registry_.find_row("depthwise-backward-io10");
  ASSERT_TRUE(io01 != nullptr && io10 != nullptr);
  ASSERT_EQ(io01->predicate.clauses.size(), io10->predicate.clauses.size());
  for (std::size_t i = 0; i < io01->predicate.clauses.size(); ++i) {
    EXPECT_EQ(to_string(io01->predicate.clauses[i]), to_string(io10->predicate.clauses[i]));
  }
  EXPECT_NE(io01->predicate.parameters, io10->predicate.parameters);
}

TEST(ConvPass, b10_b14_attributes_are_those_after_bridging_and_the_name_is_the_rows) {
  Bench bench;
  const PassResult result = bench.run(neuron_case(18));
  ASSERT_TRUE(result.program);
  EXPECT_EQ(result.program->kernel.func_name, "conv2d_depthwise_f01b_o01i_bf01");
  EXPECT_EQ(result.program->kernel.call.in_shape, (Shape{96, 56, 56, 1}));
  EXPECT_EQ(result.program->kernel.call.in_perm, (Perm{3, 0, 1, 2}));
}

TEST(ConvPass, b11_rows_bridge_as_section_j_remarks) {
  Bench bench;
  EXPECT_EQ(bench.run(neuron_case(18)).program->transposes(), 2);
  EXPECT_EQ(bench.run(neuron_case(31)).program->transposes(), 0);
  const PassResult nhwc = bench.run(neuron_case(30));
  EXPECT_EQ(nhwc.program->in_bridge, (Perm{3, 1, 2, 0}));
  EXPECT_EQ(nhwc.program->kern_bridge, (Perm{3, 0, 1, 2}));
  EXPECT_EQ(nhwc.program->out_bridge, (Perm{0, 2, 3, 1}));
  EXPECT_EQ(bench.run(neuron_case(48)).program->transposes(),
            0);  // row 10 takes the op's own layouts
}

TEST(ConvPass, b16_lists_are_two_and_hold_the_documented_rows) {
  const Registry registry = *find_registry("neuron");
  ASSERT_EQ(registry.lists.size(), 2U);
  std::vector<std::int64_t> functional;
  for (std::size_t i = 0; i < registry.lists[0].count; ++i)
    functional.push_back(registry.rows[i].number);
  EXPECT_EQ(functional, (std::vector<std::int64_t>{1, 2, 3, 4, 5, 6, 9, 10}));
  EXPECT_EQ(registry.lists[1].name, "experimental");
  EXPECT_EQ(registry.lists[1].count, 2U);
}

TEST(ConvPass, b17_the_experimental_predicates_read_no_attribute) {
  const Registry registry = *find_registry("neuron");
  const std::vector<Predicate> stubs{registry.rows[8].predicate, registry.rows[9].predicate};
  const auto program = compile_table(stubs, registry.schema);
  ASSERT_TRUE(program);
  for (const bool read : program->attributes_read()) EXPECT_FALSE(read);
}

TEST(ConvPass, b18_the_experimental_option_changes_no_selection) {
  Bench off;
  Bench on({{"experimental_convolution_kernel_match", 1}});
  for (const NeuronCase& example : neuron_cases()) {
    EXPECT_EQ(off.run(example.op).selection, on.run(example.op).selection) << example.number;
  }
}

TEST(ConvPass, b21_suppressed_lowering_selects_and_counts_but_changes_nothing) {
  Bench bench({{"do_not_insert_convolution", 1}});
  const PassResult result = bench.run(neuron_case(8));
  EXPECT_EQ(result.selection.status, Selection::Status::matched);
  EXPECT_FALSE(result.changed());
  EXPECT_EQ(bench.statistics_.matched, 1U);
}

TEST(ConvPass, b23_b28_statistics_are_shared_and_consistent) {
  Bench bench;
  ConvPass second = bench.make_pass(false);
  for (const NeuronCase& example : neuron_cases()) {
    bench.run(example.op);
    ConvOp again = example.op;
    second.transform(again);
  }
  std::uint64_t sum = 0;
  for (const std::uint64_t count : bench.statistics_.per_kernel) sum += count;
  EXPECT_EQ(sum, bench.statistics_.matched);
  EXPECT_EQ(bench.statistics_.total, 2 * neuron_cases().size());
  EXPECT_LE(bench.statistics_.matched, bench.statistics_.total);
}

TEST(ConvPass, b24_b25_the_epilogue_prints_the_documented_lines) {
  Bench bench;
  bench.run(neuron_case(8));   // row 1
  bench.run(neuron_case(16));  // row 9: row 1's kernel
  bench.run(neuron_case(13));  // none
  const std::vector<std::string> lines = bench.pass_.epilogue();
  ASSERT_EQ(lines.size(), 11U);
  EXPECT_EQ(lines[0], "Total number of convolution operations processed: 3");
  EXPECT_EQ(lines[1], "Number of convolution operations matched to kernels: 2");
  EXPECT_EQ(lines[2], "Percentage of convolution operations matched to kernels: 66.67");
  EXPECT_EQ(lines[3],
            "Number of times kernel Conv2d_dw_fb01_io01_01bf_rep_nhwc_Pcinh is matched: 2");
}

TEST(ConvPass, b24_b27_the_epilogue_resets_and_an_empty_run_is_zero_percent) {
  Bench bench;
  bench.run(neuron_case(8));
  bench.pass_.epilogue();
  EXPECT_EQ(bench.statistics_.total, 0U);
  EXPECT_EQ(bench.statistics_.matched, 0U);
  for (const std::uint64_t count : bench.statistics_.per_kernel) EXPECT_EQ(count, 0U);
  EXPECT_EQ(bench.pass_.epilogue()[2],
            "Percentage of convolution operations matched to kernels: 0.00");
}

}  // namespace
}  // namespace convproof
