#include <cstdint>
#include <random>

#include <gtest/gtest.h>

#include "selector/kernels/kernel_test_problem.h"
#include "selector/kernels/layouts.h"

// Cases of the depthwise kernels and of column packing that random small ops do not reach.
namespace convproof::kernel_test {
namespace {

const Layouts plain{image_layout::bf01, kernel_layout::oi01, image_layout::bf01};
const Layouts gradient{image_layout::fb01, kernel_layout::io01, image_layout::zero_1bf};

class DepthwiseKernels : public testing::Test {
 protected:
  Answer answer(std::string_view kernel, const ConvOp& op, const Device& device = {},
                const KernelSwitches& switches = {}) {
    operands_ = random_operands(op, random_);
    return run(kernel, call_of(op), operands_, arena_, device, switches);
  }
  void expect_convolution(std::string_view kernel, const ConvOp& op) {
    const Answer given = answer(kernel, op);
    ASSERT_TRUE(given.outcome) << to_string(given.outcome.error());
    EXPECT_EQ(given.result, direct_convolution(op, operands_)) << to_string(op);
  }
  void expect_refusal(std::string_view kernel, const ConvOp& op, KernelFault fault,
                      std::string_view rule, const Device& device = {},
                      const KernelSwitches& switches = {}) {
    const Answer given = answer(kernel, op, device, switches);
    ASSERT_FALSE(given.outcome) << to_string(op);
    EXPECT_EQ(given.outcome.error().fault, fault);
    EXPECT_EQ(given.outcome.error().rule, rule);
  }

 private:
  Arena arena_;
  std::mt19937_64 random_{17};
  Operands operands_;
};

ConvOp row_op(std::int64_t channels, std::int64_t width, std::int64_t window, std::int64_t low,
              std::int64_t high, std::int64_t batch = 1) {
  return make_op(plain, {batch, channels, 1, width}, channels, 1, window, {},
                 {.pad_low = low, .pad_high = high}, channels);
}

TEST_F(DepthwiseKernels, conv1d_computes_in_both_bodies_and_with_a_channel_tail) {
  expect_convolution(conv1d, row_op(6, 128, 4, 3, 0, 2));  // default
  expect_convolution(conv1d, row_op(6, 128, 4, 3, 3, 2));  // f_packing, 131 columns
  expect_convolution(conv1d, row_op(3, 600, 511, 2, 0));
  expect_convolution(conv1d, row_op(130, 10, 3, 1, 1));
  expect_convolution(conv1d, row_op(7, 4, 4, 0, 0));
}

TEST_F(DepthwiseKernels, conv1d_names_what_it_refuses) {
  expect_refusal(conv1d, row_op(2, 600, 512, 0, 0), KernelFault::assertion,
                 "expect small conv window");
  expect_refusal(conv1d, row_op(2, 9, 3, -1, 0), KernelFault::assertion,
                 "Only supports positive paddings");
  expect_refusal(conv1d,
                 make_op(plain, {1, 2, 1, 9}, 2, 1, 3, {.pad_low = 1, .pad_high = -1}, {}, 2),
                 KernelFault::assertion, "1d conv expected");
}

TEST_F(DepthwiseKernels, conv1d_of_the_older_generation_has_two_more_limits) {
  expect_refusal(conv1d, row_op(130, 10, 3, 1, 1), KernelFault::device_limit,
                 "channels in whole tiles of the partitions", {}, {.old_channel_tail = true});
  for (const std::int64_t channels : {100, 128, 256}) {
    EXPECT_TRUE(
        answer(conv1d, row_op(channels, 10, 3, 1, 1), {}, {.old_channel_tail = true}).outcome);
  }
  expect_refusal(conv1d, row_op(8, 4, 4, 0, 0), KernelFault::assertion, "Unhandled case", {},
                 {.old_trailing_extents = true});
  EXPECT_TRUE(answer(conv1d, row_op(8, 5, 4, 0, 0), {}, {.old_trailing_extents = true}).outcome);
}

ConvOp gradient_op(const Layouts& layouts, std::int64_t groups, std::int64_t features,
                   std::int64_t height, std::int64_t width, std::int64_t filter_height,
                   std::int64_t filter_width, const WindowDim& dim) {
  return make_op(layouts, {groups, features, height, width}, groups, filter_height, filter_width,
                 dim, dim, 1, groups);
}

TEST_F(DepthwiseKernels, column_packing_takes_whole_group_tiles) {
  const WindowDim same{.pad_low = 1, .pad_high = 1};
  expect_convolution(column_packing, gradient_op(gradient, 64, 3, 6, 6, 6, 6, same));
  expect_convolution(column_packing, gradient_op(gradient, 256, 2, 3, 3, 3, 3, same));
  expect_convolution(column_packing, gradient_op(gradient, 6, 128, 3, 3, 3, 3, same));
  expect_convolution(column_packing, gradient_op(gradient, 8, 4, 8, 8, 4, 4,
                                                 {.pad_low = 1, .pad_high = 0, .rhs_dilation = 2}));
  expect_refusal(column_packing, gradient_op(gradient, 192, 2, 3, 3, 3, 3, same),
                 KernelFault::device_limit, "groups in whole tiles of the partitions");
}

TEST_F(DepthwiseKernels, column_packing_has_a_partition_per_result_pixel) {
  const WindowDim none{};
  // 128 pixels, and 129.
  expect_convolution(column_packing, gradient_op(gradient, 3, 2, 8, 16, 1, 1, none));
  expect_refusal(column_packing, gradient_op(gradient, 3, 2, 3, 43, 1, 1, none),
                 KernelFault::device_limit, "result pixels on the partitions");
}

TEST_F(DepthwiseKernels, column_packing_divides_by_zero_on_wide_rows) {
  const auto wide = [](const Layouts& layouts, std::int64_t width) {
    return make_op(layouts, {2, 1, 1, width}, 2, 1, width, {}, {.pad_low = 1, .pad_high = 1}, 1, 2);
  };
  const Layouts io10{image_layout::fb10, kernel_layout::io10, image_layout::zero_1bf};
  for (const auto& [kernel, layouts] :
       {std::pair{column_packing, gradient}, std::pair{column_packing_io10, io10}}) {
    expect_convolution(kernel, wide(layouts, 4550));
    expect_refusal(kernel, wide(layouts, 4551), KernelFault::trace,
                   "integer division or modulo by zero");
    ConvOp half = wide(layouts, 4551);
    half.element_type = ElementType::bf16;
    EXPECT_TRUE(answer(kernel, half).outcome);
  }
}

TEST_F(DepthwiseKernels, column_packing_1_takes_stride_three_and_several_bands) {
  const auto op = [](std::int64_t channels, std::int64_t size, std::int64_t stride) {
    return make_op(plain, {1, channels, size, size}, channels, 3, 3,
                   {.stride = stride, .pad_low = 1, .pad_high = 1}, {.stride = stride}, channels);
  };
  expect_convolution(column_packing_1, op(64, 30, 3));
  expect_convolution(column_packing_1, op(256, 8, 3));
  expect_convolution(column_packing_1, op(100, 32, 1));  // more than one band of the block
  expect_refusal(column_packing_1, op(192, 8, 3), KernelFault::device_limit,
                 "groups in whole tiles of the partitions");
  expect_refusal(column_packing_1, op(128, 68, 1), KernelFault::device_limit,
                 "result pixels of a full group tile");
}

TEST_F(DepthwiseKernels, onchip_replication_reaches_the_engine_inside_column_packing) {
  const Device replicating{.onchip_replication = true};
  const WindowDim same{.pad_low = 1, .pad_high = 1};
  const ConvOp eight = gradient_op(gradient, 8, 8, 4, 4, 4, 4, same);
  expect_refusal(column_packing, eight, KernelFault::device_limit,
                 "start partition of an on-chip copy, a multiple of the limit", replicating);
  EXPECT_TRUE(
      answer(column_packing, gradient_op(gradient, 8, 32, 4, 4, 4, 4, same), replicating).outcome);
  const ConvOp forward = make_op(plain, {1, 4, 6, 6}, 4, 3, 3, {}, {}, 4);
  expect_refusal(column_packing_1, forward, KernelFault::device_limit,
                 "start partition of an on-chip copy, a multiple of the limit", replicating);
  EXPECT_TRUE(
      answer(column_packing_1, make_op(plain, {1, 4, 6, 6}, 4, 1, 3, {}, {}, 4), replicating)
          .outcome);
}

TEST_F(DepthwiseKernels, conv2d_depthwise_names_what_it_refuses) {
  const Layouts layouts{image_layout::f01b, kernel_layout::o01i, image_layout::bf01};
  const auto op = [&](const WindowDim& dim, std::int64_t groups, std::int64_t outputs) {
    return make_op(layouts, {1, 4, 8, 8}, outputs, 3, 3, dim, {}, groups);
  };
  expect_refusal(depthwise, op({}, 1, 4), KernelFault::assertion, "depthwise conv only");
  expect_refusal(depthwise, op({}, 4, 8), KernelFault::assertion, "depthwise conv only");
  expect_refusal(depthwise, op({.stride = 2}, 4, 4), KernelFault::assertion,
                 "Only support stride of size 1");
  expect_refusal(depthwise, op({.rhs_dilation = 2}, 4, 4), KernelFault::assertion,
                 "rhs_dilation is not supported when lhs_dilation is enabled");
  expect_refusal(depthwise, op({.pad_low = -1}, 4, 4), KernelFault::assertion,
                 "Only supports positive paddings");
}

TEST_F(DepthwiseKernels, pbp_tiles_and_the_height_of_its_filter) {
  const Layouts layouts{image_layout::zero_f1b, kernel_layout::zero_i1o, image_layout::zero_1fb};
  expect_convolution(pbp_0f1b, make_op(layouts, {2, 2, 3, 12}, 131, 2, 10));
  expect_convolution(pbp_0f1b, make_op(layouts, {515, 1, 2, 2}, 2, 1, 2));
  expect_convolution(pbp_0f1b, make_op(layouts, {1, 1, 129, 1}, 1, 128, 1));
  expect_refusal(pbp_0f1b, make_op(layouts, {1, 1, 129, 1}, 1, 129, 1), KernelFault::assertion,
                 "H_filter > 128");
  expect_convolution(pbp_fb01, make_op(gradient, {140, 2, 130, 2}, 3, 2, 1));
}

// With hi == lo + canH - HF the extent assertions hold and the rhs dilation is silently lost.
TEST_F(DepthwiseKernels, pbp_loses_a_dilation_that_its_padding_hides) {
  const Layouts layouts{image_layout::zero_f1b, kernel_layout::zero_i1o, image_layout::zero_1fb};
  Arena arena;
  std::mt19937_64 random(5);
  const ConvOp op =
      make_op(layouts, {1, 2, 7, 4}, 2, 3, 1, {.pad_low = 1, .pad_high = 3, .rhs_dilation = 2});
  const Operands operands = random_operands(op, random);
  const Answer given = run(pbp_0f1b, call_of(op), operands, arena);
  ASSERT_TRUE(given.outcome);
  EXPECT_NE(given.result, direct_convolution(op, operands));
}

}  // namespace
}  // namespace convproof::kernel_test
