#include "selector/lowering/program.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "selector/lowering/attributes.h"
#include "selector/lowering/execute.h"
#include "selector/op/dim_labels.h"

namespace convproof {
namespace {

Perm image(std::string_view labels) { return *parse_labels(labels, LabelRole::image); }
Perm kernel(std::string_view labels) { return *parse_labels(labels, LabelRole::kernel); }

ConvOp depthwise() {
  return {.in_shape = {1, 96, 56, 56},
          .kern_shape = {96, 1, 3, 3},
          .res_shape = {1, 96, 56, 56},
          .in_perm = image("bf01"),
          .kern_perm = kernel("oi01"),
          .out_perm = image("bf01"),
          .window = {{.pad_low = 1, .pad_high = 1}, {.pad_low = 1, .pad_high = 1}},
          .feature_group_count = 96};
}

LoweringRule rule(std::string_view in, std::string_view kern, std::string_view out) {
  return {.layout = {.in = image(in), .kern = kernel(kern), .out = image(out)}};
}

// Design sheet of the Neuron table, section F, shape example.
TEST(Lowering, bridges_a_depthwise_convolution_with_two_transposes) {
  const auto program =
      lower(depthwise(), "conv2d_depthwise_f01b_o01i_bf01", rule("f01b", "o01i", "bf01"));
  ASSERT_TRUE(program);
  EXPECT_EQ(program->in_bridge, (Perm{1, 2, 3, 0}));
  EXPECT_EQ(program->kern_bridge, (Perm{0, 2, 3, 1}));
  EXPECT_FALSE(program->out_bridge);
  EXPECT_EQ(program->kernel.call.in_shape, (Shape{96, 56, 56, 1}));
  EXPECT_EQ(program->kernel.call.kern_shape, (Shape{96, 3, 3, 1}));
  EXPECT_EQ(program->kernel.call.in_perm, image("f01b"));
}

TEST(Lowering, bridges_all_three_tensors_of_a_dense_convolution) {
  ConvOp op = depthwise();
  op.kern_shape = {64, 96, 3, 3};
  op.res_shape = {1, 64, 56, 56};
  op.feature_group_count = 1;
  const auto program = lower(op, "dense", rule("fb01", "io01", "01bf"));
  ASSERT_TRUE(program);
  EXPECT_EQ(program->transposes(), 3);
  EXPECT_EQ(program->kernel.call.res_shape, (Shape{56, 56, 1, 64}));
  EXPECT_EQ(program->out_bridge, (Perm{2, 3, 0, 1}));
}

// Design sheet of the Neuron table, section B.13: the flags against the number of transposes.
TEST(Lowering, counts_transposes_as_the_flags_say) {
  struct Row {
    bool insert, force;
    int none, some;  // transposes where no layout differs, and where two do
  };
  for (const Row& row : std::array{Row{false, false, 0, 2}, Row{false, true, 0, 3},
                                   Row{true, false, 0, 2}, Row{true, true, 3, 3}}) {
    LoweringRule same = rule("bf01", "oi01", "bf01");
    LoweringRule differs = rule("f01b", "o01i", "bf01");
    for (LoweringRule* each : {&same, &differs}) {
      each->insert_transpose = row.insert;
      each->force_insert_transpose = row.force;
    }
    EXPECT_EQ(lower(depthwise(), "k", same)->transposes(), row.none);
    EXPECT_EQ(lower(depthwise(), "k", differs)->transposes(), row.some);
  }
}

TEST(Lowering, an_absent_layout_passes_the_operations_own_through) {
  ConvOp op = depthwise();
  op.in_perm = image("f01b");
  op.in_shape = {96, 56, 56, 1};
  const auto program = lower(op, "k", LoweringRule{});
  EXPECT_EQ(program->transposes(), 0);
  EXPECT_EQ(program->kernel.call.in_perm, image("f01b"));
}

// Design sheet of the Neuron table, section G.1, the example of case J2.
TEST(Attributes, are_printed_in_the_order_and_format_of_the_production_serializer) {
  const ConvOp op{.in_shape = {1, 3, 256, 1024},
                  .kern_shape = {1, 64, 128, 512},
                  .res_shape = {7, 7, 3, 64},
                  .in_perm = image("fb01"),
                  .kern_perm = kernel("io01"),
                  .out_perm = image("01bf"),
                  .window = {{.pad_low = 3, .pad_high = 2, .rhs_dilation = 2},
                             {.pad_low = 3, .pad_high = 2, .rhs_dilation = 2}}};
  const auto program = lower(op, "k", rule("fb01", "io01", "01bf"));
  ASSERT_TRUE(program);
  EXPECT_EQ(attributes_text(program->kernel, {}),
            R"({"stride": [1, 1], "padding": [[3, 2], [3, 2]], "rhs_dilation": [2, 2], )"
            R"("lhs_dilation": [1, 1], "in_perm": [1, 0, 2, 3], "kern_perm": [1, 0, 2, 3], )"
            R"("out_perm": [2, 3, 0, 1], "srcs_shapes": [[1, 3, 256, 1024], [1, 64, 128, 512]], )"
            R"("dsts_shapes": [[7, 7, 3, 64]], "batch_group_count": 1, "feature_group_count": 1})");
}

TEST(Attributes, of_the_symmetric_marshaller_hold_padding_and_stride_only) {
  LoweringRule symmetric = rule("0f1b", "0i1o", "01fb");
  symmetric.marshaller = Marshaller::kernel_attr_same_hl_pad;
  const auto program = lower(depthwise(), "k", symmetric);
  ASSERT_TRUE(program);
  EXPECT_EQ(attributes_text(program->kernel, {}), R"({"padding": [1, 1], "stride": [1, 1]})");

  ConvOp lopsided = depthwise();
  lopsided.window[1].pad_high = 2;
  const auto refused = lower(lopsided, "k", symmetric);
  ASSERT_FALSE(refused);
  EXPECT_EQ(to_string(refused.error()),
            "window[1].padding = [1, 2]: low and high must be equal for this kernel's attributes");
}

KernelResult copy_image(const KernelCall& call, TensorView<const std::int64_t> image,
                        TensorView<const std::int64_t> /*weights*/, TensorView<std::int64_t> result,
                        const KernelContext& /*context*/) {
  EXPECT_EQ(call.in_shape, image.shape);
  for (std::size_t i = 0; i < result.elements.size(); ++i) {
    result.elements[i] = image.elements[i];
  }
  return {};
}

TEST(Execution, hands_the_kernel_the_layout_it_asked_for) {
  const ConvOp op{.in_shape = {2, 3, 1, 1},
                  .kern_shape = {3, 3, 1, 1},
                  .res_shape = {2, 3, 1, 1},
                  .in_perm = image("bf01"),
                  .kern_perm = kernel("oi01"),
                  .out_perm = image("bf01"),
                  .window = {{}, {}}};
  const auto program = lower(op, "copy", rule("fb01", "oi01", "fb01"));
  ASSERT_TRUE(program);
  const std::array<std::int64_t, 6> stored{1, 2, 3, 4, 5, 6};
  const std::array<std::int64_t, 9> weights{};
  std::array<std::int64_t, 6> result{};
  Arena arena;
  const KernelEntry<std::int64_t> entry{"copy", "copy", copy_image};
  ASSERT_TRUE(execute<std::int64_t>(*program, entry, {stored, op.in_shape},
                                    {weights, op.kern_shape}, {result, op.res_shape},
                                    {.scratch = &arena}));
  EXPECT_EQ(result, stored);  // transposed in and back out again
}

TEST(KernelLookUp, a_miss_is_the_production_error) {
  const std::array table{KernelEntry<float>{"a", "a", nullptr},
                         KernelEntry<float>{"B", "b", nullptr}};
  const std::array<std::string, 3> registered{"a", "other", "B"};
  EXPECT_EQ((*find_kernel<float>(table, "B", registered))->leaf, "b");
  const auto miss = find_kernel<float>(table, "b", registered);
  ASSERT_FALSE(miss);
  EXPECT_EQ(miss.error(),
            "Internal NKI kernel 'b' is not registered. Available kernels: dict_keys(['a', "
            "'other', 'B'])");
}

}  // namespace
}  // namespace convproof
