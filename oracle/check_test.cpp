#include "oracle/check.h"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "oracle/allocation_counter.h"
#include "oracle/arbitrary_conv_op.h"
#include "oracle/draw.h"
#include "selector/op/dim_labels.h"
#include "selector/registry/registry.h"

namespace convproof::oracle {
namespace {

// A checker with the registry it borrows.
struct Bench {
  explicit Bench(const std::string& name, std::vector<OptionValue> options = {},
                 CheckOptions check = {})
      : registry(find_registry(name, options).value()),
        checker(Checker::create(registry, check).value()) {}

  Registry registry;
  Checker checker;
};

ConvOp convolution(const std::string& labels, const Shape& in, const Shape& kern,
                   const WindowDim& window, std::int64_t groups = 1) {
  const DimNumbers numbers = parse_dim_labels(labels).value();
  ConvOp op{.in_shape = in,
            .kern_shape = kern,
            .in_perm = numbers.in,
            .kern_perm = numbers.kern,
            .out_perm = numbers.out,
            .window = {window, window},
            .feature_group_count = groups};
  op.res_shape = infer_result_shape(op);
  return op;
}

ConvOp generated(std::uint64_t seed) {
  SplitMixDraw draw(seed);
  return arbitrary_conv_op(draw);
}

constexpr std::uint64_t generated_ops = 100'000;

TEST(Check, the_repaired_table_is_right_on_generated_convolutions) {
  Bench bench("neuron-repaired");
  std::uint64_t equal = 0;
  for (std::uint64_t seed = 1; seed <= generated_ops; ++seed) {
    const ConvOp op = generated(seed);
    const Verdict verdict = bench.checker.check(op, seed);
    ASSERT_FALSE(is_finding(verdict.value))
        << seed << " " << to_string(op) << " " << name_of(verdict.value);
    equal += verdict.value == CheckClass::equal ? 1 : 0;
  }
  EXPECT_GT(equal, generated_ops / 3);
}

TEST(Check, every_finding_of_the_documented_table_has_its_explanation) {
  Bench bench("neuron");
  std::uint64_t reached = 0;
  std::uint64_t findings = 0;
  for (std::uint64_t seed = 1; seed <= generated_ops; ++seed) {
    const ConvOp op = generated(seed);
    const Verdict verdict = bench.checker.check(op, seed);
    reached += verdict.row.has_value() ? 1 : 0;
    if (!is_finding(verdict.value)) continue;
    ++findings;
    ASSERT_NE(verdict.value, CheckClass::raised) << to_string(op);
    if (findings % 16 != 0) continue;  // describing re-runs the kernel: a sample is enough
    const Explanation explanation = bench.checker.describe(op, verdict, seed);
    ASSERT_TRUE(!explanation.clauses.empty() || !explanation.defect.empty())
        << seed << " " << to_string(op) << " " << name_of(verdict.value) << ": "
        << explanation.detail;
  }
  EXPECT_GT(reached, generated_ops / 2);
  EXPECT_GT(findings, generated_ops / 20);
}

// Design sheet of the Neuron table, section H.5: the last-tile defect at its best-known size.
TEST(Check, the_last_tile_defect_is_found_named_and_mended) {
  const ConvOp op = convolution("bf01_oi01->bf01", {1, 2, 224, 224}, {2, 1, 5, 5},
                                {.pad_low = 2, .pad_high = 2}, 2);
  Bench documented("neuron");
  const Verdict verdict = documented.checker.check(op, 7);
  ASSERT_EQ(verdict.value, CheckClass::different);
  const Explanation explanation = documented.checker.describe(op, verdict, 7);
  EXPECT_EQ(explanation.first_difference, "n=0 o=0 y=223 x=0");
  EXPECT_NE(explanation.detail.find("first n=0 o=0 y=223 x=0"), std::string::npos)
      << explanation.detail;
  EXPECT_NE(explanation.detail.find("is missing"), std::string::npos) << explanation.detail;
  EXPECT_EQ(explanation.defect, "mend_last_tile");
  EXPECT_TRUE(explanation.clauses.empty());
  EXPECT_EQ(Bench("neuron-repaired").checker.check(op, 7).value, CheckClass::equal);
  const ConvOp unaffected = convolution("bf01_oi01->bf01", {1, 2, 112, 112}, {2, 1, 5, 5},
                                        {.pad_low = 2, .pad_high = 2}, 2);
  EXPECT_EQ(documented.checker.check(unaffected, 7).value, CheckClass::equal);
}

// Design sheet of the Neuron table, section I.1. Nothing is executed: a refusal comes before any
// work.
TEST(Check, on_chip_replication_refuses_the_reported_shapes_and_no_others) {
  Bench bench("neuron", {{"onchip_replication", 1}});
  const auto gradient = [](const Shape& in, const Shape& kern, const WindowDim& window) {
    ConvOp op = convolution("fb01_io01->01bf", in, kern, window);
    op.kernel_is_graph_input = false;
    return op;
  };
  const WindowDim stem{.pad_low = 3, .pad_high = 2, .rhs_dilation = 2};
  for (const ConvOp& op : {gradient({1, 3, 256, 1024}, {1, 64, 128, 512}, stem),
                           gradient({1, 3, 64, 64}, {1, 64, 32, 32}, stem),
                           gradient({1, 1, 256, 256}, {1, 64, 128, 128}, stem)}) {
    const Verdict verdict = bench.checker.check(op, 1);
    ASSERT_EQ(verdict.value, CheckClass::rejected) << to_string(op);
    EXPECT_EQ(verdict.refusal->fault, KernelFault::device_limit);
    EXPECT_EQ(verdict.refusal->value, 1);   // the partition that a copy would start at
    EXPECT_EQ(verdict.refusal->limit, 32);  // what it must be a multiple of
  }
  const WindowDim same{.pad_low = 1, .pad_high = 1};
  const WindowDim stride2{.pad_low = 1, .pad_high = 0, .rhs_dilation = 2};
  for (const ConvOp& op : {gradient({1, 64, 128, 512}, {1, 64, 128, 512}, same),
                           gradient({1, 256, 16, 64}, {1, 256, 16, 64}, same),
                           gradient({1, 512, 8, 32}, {1, 512, 8, 32}, same),
                           gradient({1, 128, 32, 128}, {1, 256, 16, 64}, stride2)}) {
    EXPECT_NE(bench.checker.check(op, 1).value, CheckClass::rejected) << to_string(op);
  }
}

TEST(Check, a_warm_checker_allocates_nothing) {
  Bench bench("neuron");
  std::vector<ConvOp> ops;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) ops.push_back(generated(seed));
  const auto check_all = [&] {
    for (const ConvOp& op : ops) static_cast<void>(bench.checker.check(op, 3));
  };
  check_all();
  const std::int64_t before = allocation_count();
  check_all();
  EXPECT_EQ(allocation_count(), before);
}

TEST(Check, says_what_it_did_not_execute) {
  const ConvOp op = convolution("bf01_oi01->bf01", {1, 4, 12, 12}, {4, 1, 3, 3},
                                {.pad_low = 1, .pad_high = 1}, 4);
  Bench small("neuron", {}, {.max_work = 10});
  const Verdict verdict = small.checker.check(op, 1);
  EXPECT_EQ(verdict.value, CheckClass::skipped);
  EXPECT_EQ(small.checker.describe(op, verdict, 1).detail,
            "5184 multiply-adds, more than the limit of 10");

  ConvOp malformed = op;
  malformed.feature_group_count = 3;
  EXPECT_EQ(small.checker.check(malformed, 1).value, CheckClass::invalid);

  const ConvOp line{.in_shape = {1, 1, 4},
                    .kern_shape = {1, 1, 2},
                    .res_shape = {1, 1, 3},
                    .in_perm = {0, 1, 2},
                    .kern_perm = {0, 1, 2},
                    .out_perm = {0, 1, 2},
                    .window = {{}}};
  EXPECT_EQ(small.checker.check(line, 1).value, CheckClass::gated);
}

TEST(Check, an_explicit_kernel_runs_whatever_the_table_selects) {
  Bench bench("neuron", {}, {.kernel = "Conv2d_pbp_0f1b_0i1o_01fb_experimental_1"});
  const ConvOp op =
      convolution("b01f_01io->b01f", {1, 6, 7, 3}, {3, 3, 3, 5}, {.pad_low = 1, .pad_high = 1});
  const Verdict verdict = bench.checker.check(op, 1);
  EXPECT_EQ(verdict.value, CheckClass::equal);
  EXPECT_EQ(bench.registry.rows[*verdict.row].number, 7);
  EXPECT_FALSE(Checker::create(bench.registry, {.kernel = "no such kernel"}));
}

// A wrong kernel result must be noticed: the silent gaps of the sheet, one each.
TEST(Check, silent_gaps_are_different_and_name_their_clause) {
  Bench bench("neuron");
  ConvOp reversed =
      convolution("bf01_oi01->bf01", {1, 4, 6, 6}, {4, 1, 3, 3}, {.reversal = true}, 4);
  const Verdict verdict = bench.checker.check(reversed, 1);
  ASSERT_EQ(verdict.value, CheckClass::different);
  EXPECT_EQ(bench.checker.describe(reversed, verdict, 1).clauses,
            std::vector<std::string>{"no_reversal: not any(rhs_reversal)"});
}

}  // namespace
}  // namespace convproof::oracle
