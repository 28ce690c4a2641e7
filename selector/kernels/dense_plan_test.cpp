#include "selector/kernels/dense_plan.h"

#include <cstdint>
#include <ostream>

#include <gtest/gtest.h>

#include "selector/kernels/device.h"

namespace convproof {

static std::ostream& operator<<(std::ostream& out, const Tiling& tiling) {
  return out << tiling.count << "x" << tiling.extent;
}

namespace {

// Source: design sheet of the Neuron table, section H.1, tile examples.
TEST(DensePlan, cuts_the_result_as_the_examples_say) {
  struct Row {
    std::int64_t batch, height, width, stride;
    bool in_place;
    Tiling batches, columns, rows;
    std::int64_t compute_tiles, compute_tile, step, free;
  };
  for (const Row& row : {Row{3, 7, 7, 1, false, {1, 3}, {1, 7}, {1, 7}, 1, 7, 1, 147},
                         Row{16, 7, 7, 1, false, {1, 16}, {1, 7}, {2, 4}, 2, 4, 1, 448},
                         Row{1, 128, 512, 1, true, {1, 1}, {1, 512}, {128, 1}, 128, 1, 1, 512},
                         Row{1, 56, 56, 1, true, {1, 1}, {1, 56}, {7, 9}, 7, 9, 1, 504},
                         Row{1, 56, 56, 2, false, {1, 1}, {1, 56}, {12, 10}, 12, 5, 1, 280},
                         Row{64, 3, 3, 1, false, {1, 64}, {1, 3}, {2, 2}, 2, 2, 1, 384},
                         Row{600, 3, 3, 1, false, {2, 512}, {3, 1}, {3, 1}, 3, 1, 1, 512},
                         Row{1, 1, 600, 2, false, {1, 1}, {2, 512}, {2, 1}, 1, 1, 2, 512}}) {
    DenseProblem problem;
    problem.batch = row.batch;
    problem.result = {row.height, row.width};
    problem.stride = {row.stride, 1};
    problem.input = {row.height * row.stride, row.width};
    problem.image_in_place = row.in_place;
    const auto plan = plan_dense(problem, Device{});
    ASSERT_TRUE(plan) << row.height;
    const auto same = [](const Tiling& tiling, const Tiling& expected) {
      return tiling.count == expected.count && tiling.extent == expected.extent;
    };
    EXPECT_TRUE(same(plan->batch, row.batches)) << plan->batch;
    EXPECT_TRUE(same(plan->columns, row.columns)) << plan->columns;
    EXPECT_TRUE(same(plan->rows, row.rows)) << plan->rows;
    EXPECT_EQ(plan->compute_tiles, row.compute_tiles);
    EXPECT_EQ(plan->compute_tile, row.compute_tile);
    EXPECT_EQ(plan->row_tile_step, row.step);
    EXPECT_EQ(plan->free_elements(), row.free);
  }
}

TEST(DensePlan, steps_by_filter_rows_where_dilated_rows_cannot_be_replicated) {
  DenseProblem problem;
  problem.input_features = problem.kernel_features = 96;
  problem.input = {9, 9};
  problem.kernel = {3, 3};
  problem.rhs_dilation = {2, 2};
  problem.result = {5, 5};
  const auto plan = plan_dense(problem, Device{});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->replication, 1);
  EXPECT_EQ(plan->tile_height, 2);
  EXPECT_EQ(plan->outer_tiles, 3);
  EXPECT_EQ(plan->filter_bands, 1);
}

TEST(DensePlan, prefetches_filter_columns_by_the_out_features) {
  DenseProblem problem;
  problem.kernel = {1, 7};
  problem.input = {1, 7};
  const auto columns = [&](std::int64_t outputs) {
    problem.output_features = outputs;
    return plan_dense(problem, Device{})->filter_column_tile;
  };
  EXPECT_EQ(columns(64), 7);
  EXPECT_EQ(columns(2048), 4);
  EXPECT_EQ(columns(4096), 2);
  EXPECT_EQ(columns(4097), 1);
}

// A weight gradient, labels fb01_io01->01bf, of a forward convolution of N images.
DenseProblem gradient(std::int64_t forward_batch, std::int64_t inputs, std::int64_t outputs,
                      std::int64_t height, std::int64_t width, std::int64_t out_height,
                      std::int64_t out_width, KernelCall::Padding padding, std::int64_t dilation) {
  DenseProblem problem;
  problem.batch = inputs;
  problem.input_features = problem.kernel_features = forward_batch;
  problem.output_features = outputs;
  problem.input = {height, width};
  problem.kernel = {out_height, out_width};
  problem.rhs_dilation = {dilation, dilation};
  problem.padding = {padding, padding};
  for (std::size_t axis = 0; axis < 2; ++axis) {
    problem.result[axis] = problem.input[axis] + padding.low + padding.high -
                           ((problem.kernel[axis] - 1) * dilation + 1) + 1;
  }
  return problem;
}

// Source: design sheet of the Neuron table, section I, item 1.
TEST(DensePlan, onchip_replication_refuses_the_stem_weight_gradients) {
  const Device replicating{.onchip_replication = true};
  struct Row {
    DenseProblem problem;
    std::int64_t replication, staging_bytes;
  };
  for (const Row& row : {Row{gradient(1, 3, 64, 256, 1024, 128, 512, {3, 2}, 2), 128, 86436},
                         Row{gradient(1, 3, 64, 64, 64, 32, 32, {3, 2}, 2), 62, 5796},
                         Row{gradient(1, 1, 64, 256, 256, 128, 128, {3, 2}, 2), 128, 7308}}) {
    const auto plan = plan_dense(row.problem, Device{});
    ASSERT_TRUE(plan);
    EXPECT_EQ(plan->replication, row.replication);
    EXPECT_EQ(plan->staging_bytes, row.staging_bytes);
    const auto refusal = plan_dense(row.problem, replicating);
    ASSERT_FALSE(refusal);
    EXPECT_EQ(refusal.error().fault, KernelFault::device_limit);
    EXPECT_EQ(refusal.error().value, 1);  // copy 1 of one feature starts at partition 1
    EXPECT_EQ(refusal.error().limit, 32);
  }
  const auto stem = plan_dense(gradient(1, 3, 64, 256, 1024, 128, 512, {3, 2}, 2), Device{});
  EXPECT_EQ(stem->partitions, 128);
  EXPECT_EQ(stem->outer_tiles, 2);

  DenseProblem sixteen = gradient(16, 3, 64, 224, 224, 112, 112, {3, 2}, 2);
  ASSERT_FALSE(plan_dense(sixteen, replicating));
  EXPECT_EQ(plan_dense(sixteen, replicating).error().value, 16);
}

TEST(DensePlan, onchip_replication_takes_what_needs_none_or_starts_at_a_multiple) {
  const Device replicating{.onchip_replication = true};
  DenseProblem problem;
  problem.input = {8, 8};
  problem.kernel = {3, 3};
  problem.result = {6, 6};
  for (const std::int64_t features : {32, 64, 96, 128, 65, 127}) {
    problem.input_features = problem.kernel_features = features;
    EXPECT_TRUE(plan_dense(problem, replicating)) << features;
  }
  for (const std::int64_t features : {1, 31, 33, 63}) {
    problem.input_features = problem.kernel_features = features;
    const auto refusal = plan_dense(problem, replicating);
    ASSERT_FALSE(refusal) << features;
    EXPECT_EQ(refusal.error().value, features);
  }
}

TEST(DensePlan, staging_follows_the_public_failures) {
  // 3x3 stride 1, 64 to 64 channels: three rows are staged as one tile of four.
  EXPECT_EQ(plan_dense(gradient(1, 64, 64, 128, 512, 128, 512, {1, 1}, 1), Device{})->staging_bytes,
            4 * (512 + 2) * 64 * 4);
}

TEST(DensePlan, checks_the_partitions_and_the_psum_tile) {
  DenseProblem problem;
  problem.input_features = 129;
  ASSERT_FALSE(plan_dense(problem, Device{}));
  EXPECT_EQ(plan_dense(problem, Device{}).error().value, 129);
  EXPECT_EQ(plan_dense(problem, Device{}).error().limit, 128);

  problem.input_features = 1;
  problem.result = {1, 400};
  problem.input = {1, 400};
  const Device small_banks{.psum_bank_bytes = 1024};
  ASSERT_FALSE(plan_dense(problem, small_banks));
  EXPECT_EQ(plan_dense(problem, small_banks).error().limit, 256);
}

}  // namespace
}  // namespace convproof
