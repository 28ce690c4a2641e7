#include "oracle/convolution.h"

#include <cstdint>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "oracle/arbitrary_conv_op.h"
#include "oracle/fill.h"
#include "oracle/prime_field.h"
#include "oracle/random.h"
#include "oracle/scatter_convolution.h"
#include "oracle/tensor.h"
#include "selector/op/dim_labels.h"

namespace convproof::oracle {
namespace {

ConvOp labelled(std::string_view labels, const Shape& image, const Shape& kernel,
                const FixedVector<WindowDim, max_spatial_dims>& window) {
  const DimNumbers numbers = *parse_dim_labels(labels);
  ConvOp op{.in_shape = image,
            .kern_shape = kernel,
            .in_perm = numbers.in,
            .kern_perm = numbers.kern,
            .out_perm = numbers.out,
            .window = window};
  return op;
}

// Runs both references, expects them to agree, and gives back what they say.
std::vector<std::int64_t> both(ConvOp op, std::vector<std::int64_t> image,
                               std::vector<std::int64_t> kernel) {
  op.res_shape = infer_result_shape(op);
  auto gathered = zeros<std::int64_t>(op.res_shape);
  auto scattered = zeros<std::int64_t>(op.res_shape);
  convolve(op, {image, op.in_shape}, {kernel, op.kern_shape}, gathered.view());
  scatter_convolve(op, {image, op.in_shape}, {kernel, op.kern_shape}, scattered.view());
  EXPECT_EQ(gathered.elements, scattered.elements) << op;
  return gathered.elements;
}

using Elements = std::vector<std::int64_t>;

// One batch, one feature, one spatial axis: image 1 2 3 4, kernel 10 1.
Elements row(const WindowDim& window) {
  return both(labelled("bf0_oi0->bf0", {1, 1, 4}, {1, 1, 2}, {window}), {1, 2, 3, 4}, {10, 1});
}

TEST(Convolution, slides_without_flipping) { EXPECT_EQ(row({}), (Elements{12, 23, 34})); }

TEST(Convolution, strides_drop_what_does_not_divide) {
  EXPECT_EQ(row({.stride = 2}), (Elements{12, 34}));
}

TEST(Convolution, pads_with_zeros_and_crops_with_negative_padding) {
  EXPECT_EQ(row({.pad_low = 1, .pad_high = 1}), (Elements{1, 12, 23, 34, 40}));
  EXPECT_EQ(row({.pad_low = -1, .pad_high = -1}), (Elements{23}));
  EXPECT_EQ(row({.pad_low = 2, .pad_high = -3}), (Elements{0, 1}));
}

TEST(Convolution, dilates_the_image_before_it_pads) {
  // 1 0 2 0 3 0 4, less one element on the left, one zero more on the right.
  EXPECT_EQ(row({.pad_low = -1, .pad_high = 1, .lhs_dilation = 2}),
            (Elements{2, 20, 3, 30, 4, 40}));
}

TEST(Convolution, dilates_the_kernel) { EXPECT_EQ(row({.rhs_dilation = 3}), (Elements{14})); }

TEST(Convolution, reverses_the_kernel) {
  EXPECT_EQ(row({.reversal = true}), (Elements{21, 32, 43}));
}

TEST(Convolution, a_window_that_does_not_fit_gives_nothing) {
  EXPECT_EQ(row({.rhs_dilation = 4}), (Elements{}));
}

TEST(Convolution, an_empty_sum_is_zero) {
  EXPECT_EQ(both(labelled("bf0_oi0->bf0", {1, 0, 3}, {2, 0, 2}, {WindowDim{}}), {}, {}),
            (Elements{0, 0, 0, 0}));
}

TEST(Convolution, no_spatial_dimension_is_a_matrix_product) {
  ConvOp op{.in_shape = {2, 2}, .kern_shape = {2, 2}};
  op.in_perm = op.kern_perm = op.out_perm = identity_perm(2);
  // Rows of the image against rows (output features) of the kernel.
  EXPECT_EQ(both(op, {1, 2, 3, 4}, {1, 10, 0, 1}), (Elements{21, 2, 43, 4}));
}

TEST(Convolution, three_spatial_dimensions_each_have_their_own_window) {
  const ConvOp op = labelled("bf012_oi012->bf012", {1, 1, 2, 2, 2}, {1, 1, 2, 1, 1},
                             {WindowDim{}, WindowDim{.stride = 2}, WindowDim{.pad_low = -1}});
  // Elements 1..8; depth is summed with weights 1 and 10, rows 0 only, columns 1 only.
  EXPECT_EQ(both(op, {1, 2, 3, 4, 5, 6, 7, 8}, {1, 10}), (Elements{62}));
}

TEST(Convolution, feature_groups_read_their_own_features) {
  ConvOp op = labelled("bf0_oi0->bf0", {1, 4, 1}, {2, 2, 1}, {WindowDim{}});
  op.feature_group_count = 2;
  EXPECT_EQ(both(op, {1, 2, 3, 4}, {1, 10, 100, 1000}), (Elements{21, 4300}));
}

TEST(Convolution, batch_groups_read_their_own_batch) {
  ConvOp op = labelled("bf0_oi0->bf0", {4, 1, 1}, {2, 1, 1}, {WindowDim{}});
  op.batch_group_count = 2;
  // Result (2, 2, 1): feature 0 sees batch 0 and 1, feature 1 sees batch 2 and 3.
  EXPECT_EQ(both(op, {1, 2, 3, 4}, {1, 10}), (Elements{1, 30, 2, 40}));
}

TEST(Convolution, reads_and_writes_through_the_perms) {
  // Image stored (f, 0, b), kernel stored (0, i, o), result stored (0, b, f).
  const ConvOp op = labelled("f0b_0io->0bf", {2, 2, 1}, {1, 2, 2}, {WindowDim{}});
  // Features (1 2) and (3 4); output 0 weighs them 1 and 100, output 1 weighs them 10 and 1000.
  EXPECT_EQ(both(op, {1, 2, 3, 4}, {1, 10, 100, 1000}), (Elements{301, 3010, 402, 4020}));
}

// Source: design sheet of the Neuron table, section A.4.
TEST(Convolution, a_weight_gradient_has_the_forward_windows_extent) {
  ConvOp op = labelled("fb01_io01->01bf", {16, 3, 224, 224}, {16, 64, 112, 112},
                       {WindowDim{.pad_low = 3, .pad_high = 2, .rhs_dilation = 2},
                        WindowDim{.pad_low = 3, .pad_high = 2, .rhs_dilation = 2}});
  EXPECT_EQ(infer_result_shape(op), (Shape{7, 7, 3, 64}));
}

TEST(Convolution, both_forms_agree_on_random_ops_in_the_field) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SplitMixDraw draw(seed);
    const ConvOp op = arbitrary_conv_op(draw, {.empty_results = true});
    SplitMix64 random(seed);
    auto image = zeros<Field61>(op.in_shape);
    auto kernel = zeros<Field61>(op.kern_shape);
    fill_uniform(random, image.elements);
    fill_uniform(random, kernel.elements);
    auto gathered = zeros<Field61>(op.res_shape);
    auto scattered = zeros<Field61>(op.res_shape);
    convolve(op, image.view(), kernel.view(), gathered.view());
    scatter_convolve(op, image.view(), kernel.view(), scattered.view());
    ASSERT_EQ(gathered.elements, scattered.elements) << op;
  }
}

}  // namespace
}  // namespace convproof::oracle
