#pragma once

#include <algorithm>
#include <cstdint>
#include <expected>

#include "selector/kernels/call_check.h"
#include "selector/kernels/column_packing.h"
#include "selector/kernels/dense_plan.h"
#include "selector/kernels/dense_run.h"
#include "selector/kernels/kernel_table.h"
#include "selector/kernels/layouts.h"
#include "selector/kernels/strided_view.h"

namespace convproof {

// The column-packing engine's view of one call: what `plan_column_packing` checked and cut.
struct ColumnPacking {
  bool empty = false;  // nothing to compute: the result is all zero
  GroupTiles groups{};
  std::int64_t features = 0;  // that image and kernel operand share
  DenseProblem problem{};     // of one group tile
  DensePlan plan{};
};

// Refuses what the two kernels below refuse. `sizes` are those of a checked call.
std::expected<ColumnPacking, KernelError> plan_column_packing(const KernelCall& call,
                                                              const LogicalSizes& sizes,
                                                              const Device& device);

// Runs a planned call: per group tile, slices in the engine's layouts, a dense block, its diagonal.
// `result` is all zero before.
template <class T>
void run_column_packing(const ColumnPacking& packing, const Device& device,
                        StridedView<const T> image, StridedView<const T> kernel,
                        StridedView<T> result, std::int64_t groups, Arena& scratch) {
  const Arena::Scope scope(scratch);
  const DenseProblem& problem = packing.problem;
  const std::int64_t tile = packing.groups.tile;
  const std::int64_t area = problem.result[0] * problem.result[1];
  const auto image_slice =
      scratch.zeroed<T>(problem.input_features * problem.input[0] * problem.input[1] * tile);
  const auto kernel_slice =
      scratch.zeroed<T>(packing.features * problem.kernel[0] * problem.kernel[1] * tile);
  const auto block = scratch.zeroed<T>(tile * area * tile);
  // (feature, row, column, group) buffers, as StridedViews want them.
  const auto packed = [tile](std::int64_t rows, std::int64_t columns) {
    return AxisSteps{
        .first = 1, .second = rows * columns * tile, .row = columns * tile, .column = tile};
  };
  const AxisSteps kernel_steps = packed(problem.kernel[0], problem.kernel[1]);
  const AxisSteps image_steps = packed(problem.input[0], problem.input[1]);
  const AxisSteps block_steps = packed(problem.result[0], problem.result[1]);

  for (std::int64_t first = 0; first < groups; first += tile) {
    copy_slice<T>(image, first, tile, problem.input_features, problem.input[0], problem.input[1],
                  packing.groups.rows_per_slice, image_slice);
    copy_slice<T>(kernel, first, tile, packing.features, problem.kernel[0], problem.kernel[1],
                  packing.groups.rows_per_slice, kernel_slice);
    std::ranges::fill(block, T{});
    run_dense<T>(problem, packing.plan, device, {image_slice.data(), image_steps},
                 {kernel_slice.data(), kernel_steps}, {block.data(), block_steps}, scratch);
    for (std::int64_t i = 0; i < tile && first + i < groups; ++i) {
      const T* in = block.data() + f01b_diagonal(i, tile, area);
      for (std::int64_t row = 0; row < problem.result[0]; ++row) {
        for (std::int64_t column = 0; column < problem.result[1]; ++column, in += tile) {
          *result.at(0, first + i, row, column) = *in;
        }
      }
    }
  }
}

template <class T>
KernelResult column_packing_in_layouts(const KernelCall& call, TensorView<const T> image,
                                       TensorView<const T> kernel, TensorView<T> result,
                                       const KernelContext& context, const Perm& image_perm,
                                       const Perm& kernel_perm) {
  if (KernelResult checked = check_call<T>(call, image, kernel, result, context); !checked) {
    return checked;
  }
  const LogicalSizes sizes =
      sizes_in_layouts(call, image_perm, kernel_perm, image_layout::zero_1bf);
  const auto packing = plan_column_packing(call, sizes, context.device);
  if (!packing) return std::unexpected(packing.error());
  std::ranges::fill(result.elements, T{});
  if (packing->empty) return {};
  run_column_packing<T>(
      *packing, context.device, {image.elements.data(), axis_steps(call.in_shape, image_perm)},
      {kernel.elements.data(), axis_steps(call.kern_shape, kernel_perm)},
      {result.elements.data(), axis_steps(call.res_shape, image_layout::zero_1bf)},
      std::min(sizes.output_features, sizes.result_features), *context.scratch);
  return {};
}

// The weight gradient of a depthwise convolution, as the diagonal of dense blocks. Image fb01,
// kernel operand io01, result 01bf, whatever the call's perms.
//
// Refuses  unless batch_group_count == N == O and the stride is 1; more than 128 input features or
//          result pixels; a partial tile of 128 groups; image rows of more than 18200 bytes (by a
//          division by zero while tracing).
// Ignores  feature_group_count, lhs dilation (and reversal, which no kernel is told of).
// Source   design sheet of the Neuron table, section H.2.
template <class T>
KernelResult conv2d_column_packing(const KernelCall& call, TensorView<const T> image,
                                   TensorView<const T> kernel, TensorView<T> result,
                                   const KernelContext& context) {
  return column_packing_in_layouts<T>(call, image, kernel, result, context, image_layout::fb01,
                                      kernel_layout::io01);
}

// The same for kernel operands io10 and images fb01 or, where the call's perm says so, fb10, which
// are transposed on the way in. Source: design sheet of the Neuron table, section H.3.
template <class T>
KernelResult conv2d_column_packing_io10(const KernelCall& call, TensorView<const T> image,
                                        TensorView<const T> kernel, TensorView<T> result,
                                        const KernelContext& context) {
  const Perm& image_perm =
      call.in_perm == image_layout::fb10 ? image_layout::fb10 : image_layout::fb01;
  return column_packing_in_layouts<T>(call, image, kernel, result, context, image_perm,
                                      kernel_layout::io10);
}

}  // namespace convproof
