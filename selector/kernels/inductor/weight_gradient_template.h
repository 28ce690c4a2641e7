#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "selector/kernels/inductor/aten_geometry.h"
#include "selector/kernels/inductor/inductor_kernel.h"
#include "selector/kernels/inductor/template_limits.h"
#include "selector/kernels/tiling.h"

namespace convproof {

// The template of the weight's gradient: rows are an input channel of the group and a tap, columns
// an output channel of the group, and the reduction runs over samples and result positions.
//
// An input lane in the padding is zero and still meets the result's gradient.
//
// Ignores  transposition and output padding.
// Source   design sheet of Inductor's convolution lowering, section E.4.
template <class T>
class WeightGradientTemplate {
 public:
  WeightGradientTemplate(const AtenGeometry& geometry, const TemplateConfiguration& configuration,
                         const InductorTensors<T>& tensors)
      : geometry_(geometry),
        configuration_(configuration),
        input_(tensors.input),
        cotangent_(tensors.grad_output),
        result_(tensors.weight_gradient) {
    // The grid is sized by the weight, the masks by the operands.
    const std::int64_t group_inputs = input_.second / geometry.groups;
    const std::int64_t group_outputs = cotangent_.second / geometry.groups;
    const std::int64_t grid_rows =
        ceil_div(result_.second * geometry.taps(), configuration.block_m);
    const std::int64_t grid_columns =
        ceil_div(result_.first / geometry.groups, configuration.block_n);
    rows_ = std::min(grid_rows * configuration.block_m, group_inputs * geometry.taps());
    columns_ = std::min(grid_columns * configuration.block_n, group_outputs);
    group_inputs_ = group_inputs;
    group_outputs_ = group_outputs;
    reduction_ = input_.first * cotangent_.positions();
  }

  [[nodiscard]] bool empty() const { return rows_ <= 0 || columns_ <= 0; }
  // The highest channels that are stored.
  [[nodiscard]] std::int64_t last_row() const {
    return (geometry_.groups - 1) * group_outputs_ + columns_ - 1;
  }
  [[nodiscard]] std::int64_t last_column() const { return (rows_ - 1) / geometry_.taps(); }

  void run(Arena& scratch) {
    const Arena::Scope scope(scratch);
    const std::int64_t rows = std::min(configuration_.block_m, rows_);
    const std::int64_t columns = std::min(configuration_.block_n, columns_);
    lanes_ = scratch.zeroed<Lane>(rows);
    sums_ = scratch.zeroed<T>(rows * columns);
    values_ = scratch.zeroed<T>(columns);
    for (std::int64_t group = 0; group < geometry_.groups; ++group) {
      for (std::int64_t column = 0; column < columns_; column += configuration_.block_n) {
        for (std::int64_t row = 0; row < rows_; row += configuration_.block_m) {
          program(group, column, row);
        }
      }
    }
  }

 private:
  using Spatial = AtenGeometry::Spatial;

  // A channel and a tap: where the channel begins in the input, how far the tap lies from the
  // window's corner, and the place in the result, of the first column.
  struct Lane {
    std::int64_t channel = 0;
    Spatial tap{};
    std::int64_t result = 0;
  };

  void program(std::int64_t group, std::int64_t first_column, std::int64_t first_row) {
    const std::int64_t columns = std::min(configuration_.block_n, columns_ - first_column);
    const std::int64_t rows = std::min(configuration_.block_m, rows_ - first_row);
    const std::int64_t output = group * group_outputs_ + first_column;
    for (std::int64_t row = 0; row < rows; ++row) {
      lanes_[static_cast<std::size_t>(row)] = lane(first_row + row, group, output);
    }
    std::ranges::fill(sums_, T{});
    for (std::int64_t block = 0; block < reduction_; block += configuration_.block_k) {
      const std::int64_t end = std::min(block + configuration_.block_k, reduction_);
      for (std::int64_t r = block; r < end; ++r) term(r, output, rows, columns);
    }
    const T* from = sums_.data();
    for (std::int64_t row = 0; row < rows; ++row) {
      T* const to = result_.elements + lanes_[static_cast<std::size_t>(row)].result;
      for (std::int64_t column = 0; column < columns; ++column) {
        to[column * result_.first_step] = *from++;
      }
    }
  }

  // Taps vary fastest.
  Lane lane(std::int64_t index, std::int64_t group, std::int64_t output) const {
    Lane result;
    result.result = output * result_.first_step;
    for (std::size_t d = max_spatial_dims; d-- > 0;) {
      const std::int64_t tap = index % geometry_.kernel[d];
      index /= geometry_.kernel[d];
      result.tap[d] = tap * geometry_.dilation[d];
      result.result += tap * result_.step[d];
    }
    result.result += index * result_.second_step;
    result.channel = (group * group_inputs_ + index) * input_.second_step;
    return result;
  }

  void term(std::int64_t r, std::int64_t output, std::int64_t rows, std::int64_t columns) {
    Spatial corner{};
    std::int64_t cotangent = output * cotangent_.second_step;
    for (std::size_t d = max_spatial_dims; d-- > 0;) {
      const std::int64_t at = r % cotangent_.extent[d];
      r /= cotangent_.extent[d];
      corner[d] = at * geometry_.stride[d] - geometry_.padding[d];
      cotangent += at * cotangent_.step[d];
    }
    cotangent += r * cotangent_.first_step;
    for (std::int64_t column = 0; column < columns; ++column) {
      values_[static_cast<std::size_t>(column)] =
          cotangent_.elements[cotangent + column * cotangent_.second_step];
    }
    const std::int64_t sample = r * input_.first_step;
    for (std::int64_t row = 0; row < rows; ++row) {
      const Lane& lane = lanes_[static_cast<std::size_t>(row)];
      std::int64_t place = sample + lane.channel;
      bool inside = true;
      for (std::size_t d = 0; d < max_spatial_dims; ++d) {
        const std::int64_t at = corner[d] + lane.tap[d];
        inside = inside && at >= 0 && at < input_.extent[d];
        place += at * input_.step[d];
      }
      if constexpr (zero_annihilates<T>) {
        if (!inside) continue;
      }
      const T value = inside ? input_.elements[place] : T{};
      T* const sums = sums_.data() + row * columns;
      for (std::int64_t column = 0; column < columns; ++column) {
        sums[column] += value * values_[static_cast<std::size_t>(column)];
      }
    }
  }

  const AtenGeometry& geometry_;
  const TemplateConfiguration& configuration_;
  TensorAxes<const T> input_;
  TensorAxes<const T> cotangent_;
  TensorAxes<T> result_;
  std::int64_t rows_ = 0;     // that are stored, of one group
  std::int64_t columns_ = 0;  // that are stored, of one group
  std::int64_t group_inputs_ = 0;
  std::int64_t group_outputs_ = 0;
  std::int64_t reduction_ = 0;
  std::span<Lane> lanes_{};
  std::span<T> sums_{};
  std::span<T> values_{};
};

template <class T>
KernelResult convolution_backward_weight(const AtenCall& call,
                                         const TemplateConfiguration& configuration,
                                         const InductorTensors<T>& tensors, Arena& scratch) {
  if (KernelResult limits = weight_gradient_limits(call, configuration); !limits) return limits;
  const AtenGeometry geometry = *aten_geometry(call.convolution);
  WeightGradientTemplate<T> model(geometry, configuration, tensors);
  if (model.empty()) return {};
  if (KernelResult within =
          reaches_within(tensors.weight_gradient, model.last_row(), model.last_column(),
                         "last element of the gradient that is written");
      !within) {
    return within;
  }
  model.run(scratch);
  return {};
}

}  // namespace convproof
