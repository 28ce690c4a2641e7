#pragma once

#include <algorithm>
#include <cstdint>
#include <expected>
#include <utility>

#include "selector/kernels/call_check.h"
#include "selector/kernels/column_packing.h"
#include "selector/kernels/dense_plan.h"
#include "selector/kernels/dense_run.h"
#include "selector/kernels/kernel_table.h"
#include "selector/kernels/layouts.h"
#include "selector/kernels/strided_view.h"

namespace convproof {

// What `plan_column_packing_1` checked and cut. The problem and its plan cover `band_rows` rows of
// the result: the device keeps a whole block of tile * tile * K0 * K1 elements in memory, the model
// one band of it at a time.
struct ColumnPacking1 {
  bool empty = false;  // nothing to compute: the result is all zero
  GroupTiles groups{};
  std::int64_t band_rows = 1;
  DenseProblem problem{};  // of one group tile and one band
  DensePlan plan{};
  DenseProblem last_problem{};  // of the last band, which may have fewer rows
  DensePlan last_plan{};
};

std::expected<ColumnPacking1, KernelError> plan_column_packing_1(const KernelCall& call,
                                                                 const LogicalSizes& sizes,
                                                                 const Device& device);

// A depthwise convolution of one image: its channels are relabelled as the batch of an fb01 image
// with one feature, and the diagonal of the dense result is kept. Image bf01, kernel operand oi01,
// result bf01, whatever the call's perms. Any stride, padding of either sign, rhs dilation.
//
// Refuses  unless feature_group_count == C == O and N == 1; a partial tile of 128 channels; image
//          rows of more than 18200 bytes (by a division by zero while tracing); more than 4096
//          result pixels where a tile has all 128 channels.
// Ignores  batch_group_count, lhs dilation, in features beyond the first (and reversal, which no
//          kernel is told of).
// Source   design sheet of the Neuron table, section H.6.
template <class T>
KernelResult conv2d_column_packing_1(const KernelCall& call, TensorView<const T> image,
                                     TensorView<const T> kernel, TensorView<T> result,
                                     const KernelContext& context) {
  if (KernelResult checked = check_call<T>(call, image, kernel, result, context); !checked) {
    return checked;
  }
  const LogicalSizes sizes =
      sizes_in_layouts(call, image_layout::bf01, kernel_layout::oi01, image_layout::bf01);
  const auto packing = plan_column_packing_1(call, sizes, context.device);
  if (!packing) return std::unexpected(packing.error());
  std::ranges::fill(result.elements, T{});
  if (packing->empty) return {};

  Arena& scratch = *context.scratch;
  const Arena::Scope scope(scratch);
  const std::int64_t tile = packing->groups.tile;
  const std::int64_t band_area = packing->band_rows * sizes.result[1];
  const auto block = scratch.zeroed<T>(tile * tile * band_area);
  const AxisSteps kernel_steps = axis_steps(call.kern_shape, kernel_layout::oi01);
  AxisSteps image_steps = axis_steps(call.in_shape, image_layout::bf01);
  std::swap(image_steps.first, image_steps.second);
  const StridedView<T> out{result.elements.data(), axis_steps(call.res_shape, image_layout::bf01)};
  const std::int64_t channels = std::min(sizes.input_features, sizes.result_features);

  for (std::int64_t first = 0; first < sizes.input_features; first += tile) {
    for (std::int64_t band = 0; band < sizes.result[0]; band += packing->band_rows) {
      const std::int64_t rows = std::min(packing->band_rows, sizes.result[0] - band);
      const bool whole = rows == packing->band_rows;
      DenseProblem problem = whole ? packing->problem : packing->last_problem;
      problem.padding[0].low -= band * problem.stride[0];
      const std::int64_t area = rows * sizes.result[1];
      std::ranges::fill(block, T{});
      run_dense<T>(problem, whole ? packing->plan : packing->last_plan, context.device,
                   {image.elements.data() + first * image_steps.first, image_steps},
                   {kernel.elements.data() + first * kernel_steps.first, kernel_steps},
                   {block.data(),
                    {.first = tile * area, .second = area, .row = sizes.result[1], .column = 1}},
                   scratch);
      for (std::int64_t i = 0; i < tile && first + i < channels; ++i) {
        std::copy_n(block.data() + bf01_diagonal(i, tile, area), area,
                    out.at(0, first + i, band, 0));
      }
    }
  }
  return {};
}

}  // namespace convproof
