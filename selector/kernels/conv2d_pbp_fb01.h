#pragma once

#include <algorithm>
#include <cstdint>

#include "selector/kernels/arena.h"
#include "selector/kernels/call_check.h"
#include "selector/kernels/conv2d_pbp.h"
#include "selector/kernels/kernel_table.h"
#include "selector/kernels/layouts.h"
#include "selector/kernels/plane_transpose.h"
#include "selector/kernels/strided_view.h"

namespace convproof {

// A wrapper of the pixel-by-pixel kernel for image fb01, kernel operand io01 and result 01bf,
// whatever the call's perms: transposes operands and result through scratch memory. Refuses and
// ignores the same.
// Source: design sheet of the Neuron table, section H.8.
template <class T>
KernelResult conv2d_pbp_fb01(const KernelCall& call, TensorView<const T> image,
                             TensorView<const T> kernel, TensorView<T> result,
                             const KernelContext& context) {
  if (KernelResult checked = check_call<T>(call, image, kernel, result, context); !checked) {
    return checked;
  }
  const LogicalSizes sizes =
      sizes_in_layouts(call, image_layout::fb01, kernel_layout::io01, image_layout::zero_1bf);
  const auto problem = plan_pbp(call, sizes, context.device);
  if (!problem) return std::unexpected(problem.error());
  if (problem->empty) {
    std::ranges::fill(result.elements, T{});
    return {};
  }

  const AxisExtents image_extents{sizes.batch, sizes.input_features, sizes.input[0],
                                  sizes.input[1]};
  const AxisExtents kernel_extents{sizes.output_features, sizes.kernel_features, sizes.kernel[0],
                                   sizes.kernel[1]};
  const AxisExtents result_extents{sizes.batch, sizes.output_features, sizes.result[0],
                                   sizes.result[1]};
  Arena& scratch = *context.scratch;
  const Arena::Scope scope(scratch);
  const auto moved = [&scratch](const AxisExtents& extents) {
    return scratch.zeroed<T>(extents.first * extents.second * extents.row * extents.column);
  };
  // (row, second, column, first): 0f1b and 0i1o; and (row, column, second, first): 01fb.
  const auto row_major = [](const AxisExtents& extents) {
    return AxisSteps{.first = 1,
                     .second = extents.column * extents.first,
                     .row = extents.second * extents.column * extents.first,
                     .column = extents.first};
  };
  const auto moved_image = moved(image_extents);
  const auto moved_kernel = moved(kernel_extents);
  const auto moved_result = moved(result_extents);
  const std::int64_t block = context.device.partitions;
  transpose_planes<T>({image.elements.data(), axis_steps(call.in_shape, image_layout::fb01)},
                      {moved_image.data(), row_major(image_extents)}, image_extents, block);
  transpose_planes<T>({kernel.elements.data(), axis_steps(call.kern_shape, kernel_layout::io01)},
                      {moved_kernel.data(), row_major(kernel_extents)}, kernel_extents, block);
  run_pbp<T>(*problem, moved_image.data(), moved_kernel.data(), moved_result.data(), scratch);
  const AxisSteps result_steps{.first = 1,
                               .second = sizes.batch,
                               .row = sizes.result[1] * sizes.output_features * sizes.batch,
                               .column = sizes.output_features * sizes.batch};
  transpose_planes<T>({moved_result.data(), result_steps},
                      {result.elements.data(), axis_steps(call.res_shape, image_layout::zero_1bf)},
                      result_extents, block);
  return {};
}

}  // namespace convproof
