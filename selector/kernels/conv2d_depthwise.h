#pragma once

#include <algorithm>
#include <cstdint>
#include <expected>
#include <span>

#include "selector/kernels/call_check.h"
#include "selector/kernels/depthwise_rows.h"
#include "selector/kernels/kernel_table.h"
#include "selector/kernels/layouts.h"
#include "selector/kernels/strided_view.h"

namespace convproof {

struct DepthwisePlan {
  bool empty = false;
  DepthwiseHeight height{};
  std::int64_t tile_rows = 1;
  std::int64_t buffer_rows = 0;     // of the largest row buffer, as far as windows read
  std::int64_t buffer_columns = 0;  // of the padded width, as far as windows read
};

// Refuses what the kernel below refuses; walks the row windows once, so that the kernel need not
// stop half-way.
std::expected<DepthwisePlan, KernelError> plan_conv2d_depthwise(const KernelCall& call,
                                                                const LogicalSizes& sizes,
                                                                const KernelContext& context);

// Zeroes the rows of a buffer that the window reads and scatters the window's image rows into them,
// dilated and padded. The window has result rows.
template <class T>
void fill_row_buffer(const RowWindow& window, const DepthwisePlan& plan, std::int64_t pad_left,
                     std::int64_t width, std::int64_t column_dilation, StridedView<const T> image,
                     std::int64_t n, std::int64_t channel, std::span<T> buffer) {
  const std::int64_t rows = window.window + plan.height.kernel - 1;
  std::fill_n(buffer.data(), rows * plan.buffer_columns, T{});
  for (std::int64_t i = 0; i < window.load; ++i) {
    const std::int64_t row = window.first_row + i * plan.height.lhs_dilation;
    if (row >= rows) break;
    const T* in = image.at(n, channel, window.origin + i, 0);
    T* const out = buffer.data() + row * plan.buffer_columns;
    std::int64_t column = pad_left;
    for (std::int64_t j = 0; j < width && column < plan.buffer_columns; ++j) {
      out[column] = *in;
      column += column_dilation;
      in += image.steps.column;
    }
  }
}

// A depthwise convolution with lhs dilation, by windows of result rows. Image f01b or, where the
// call's perm says so, fb10 (reversed on its last three axes on the way in), kernel operand o01i,
// result bf01, whatever the call's other perms.
//
// Refuses  unless feature_group_count == C == O and I == 1 (`depthwise conv only`), the stride is 1
//          (`Only support stride of size 1`), the rhs dilation is 1 (`rhs_dilation is not supported
//          when lhs_dilation is enabled`) and no padding is below 0 (`Only supports positive
//          paddings`); a row window that scatters past its buffer, which only happens with an lhs
//          dilation and without mend_last_tile.
// Ignores  batch_group_count (and reversal, which no kernel is told of).
// Defect   without mend_last_tile the last result rows may miss taps, see depthwise_rows.h.
// Source   design sheet of the Neuron table, section H.5.
template <class T>
KernelResult conv2d_depthwise(const KernelCall& call, TensorView<const T> image,
                              TensorView<const T> kernel, TensorView<T> result,
                              const KernelContext& context) {
  if (KernelResult checked = check_call<T>(call, image, kernel, result, context); !checked) {
    return checked;
  }
  const Perm& image_perm =
      call.in_perm == image_layout::fb10 ? image_layout::fb10 : image_layout::f01b;
  const LogicalSizes sizes =
      sizes_in_layouts(call, image_perm, kernel_layout::o01i, image_layout::bf01);
  const auto plan = plan_conv2d_depthwise(call, sizes, context);
  if (!plan) return std::unexpected(plan.error());
  std::ranges::fill(result.elements, T{});
  if (plan->empty) return {};

  const Arena::Scope scope(*context.scratch);
  const auto buffer = context.scratch->zeroed<T>(plan->buffer_rows * plan->buffer_columns);
  const StridedView<const T> in{image.elements.data(), axis_steps(call.in_shape, image_perm)};
  const StridedView<T> out{result.elements.data(), axis_steps(call.res_shape, image_layout::bf01)};
  const std::int64_t filter_rows = sizes.kernel[0];
  const std::int64_t filter_columns = sizes.kernel[1];
  const std::int64_t batch = std::min(sizes.batch, sizes.result_batch);
  const std::int64_t channels = std::min(sizes.input_features, sizes.result_features);
  for (std::int64_t n = 0; n < batch; ++n) {
    std::int64_t next = 0;
    while (next < sizes.result[0]) {
      const RowWindow window =
          row_window_at(next, plan->height, plan->tile_rows, context.switches.mend_last_tile);
      next += std::max<std::int64_t>(1, window.window);
      if (window.window < 1) continue;
      // Channels lie on the partitions, 128 to a tile, and each does the same: one at a time here.
      for (std::int64_t c = 0; c < channels; ++c) {
        fill_row_buffer<T>(window, *plan, call.padding[1].low, sizes.input[1], call.lhs_dilation[1],
                           in, n, c, buffer);
        const T* const filter = kernel.elements.data() + c * filter_rows * filter_columns;
        for (std::int64_t row = 0; row < window.window; ++row) {
          T* const line = out.at(n, c, window.row + row, 0);
          for (std::int64_t column = 0; column < sizes.result[1]; ++column) {
            T sum{};
            for (std::int64_t u = 0; u < filter_rows; ++u) {
              const T* const taps = buffer.data() + (row + u) * plan->buffer_columns + column;
              for (std::int64_t v = 0; v < filter_columns; ++v) {
                sum += taps[v] * filter[u * filter_columns + v];
              }
            }
            line[column] = sum;
          }
        }
      }
    }
  }
  return {};
}

}  // namespace convproof
