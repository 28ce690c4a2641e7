#include "selector/kernels/dense_plan.h"

#include <algorithm>
#include <cstdint>
#include <expected>

#include "selector/kernels/buffer_size.h"
#include "selector/kernels/psum.h"

namespace convproof {
namespace {

// Elements of the filter that one prefetch holds, per partition.
constexpr std::int64_t prefetch_elements = 8192;

void cut_filter_height(const DenseProblem& problem, const Device& device, DensePlan& plan) {
  const std::int64_t dilation = problem.rhs_dilation[0];
  const std::int64_t dilated_height = (problem.kernel[0] - 1) * dilation + 1;
  plan.replication =
      replication_factor(dilated_height, problem.input_features, dilation, device.partitions);
  // Without replication one outer tile per filter row: stepping by single rows would pair a filter
  // row with the rows between.
  plan.tile_height = plan.replication == 1 && dilation > 1 ? dilation : plan.replication;
  plan.outer_tiles = ceil_div(dilated_height, plan.tile_height);
  plan.filter_bands = std::max<std::int64_t>(1, plan.replication / dilation);
  plan.partitions = plan.replication * problem.input_features;
}

void cut_result(const DenseProblem& problem, const Device& device, DensePlan& plan) {
  std::int64_t budget = device.free_elements;
  if (problem.image_in_place) {
    plan.batch = {.count = problem.batch, .extent = 1, .rest = budget};
  } else {
    plan.batch = tile(problem.batch, budget);
    budget = plan.batch.rest;
  }
  plan.columns = tile(problem.result[1], budget);
  const std::int64_t stride = problem.stride[0];
  plan.rows = tile_with_stride(problem.result[0] * stride, plan.columns.rest, stride);
  if (plan.rows.extent == 1) {
    plan.compute_tiles = problem.result[0];
    plan.compute_tile = 1;
    plan.row_tile_step = stride;
  } else {
    plan.compute_tiles = plan.rows.count;
    plan.compute_tile = ceil_div(plan.rows.extent, stride);
    plan.row_tile_step = 1;
  }
  plan.output_tile = std::min(problem.output_features, device.partitions);
  plan.filter_column_tile =
      problem.output_features > prefetch_elements / 2
          ? 1
          : std::min(problem.kernel[1], prefetch_elements / problem.output_features);
}

}  // namespace

std::expected<DensePlan, KernelError> plan_dense(const DenseProblem& problem,
                                                 const Device& device) {
  DensePlan plan;
  if (problem.input_features > device.partitions) {
    return std::unexpected(KernelError{.fault = KernelFault::device_limit,
                                       .rule = "input features on the partitions",
                                       .value = problem.input_features,
                                       .limit = device.partitions});
  }
  cut_filter_height(problem, device, plan);
  // On-chip copies bring copy h_rep of the image to partition h_rep * C: the first decides.
  if (device.onchip_replication && plan.replication > 1 &&
      problem.input_features % device.copy_partition_multiple != 0) {
    return std::unexpected(
        KernelError{.fault = KernelFault::device_limit,
                    .rule = "start partition of an on-chip copy, a multiple of the limit",
                    .value = problem.input_features,
                    .limit = device.copy_partition_multiple});
  }
  cut_result(problem, device, plan);
  if (const KernelResult fits = check_psum_tile(plan.output_tile, plan.free_elements(), device);
      !fits) {
    return std::unexpected(fits.error());
  }

  plan.staged_columns = (problem.result[1] - 1) * problem.stride[1] +
                        (problem.kernel[1] - 1) * problem.rhs_dilation[1] + 1;
  plan.staged_batch = problem.image_in_place ? 1 : problem.batch;
  const auto staging =
      buffer_elements({plan.partitions, plan.compute_tile, plan.staged_columns, plan.staged_batch});
  if (!staging) return std::unexpected(staging.error());
  plan.staging_elements = *staging;
  const auto filter =
      buffer_elements({problem.kernel[1], plan.partitions, problem.output_features});
  if (!filter) return std::unexpected(filter.error());
  plan.filter_elements = *filter;
  plan.staging_bytes =
      saturating_product({plan.rows.count, plan.rows.extent,
                          problem.input[1] + std::max<std::int64_t>(0, problem.padding[1].low) +
                              std::max<std::int64_t>(0, problem.padding[1].high),
                          plan.staged_batch, problem.element_bytes});
  return plan;
}

}  // namespace convproof
