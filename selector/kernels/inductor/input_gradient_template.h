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

// The template of the input's gradient: rows are input positions (samples and spatial ones
// flattened), columns an input channel of the group, and the reduction runs over the group's output
// channels and the taps, taps fastest.
//
// A position that no window's tap reaches is a masked lane: zero, and still multiplied by the tap.
//
// Ignores  transposition and output padding.
// Source   design sheet of Inductor's convolution lowering, section E.5.
template <class T>
class InputGradientTemplate {
 public:
  InputGradientTemplate(const AtenGeometry& geometry, const TemplateConfiguration& configuration,
                        const InductorTensors<T>& tensors)
      : geometry_(geometry),
        configuration_(configuration),
        cotangent_(tensors.grad_output),
        weight_(tensors.weight),
        result_(tensors.input_gradient),
        rows_(result_.first * result_.positions()),
        columns_(std::min(weight_.second,
                          ceil_div(result_.second / geometry.groups, configuration.block_n) *
                              configuration.block_n)),
        group_outputs_(cotangent_.second / geometry.groups) {}

  [[nodiscard]] bool empty() const { return rows_ <= 0 || columns_ <= 0; }
  [[nodiscard]] std::int64_t columns() const { return columns_; }
  [[nodiscard]] std::int64_t group_outputs() const { return group_outputs_; }

  void run(Arena& scratch) {
    const Arena::Scope scope(scratch);
    const std::int64_t rows = std::min(configuration_.block_m, rows_);
    const std::int64_t columns = std::min(configuration_.block_n, columns_);
    lanes_ = scratch.zeroed<Lane>(rows);
    sums_ = scratch.zeroed<T>(rows * columns);
    filters_ = scratch.zeroed<T>(columns);
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

  // An input position, padding added; where its sample begins in the result's gradient; its place.
  struct Lane {
    std::int64_t sample = 0;
    Spatial padded{};
    std::int64_t result = 0;
  };

  void program(std::int64_t group, std::int64_t first_column, std::int64_t first_row) {
    const std::int64_t columns = std::min(configuration_.block_n, columns_ - first_column);
    const std::int64_t rows = std::min(configuration_.block_m, rows_ - first_row);
    // Channels of the result are counted by the weight's columns.
    const std::int64_t channel = group * weight_.second + first_column;
    for (std::int64_t row = 0; row < rows; ++row) {
      lanes_[static_cast<std::size_t>(row)] = lane(first_row + row);
    }
    std::ranges::fill(sums_, T{});
    const std::int64_t reduction = group_outputs_ * geometry_.taps();
    for (std::int64_t block = 0; block < reduction; block += configuration_.block_k) {
      const std::int64_t end = std::min(block + configuration_.block_k, reduction);
      for (std::int64_t r = block; r < end; ++r) term(r, group, first_column, rows, columns);
    }
    const T* from = sums_.data();
    for (std::int64_t row = 0; row < rows; ++row) {
      T* const to = result_.elements + lanes_[static_cast<std::size_t>(row)].result +
                    channel * result_.second_step;
      for (std::int64_t column = 0; column < columns; ++column) {
        to[column * result_.second_step] = *from++;
      }
    }
  }

  Lane lane(std::int64_t index) const {
    Lane result;
    for (std::size_t d = max_spatial_dims; d-- > 0;) {
      const std::int64_t at = index % result_.extent[d];
      index /= result_.extent[d];
      result.padded[d] = at + geometry_.padding[d];
      result.result += at * result_.step[d];
    }
    result.sample = index * cotangent_.first_step;
    result.result += index * result_.first_step;
    return result;
  }

  void term(std::int64_t r, std::int64_t group, std::int64_t first_column, std::int64_t rows,
            std::int64_t columns) {
    Spatial reach{};
    std::int64_t filter = first_column * weight_.second_step;
    for (std::size_t d = max_spatial_dims; d-- > 0;) {
      const std::int64_t tap = r % geometry_.kernel[d];
      r /= geometry_.kernel[d];
      reach[d] = tap * geometry_.dilation[d];
      filter += tap * weight_.step[d];
    }
    const std::int64_t output = group * group_outputs_ + r;
    filter += output * weight_.first_step;
    for (std::int64_t column = 0; column < columns; ++column) {
      filters_[static_cast<std::size_t>(column)] =
          weight_.elements[filter + column * weight_.second_step];
    }
    for (std::int64_t row = 0; row < rows; ++row) {
      const Lane& lane = lanes_[static_cast<std::size_t>(row)];
      std::int64_t place = lane.sample + output * cotangent_.second_step;
      bool inside = true;
      for (std::size_t d = 0; d < max_spatial_dims; ++d) {
        const std::int64_t from = lane.padded[d] - reach[d];
        if (from < 0 || from > (cotangent_.extent[d] - 1) * geometry_.stride[d] ||
            from % geometry_.stride[d] != 0) {
          inside = false;
          break;
        }
        place += from / geometry_.stride[d] * cotangent_.step[d];
      }
      if constexpr (zero_annihilates<T>) {
        if (!inside) continue;
      }
      const T value = inside ? cotangent_.elements[place] : T{};
      T* const sums = sums_.data() + row * columns;
      for (std::int64_t column = 0; column < columns; ++column) {
        sums[column] += value * filters_[static_cast<std::size_t>(column)];
      }
    }
  }

  const AtenGeometry& geometry_;
  const TemplateConfiguration& configuration_;
  TensorAxes<const T> cotangent_;
  TensorAxes<const T> weight_;
  TensorAxes<T> result_;
  std::int64_t rows_;
  std::int64_t columns_;  // that are stored, of one group
  std::int64_t group_outputs_;
  std::span<Lane> lanes_{};
  std::span<T> sums_{};
  std::span<T> filters_{};
};

template <class T>
KernelResult convolution_backward_input(const AtenCall& call,
                                        const TemplateConfiguration& configuration,
                                        const InductorTensors<T>& tensors, Arena& scratch) {
  if (KernelResult limits = input_gradient_limits(call, configuration); !limits) return limits;
  const AtenGeometry geometry = *aten_geometry(call.convolution);
  InputGradientTemplate<T> model(geometry, configuration, tensors);
  if (model.empty()) return {};
  if (KernelResult within =
          reaches_within(tensors.weight, geometry.groups * model.group_outputs() - 1,
                         model.columns() - 1, "last element of the weight that is read");
      !within) {
    return within;
  }
  if (KernelResult within =
          reaches_within(tensors.input_gradient, geometry.batch - 1,
                         (geometry.groups - 1) * geometry.weight_columns + model.columns() - 1,
                         "last element of the gradient that is written");
      !within) {
    return within;
  }
  model.run(scratch);
  return {};
}

}  // namespace convproof
