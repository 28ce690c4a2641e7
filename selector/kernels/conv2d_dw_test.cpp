#include "selector/kernels/conv2d_dw.h"

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "selector/kernels/kernel_test_problem.h"
#include "selector/kernels/layouts.h"

namespace convproof::kernel_test {
namespace {

const Layouts gradient{image_layout::fb01, kernel_layout::io01, image_layout::zero_1bf};

void expect_convolution(const ConvOp& op, const KernelSwitches& switches = {},
                        const Device& device = {}) {
  Arena arena;
  std::mt19937_64 random(11);
  const Operands operands = random_operands(op, random);
  const Answer answer = run(dense, call_of(op), operands, arena, device, switches);
  ASSERT_TRUE(answer.outcome) << to_string(answer.outcome.error());
  EXPECT_EQ(answer.result, direct_convolution(op, operands)) << to_string(op);
}

TEST(Conv2dDw, dilated_filters_of_many_features_take_one_outer_tile_per_row) {
  expect_convolution(
      make_op(gradient, {2, 96, 7, 7}, 3, 3, 3, {.rhs_dilation = 2}, {.rhs_dilation = 2}));
  expect_convolution(make_op(gradient, {1, 43, 8, 4}, 2, 3, 2, {.rhs_dilation = 3}));
}

TEST(Conv2dDw, width_padding_may_be_negative_or_of_mixed_signs) {
  for (const auto& [low, high] : std::vector<std::pair<std::int64_t, std::int64_t>>{
           {-1, 2}, {2, -1}, {-2, -1}, {-3, 0}, {0, -3}, {4, -2}}) {
    expect_convolution(
        make_op(gradient, {2, 8, 6, 9}, 4, 3, 3, {}, {.pad_low = low, .pad_high = high}));
    expect_convolution(
        make_op(gradient, {2, 3, 9, 6}, 4, 3, 3, {.pad_low = low, .pad_high = high}, {}));
  }
}

TEST(Conv2dDw, tiles_of_every_kind_are_partial_somewhere) {
  // Two batch tiles; two column tiles; two out-feature tiles; several PSUM batches.
  expect_convolution(make_op(gradient, {515, 1, 3, 3}, 2, 2, 2));
  expect_convolution(make_op(gradient, {1, 1, 2, 520}, 2, 1, 3, {.stride = 2}));
  expect_convolution(make_op(gradient, {2, 2, 3, 3}, 131, 2, 2));
  expect_convolution(make_op(gradient, {3, 2, 4, 40}, 5, 2, 3), {}, {.free_elements = 16});
  expect_convolution(make_op({image_layout::bf01, kernel_layout::oi01, image_layout::bf01},
                             {3, 2, 9, 70}, 5, 3, 3, {.pad_low = 1, .pad_high = 1}));
}

TEST(Conv2dDw, strides_need_an_image_that_is_rearranged) {
  Arena arena;
  std::mt19937_64 random(3);
  for (const Perm& in : {image_layout::bf01, image_layout::b01f}) {
    const ConvOp op = make_op({in, kernel_layout::oi01, image_layout::bf01}, {1, 2, 6, 6}, 2, 3, 3,
                              {.stride = 2});
    const Answer answer = run(dense, call_of(op), random_operands(op, random), arena);
    ASSERT_FALSE(answer.outcome);
    EXPECT_EQ(answer.outcome.error().fault, KernelFault::assertion);
    EXPECT_EQ(answer.outcome.error().rule, "unsupported perm with strides");
    EXPECT_EQ(to_string(answer.outcome.error()), "unsupported perm with strides (2, limit 1)");
  }
}

TEST(Conv2dDw, an_unknown_image_perm_is_read_as_fb01) {
  Arena arena;
  std::mt19937_64 random(3);
  const ConvOp op =
      make_op({image_layout::fb10, kernel_layout::io01, image_layout::bf01}, {1, 2, 5, 5}, 2, 3, 3);
  const Operands operands = random_operands(op, random);
  const Answer answer = run(dense, call_of(op), operands, arena);
  ASSERT_TRUE(answer.outcome);
  ConvOp misread = op;
  misread.in_perm = image_layout::fb01;
  EXPECT_EQ(answer.result, direct_convolution(misread, operands));
  EXPECT_NE(answer.result, direct_convolution(op, operands));
}

TEST(Conv2dDw, other_kernel_and_result_perms_are_refused) {
  Arena arena;
  std::mt19937_64 random(3);
  for (const Layouts& layouts :
       {Layouts{image_layout::fb01, {3, 2, 0, 1}, image_layout::bf01},
        Layouts{image_layout::fb01, kernel_layout::io01, image_layout::fb01}}) {
    const ConvOp op = make_op(layouts, {1, 2, 5, 5}, 2, 3, 3);
    const Answer answer = run(dense, call_of(op), random_operands(op, random), arena);
    ASSERT_FALSE(answer.outcome);
    EXPECT_EQ(answer.outcome.error().fault, KernelFault::assertion);
  }
}

// A result perm of 1,2,3,0 says (column, batch, feature, row) as a gather, and is stored as f01b.
TEST(Conv2dDw, the_scatter_spelling_of_a_result_is_stored_as_f01b) {
  Arena arena;
  std::mt19937_64 random(3);
  const ConvOp op =
      make_op({image_layout::fb01, kernel_layout::io01, image_layout::f01b}, {2, 3, 5, 6}, 4, 3, 3);
  const Operands operands = random_operands(op, random);
  KernelCall call = call_of(op);
  call.out_perm = image_layout::f01b_scattered;
  const Answer answer = run(dense, call, operands, arena);
  ASSERT_TRUE(answer.outcome);
  EXPECT_EQ(answer.result, direct_convolution(op, operands));
}

TEST(Conv2dDw, groups_and_lhs_dilation_are_ignored) {
  Arena arena;
  std::mt19937_64 random(3);
  const Layouts layouts{image_layout::f01b, kernel_layout::io01, image_layout::f01b};
  const ConvOp grouped = make_op(layouts, {2, 4, 5, 5}, 4, 3, 3, {}, {}, 2);
  const ConvOp dilated =
      make_op(layouts, {2, 4, 5, 5}, 4, 3, 3, {.lhs_dilation = 2}, {.lhs_dilation = 2});
  for (const ConvOp& op : {grouped, dilated}) {
    const Operands operands = random_operands(op, random);
    const Answer answer = run(dense, call_of(op), operands, arena);
    ASSERT_TRUE(answer.outcome);
    EXPECT_NE(answer.result, direct_convolution(op, operands));
  }
}

// The older kernels. Source: design sheet of the Neuron table, section H.1, defect and step 9.
TEST(Conv2dDw, old_flattening_transpose_is_right_only_for_one_feature_or_one_pixel) {
  Arena arena;
  std::mt19937_64 random(3);
  const auto differs = [&](const Layouts& layouts, const Shape& image, std::int64_t kernel) {
    const ConvOp op = make_op(layouts, image, 3, kernel, kernel);
    const Operands operands = random_operands(op, random);
    const Answer answer =
        run(dense, call_of(op), operands, arena, {}, {.old_flattening_transpose = true});
    EXPECT_TRUE(answer.outcome);
    return answer.result != direct_convolution(op, operands);
  };
  const Layouts image{image_layout::b01f, kernel_layout::oi01, image_layout::bf01};
  EXPECT_TRUE(differs(image, {2, 4, 5, 5}, 3));
  EXPECT_FALSE(differs(image, {2, 1, 5, 5}, 3));
  EXPECT_FALSE(differs(image, {2, 4, 1, 1}, 1));
  const Layouts kernel{image_layout::f01b, kernel_layout::o01i, image_layout::bf01};
  EXPECT_TRUE(differs(kernel, {2, 4, 5, 5}, 3));
  EXPECT_FALSE(differs(kernel, {2, 1, 5, 5}, 3));
  EXPECT_FALSE(differs(kernel, {2, 4, 5, 5}, 1));
}

TEST(Conv2dDw, old_trailing_extents_refuse_one_result_column_of_one_image) {
  Arena arena;
  std::mt19937_64 random(3);
  const auto refused = [&](const Perm& in, const Shape& image, std::int64_t width,
                           std::int64_t pad) {
    const ConvOp op = make_op({in, kernel_layout::io01, image_layout::bf01}, image, 2, 1, width, {},
                              {.pad_low = pad, .pad_high = pad});
    const Operands operands = random_operands(op, random);
    EXPECT_TRUE(run(dense, call_of(op), operands, arena).outcome);
    return !run(dense, call_of(op), operands, arena, {}, {.old_trailing_extents = true}).outcome;
  };
  EXPECT_TRUE(refused(image_layout::fb01, {1, 2, 4, 3}, 3, 0));   // K1 = 1, N = 1
  EXPECT_FALSE(refused(image_layout::fb01, {2, 2, 4, 3}, 3, 0));  // K1 = 1, N = 2
  EXPECT_TRUE(refused(image_layout::bf01, {2, 2, 4, 3}, 3, 0));   // one image at a time
  EXPECT_TRUE(refused(image_layout::fb01, {1, 2, 4, 1}, 1, 1));   // W = 1
  EXPECT_FALSE(refused(image_layout::fb01, {1, 2, 4, 3}, 2, 0));
}

// A band between dilated filter rows is zero on the device, and zero times NaN is NaN.
TEST(Conv2dDw, not_a_number_reaches_past_zero_bands) {
  Arena arena;
  const ConvOp op = make_op(gradient, {1, 1, 5, 1}, 1, 2, 1, {.rhs_dilation = 2});
  std::vector<float> image(5, 1.0F);
  image[1] = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> kernel(2, 1.0F);
  std::vector<float> result(3);
  ASSERT_TRUE(conv2d_dw<float>(call_of(op), {image, op.in_shape}, {kernel, op.kern_shape},
                               {result, op.res_shape}, {.scratch = &arena}));
  EXPECT_TRUE(std::isnan(result[0]));  // the definition reads rows 0 and 2 only
}

}  // namespace
}  // namespace convproof::kernel_test
