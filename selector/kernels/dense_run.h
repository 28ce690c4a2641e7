#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "selector/kernels/arena.h"
#include "selector/kernels/dense_plan.h"
#include "selector/kernels/device.h"
#include "selector/kernels/psum.h"
#include "selector/kernels/strided_view.h"

namespace convproof {

// The dense engine: adds the convolution of `image` and `kernel` to `result`, tile by tile. The
// result's own memory is the accumulator across outer filter tiles.
// Source: design sheet of the Neuron table, section H.1, steps 5 to 8, with the PSUM batches of the
// column-packing engine (sections H.2 and H.3).
template <class T>
class DenseRun {
 public:
  DenseRun(const DenseProblem& problem, const DensePlan& plan, const Device& device,
           StridedView<const T> image, StridedView<const T> kernel, StridedView<T> result,
           Arena& scratch)
      : problem_(problem),
        plan_(plan),
        image_(image),
        kernel_(kernel),
        result_(result),
        scope_(scratch) {
    output_tiles_ = ceil_div(problem.output_features, plan.output_tile);
    staged_batch_tiles_ = problem.image_in_place ? 1 : plan.batch.count;
    combinations_ = output_tiles_ * plan.columns.count * staged_batch_tiles_;
    banks_ = std::min(device.psum_banks, combinations_);
    bank_elements_ = plan.output_tile * plan.free_elements();
    filter_ = scratch.template zeroed<T>(plan.filter_elements);
    staging_ = scratch.template zeroed<T>(plan.staging_elements);
    psum_ = scratch.template zeroed<T>(banks_ * bank_elements_);
    line_ = scratch.template zeroed<T>(plan.free_elements());
  }

  void run() {
    for (std::int64_t n = 0; n < problem_.batch; n += plan_.staged_batch) {
      for (std::int64_t outer = 0; outer < plan_.outer_tiles; ++outer) {
        load_filter(outer);
        for (std::int64_t rows = 0; rows < plan_.compute_tiles; ++rows) {
          stage_image(n, outer, rows * plan_.compute_tile);
          compute(n, rows * plan_.compute_tile);
        }
      }
    }
  }

 private:
  // One PSUM tile: where it starts in the result and how much of it the result needs.
  struct OutputTile {
    std::int64_t feature = 0, features = 0;
    std::int64_t column = 0, columns = 0;
    std::int64_t batch = 0, batches = 0;  // counted within the staged batch
  };

  // Filter rows of one outer tile as [filter column][partition][out feature]; the bands between
  // dilated rows, and past the last row, stay zero.
  void load_filter(std::int64_t outer) {
    std::ranges::fill(filter_, T{});
    const std::int64_t features = std::min(problem_.input_features, problem_.kernel_features);
    for (std::int64_t band = 0; band < plan_.filter_bands; ++band) {
      const std::int64_t row = outer * plan_.filter_bands + band;
      if (row >= problem_.kernel[0]) break;
      const std::int64_t base = problem_.input_features * band * problem_.rhs_dilation[0];
      for (std::int64_t column = 0; column < problem_.kernel[1]; ++column) {
        for (std::int64_t c = 0; c < features; ++c) {
          T* const out =
              filter_.data() + (column * plan_.partitions + base + c) * problem_.output_features;
          const T* const in = kernel_.at(0, c, row, column);
          for (std::int64_t o = 0; o < problem_.output_features; ++o) {
            out[o] = in[o * kernel_.steps.first];
          }
        }
      }
    }
  }

  // Image rows of one compute tile as [partition][row][column][batch], partition h_rep * C + c
  // shifted by h_rep rows. Padding of either sign is a matter of which rows and columns are
  // skipped. The device stages the rows between strides too; nothing reads them.
  void stage_image(std::int64_t n, std::int64_t outer, std::int64_t first_row) {
    std::ranges::fill(staging_, T{});
    const std::int64_t rows = std::min(plan_.compute_tile, problem_.result[0] - first_row);
    const KernelCall::Padding& padding = problem_.padding[1];
    const std::int64_t first_column =
        std::clamp<std::int64_t>(padding.low, 0, plan_.staged_columns);
    const std::int64_t end_column =
        std::min(plan_.staged_columns,
                 problem_.input[1] + padding.low + std::min<std::int64_t>(0, padding.high));
    for (std::int64_t copy = 0; copy < plan_.replication; ++copy) {
      for (std::int64_t row = 0; row < rows; ++row) {
        const std::int64_t image_row = outer * plan_.tile_height + copy +
                                       (first_row + row) * problem_.stride[0] -
                                       problem_.padding[0].low;
        if (image_row < 0 || image_row >= problem_.input[0]) continue;
        for (std::int64_t c = 0; c < problem_.input_features; ++c) {
          const std::int64_t partition = copy * problem_.input_features + c;
          T* out = staging_.data() +
                   ((partition * plan_.compute_tile + row) * plan_.staged_columns + first_column) *
                       plan_.staged_batch;
          for (std::int64_t column = first_column; column < end_column; ++column) {
            const T* const in = image_.at(n, c, image_row, column - padding.low);
            for (std::int64_t d = 0; d < plan_.staged_batch; ++d) {
              *out++ = in[d * image_.steps.first];
            }
          }
        }
      }
    }
  }

  // All PSUM tiles of one row tile, in batches of as many as there are banks.
  void compute(std::int64_t n, std::int64_t first_row) {
    const std::int64_t rows = std::min(plan_.compute_tile, problem_.result[0] - first_row);
    for (std::int64_t first = 0; first < combinations_; first += banks_) {
      const std::int64_t count = std::min(banks_, combinations_ - first);
      std::fill_n(psum_.data(), count * bank_elements_, T{});
      for (std::int64_t column = 0; column < problem_.kernel[1]; ++column) {
        for (std::int64_t bank = 0; bank < count; ++bank) {
          multiply(tile_at(first + bank), rows, column, psum_.data() + bank * bank_elements_);
        }
      }
      for (std::int64_t bank = 0; bank < count; ++bank) {
        add_to_result(tile_at(first + bank), n, first_row, rows,
                      psum_.data() + bank * bank_elements_);
      }
    }
  }

  [[nodiscard]] OutputTile tile_at(std::int64_t index) const {
    OutputTile tile;
    tile.batch = index % staged_batch_tiles_ * plan_.batch.extent;
    index /= staged_batch_tiles_;
    tile.column = index % plan_.columns.count * plan_.columns.extent;
    tile.feature = index / plan_.columns.count * plan_.output_tile;
    tile.batches = std::min(plan_.batch.extent, plan_.staged_batch - tile.batch);
    tile.columns = std::min(plan_.columns.extent, problem_.result[1] - tile.column);
    tile.features = std::min(plan_.output_tile, problem_.output_features - tile.feature);
    return tile;
  }

  void multiply(const OutputTile& tile, std::int64_t rows, std::int64_t filter_column, T* psum) {
    const std::int64_t first_column =
        filter_column * problem_.rhs_dilation[1] + tile.column * problem_.stride[1];
    const MovingOperand<T> moving{
        .elements = staging_.data() + first_column * plan_.staged_batch + tile.batch,
        .partition_step = plan_.compute_tile * plan_.staged_columns * plan_.staged_batch,
        .rows = rows,
        .row_step = plan_.staged_columns * plan_.staged_batch,
        .columns = tile.columns,
        .column_step = problem_.stride[1] * plan_.staged_batch,
        .depth = tile.batches};
    const T* const stationary =
        filter_.data() + filter_column * plan_.partitions * problem_.output_features + tile.feature;
    accumulate_matmul(stationary, plan_.partitions, tile.features, problem_.output_features, moving,
                      line_.data(), psum);
  }

  void add_to_result(const OutputTile& tile, std::int64_t n, std::int64_t first_row,
                     std::int64_t rows, const T* psum) {
    for (std::int64_t o = 0; o < tile.features; ++o) {
      for (std::int64_t row = 0; row < rows; ++row) {
        for (std::int64_t column = 0; column < tile.columns; ++column) {
          T* const out =
              result_.at(n + tile.batch, tile.feature + o, first_row + row, tile.column + column);
          for (std::int64_t d = 0; d < tile.batches; ++d) out[d * result_.steps.first] += *psum++;
        }
      }
    }
  }

  const DenseProblem& problem_;
  const DensePlan& plan_;
  StridedView<const T> image_;
  StridedView<const T> kernel_;
  StridedView<T> result_;
  Arena::Scope scope_;
  std::int64_t output_tiles_ = 1;
  std::int64_t staged_batch_tiles_ = 1;
  std::int64_t combinations_ = 1;
  std::int64_t banks_ = 1;
  std::int64_t bank_elements_ = 1;
  std::span<T> filter_;
  std::span<T> staging_;
  std::span<T> psum_;
  std::span<T> line_;
};

template <class T>
void run_dense(const DenseProblem& problem, const DensePlan& plan, const Device& device,
               StridedView<const T> image, StridedView<const T> kernel, StridedView<T> result,
               Arena& scratch) {
  DenseRun<T>(problem, plan, device, image, kernel, result, scratch).run();
}

}  // namespace convproof
