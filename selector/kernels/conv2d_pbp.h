#pragma once

#include <algorithm>
#include <cstdint>
#include <expected>

#include "selector/kernels/arena.h"
#include "selector/kernels/call_check.h"
#include "selector/kernels/kernel_table.h"
#include "selector/kernels/layouts.h"
#include "selector/kernels/psum.h"
#include "selector/kernels/strided_view.h"

namespace convproof {

// One pixel-by-pixel convolution. Padding keeps its low values only; the stride is 1.
struct PbpProblem {
  bool empty = false;
  LogicalSizes sizes{};
  std::int64_t pad_top = 0;
  std::int64_t pad_left = 0;
  std::int64_t output_tile = 1;         // out features per PSUM tile
  std::int64_t batch_tile = 1;          // batch elements per PSUM tile
  std::int64_t filter_column_tile = 1;  // filter columns that accumulate in one PSUM tile
};

// Refuses what the pbp kernels refuse. `sizes` are those of a checked call.
std::expected<PbpProblem, KernelError> plan_pbp(const KernelCall& call, const LogicalSizes& sizes,
                                                const Device& device);

// Image 0f1b, kernel operand 0i1o, result 01fb, dense; writes every element of the result.
template <class T>
void run_pbp(const PbpProblem& problem, const T* image, const T* kernel, T* result,
             Arena& scratch) {
  const Arena::Scope scope(scratch);
  const LogicalSizes& sizes = problem.sizes;
  const std::int64_t batch = sizes.batch;
  const std::int64_t outputs = sizes.output_features;
  const std::int64_t features = sizes.input_features;
  const std::int64_t filter_rows = sizes.kernel[0];
  const std::int64_t filter_columns = sizes.kernel[1];
  // The prefetched filter of one tile of out features: [row][column][in feature][out feature].
  const auto filter =
      scratch.zeroed<T>(filter_rows * filter_columns * features * problem.output_tile);
  const auto psum = scratch.zeroed<T>(problem.output_tile * problem.batch_tile);
  const auto line = scratch.zeroed<T>(problem.batch_tile);

  for (std::int64_t first = 0; first < outputs; first += problem.output_tile) {
    const std::int64_t count = std::min(problem.output_tile, outputs - first);
    for (std::int64_t row = 0; row < filter_rows; ++row) {
      for (std::int64_t column = 0; column < filter_columns; ++column) {
        for (std::int64_t c = 0; c < features; ++c) {
          std::copy_n(kernel + ((row * features + c) * filter_columns + column) * outputs + first,
                      count,
                      filter.data() +
                          ((row * filter_columns + column) * features + c) * problem.output_tile);
        }
      }
    }
    for (std::int64_t pixel = 0; pixel < sizes.result[0] * sizes.result[1]; ++pixel) {
      const std::int64_t top = pixel / sizes.result[1] - problem.pad_top;
      const std::int64_t left = pixel % sizes.result[1] - problem.pad_left;
      // Filter rows lie on the partitions; those whose image row is outside are masked.
      const std::int64_t begin_row = std::clamp<std::int64_t>(-top, 0, filter_rows);
      const std::int64_t end_row = std::clamp(sizes.input[0] - top, begin_row, filter_rows);
      T* const out = result + (pixel * outputs + first) * batch;
      std::fill_n(out, count * batch, T{});
      for (std::int64_t c = 0; c < features; ++c) {
        for (std::int64_t group = 0; group < filter_columns; group += problem.filter_column_tile) {
          const std::int64_t group_end =
              std::min(filter_columns, group + problem.filter_column_tile);
          for (std::int64_t n = 0; n < batch; n += problem.batch_tile) {
            const std::int64_t batches = std::min(problem.batch_tile, batch - n);
            std::fill_n(psum.data(), count * batches, T{});
            for (std::int64_t column = group; column < group_end; ++column) {
              const std::int64_t image_column = left + column;
              if (image_column < 0 || image_column >= sizes.input[1] || begin_row == end_row) {
                continue;
              }
              const std::int64_t image_row_step = features * sizes.input[1] * batch;
              const MovingOperand<T> moving{
                  .elements = image + (top + begin_row) * image_row_step +
                              (c * sizes.input[1] + image_column) * batch + n,
                  .partition_step = image_row_step,
                  .rows = 1,
                  .row_step = 0,
                  .columns = 1,
                  .column_step = 0,
                  .depth = batches};
              const T* const stationary =
                  filter.data() +
                  ((begin_row * filter_columns + column) * features + c) * problem.output_tile;
              accumulate_matmul(stationary, end_row - begin_row, count,
                                filter_columns * features * problem.output_tile, moving,
                                line.data(), psum.data());
            }
            const T* sum = psum.data();
            for (std::int64_t o = 0; o < count; ++o) {
              for (std::int64_t d = 0; d < batches; ++d) out[o * batch + n + d] += *sum++;
            }
          }
        }
      }
    }
  }
}

// The experimental pixel-by-pixel kernel. Image 0f1b, kernel operand 0i1o, result 01fb, whatever
// the call's perms.
//
// Refuses  unless I == C, CR == O, NR == N, the stride is 1, HF <= 128 (`H_filter > 128`), and each
//          result extent is the input's plus twice the low padding less the filter's, plus 1.
// Ignores  the high padding, both dilations, group counts (and reversal, which no kernel is told
//          of).
// Source   design sheet of the Neuron table, section H.7.
template <class T>
KernelResult conv2d_pbp_0f1b(const KernelCall& call, TensorView<const T> image,
                             TensorView<const T> kernel, TensorView<T> result,
                             const KernelContext& context) {
  if (KernelResult checked = check_call<T>(call, image, kernel, result, context); !checked) {
    return checked;
  }
  const LogicalSizes sizes = sizes_in_layouts(call, image_layout::zero_f1b, kernel_layout::zero_i1o,
                                              image_layout::zero_1fb);
  const auto problem = plan_pbp(call, sizes, context.device);
  if (!problem) return std::unexpected(problem.error());
  if (problem->empty) {
    std::ranges::fill(result.elements, T{});
    return {};
  }
  run_pbp<T>(*problem, image.elements.data(), kernel.elements.data(), result.elements.data(),
             *context.scratch);
  return {};
}

}  // namespace convproof
