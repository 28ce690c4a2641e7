#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "selector/kernels/inductor/aten_geometry.h"
#include "selector/kernels/inductor/inductor_kernel.h"
#include "selector/kernels/inductor/template_limits.h"
#include "selector/kernels/tiling.h"

namespace convproof {

// The dense convolution template of two or three spatial dimensions, program by program: result
// positions (samples and spatial ones flattened) by output channels by groups, and a reduction over
// taps with blocks of input channels inside, unrolled or by one flattened index.
//
// Lanes that are masked in both operands, and those that are never stored, are left out: they add
// zero times zero, or nothing. A lane in the padding is zero in the input only, and its product is
// left out only where that cannot be seen.
//
// Ignores  dilation, transposition, output padding, the bias, and the weight's own channel counts.
// Source   design sheet of Inductor's convolution lowering, sections E.1 and E.2.
template <class T>
class ConvolutionTemplate {
 public:
  ConvolutionTemplate(const AtenGeometry& geometry, const TemplateConfiguration& configuration,
                      const InductorTensors<T>& tensors)
      : geometry_(geometry),
        configuration_(configuration),
        input_(tensors.input),
        weight_(tensors.weight),
        output_(tensors.output),
        positions_(input_.first * output_.positions()),
        group_inputs_(input_.second / geometry.groups),
        group_outputs_(output_.second / geometry.groups) {}

  void run(Arena& scratch) {
    const Arena::Scope scope(scratch);
    const std::int64_t rows = std::min(configuration_.block_m, positions_);
    const std::int64_t columns = std::min(configuration_.block_n, group_outputs_);
    lanes_ = scratch.zeroed<Lane>(rows);
    sums_ = scratch.zeroed<T>(rows * columns);
    filters_ = scratch.zeroed<T>(std::min(configuration_.block_k, group_inputs_) * columns);
    // The second grid axis counts blocks of all output channels. Those past the group's have every
    // column masked and are not run here.
    for (std::int64_t group = 0; group < geometry_.groups; ++group) {
      for (std::int64_t column = 0; column < group_outputs_; column += configuration_.block_n) {
        for (std::int64_t row = 0; row < positions_; row += configuration_.block_m) {
          program(group, column, row);
        }
      }
    }
  }

  [[nodiscard]] std::int64_t positions() const { return positions_; }
  [[nodiscard]] std::int64_t group_inputs() const { return group_inputs_; }
  [[nodiscard]] std::int64_t group_outputs() const { return group_outputs_; }

 private:
  using Spatial = AtenGeometry::Spatial;

  // One result position: where its sample begins in the input, its window's corner, its place.
  struct Lane {
    std::int64_t sample = 0;
    Spatial corner{};
    std::int64_t output = 0;
  };

  void program(std::int64_t group, std::int64_t first_column, std::int64_t first_row) {
    columns_ = std::min(configuration_.block_n, group_outputs_ - first_column);
    rows_ = std::min(configuration_.block_m, positions_ - first_row);
    const std::int64_t channels = group * group_inputs_ * input_.second_step;
    for (std::int64_t row = 0; row < rows_; ++row) {
      lanes_[static_cast<std::size_t>(row)] = lane(first_row + row, channels);
    }
    std::ranges::fill(sums_, T{});
    first_filter_ = group * group_outputs_ + first_column;
    if (configuration_.unroll) {
      unrolled();
    } else {
      flattened();
    }
    for (std::int64_t row = 0; row < rows_; ++row) {
      T* const to = output_.elements + lanes_[static_cast<std::size_t>(row)].output +
                    first_filter_ * output_.second_step;
      const T* const from = sums_.data() + row * columns_;
      for (std::int64_t column = 0; column < columns_; ++column) {
        to[column * output_.second_step] = from[column];
      }
    }
  }

  // The innermost position varies fastest; the sample is what remains.
  Lane lane(std::int64_t index, std::int64_t channels) const {
    Lane result;
    for (std::size_t d = max_spatial_dims; d-- > 0;) {
      const std::int64_t at = index % output_.extent[d];
      index /= output_.extent[d];
      result.corner[d] = at * geometry_.stride[d] - geometry_.padding[d];
      result.output += at * output_.step[d];
    }
    result.sample = index * input_.first_step + channels;
    result.output += index * output_.first_step;
    return result;
  }

  void unrolled() {
    Spatial tap{};
    for (tap[0] = 0; tap[0] < geometry_.kernel[0]; ++tap[0]) {
      for (tap[1] = 0; tap[1] < geometry_.kernel[1]; ++tap[1]) {
        for (tap[2] = 0; tap[2] < geometry_.kernel[2]; ++tap[2]) {
          for (std::int64_t k = 0; k < group_inputs_; k += configuration_.block_k) step(tap, k);
        }
      }
    }
  }

  void flattened() {
    const std::int64_t blocks = ceil_div(group_inputs_, configuration_.block_k);
    const std::int64_t steps = geometry_.taps() * blocks;
    for (std::int64_t f = 0; f < steps; ++f) {
      const std::int64_t block = f % blocks;
      const std::int64_t tap = f / blocks;
      const std::int64_t above = tap / geometry_.kernel[2];
      step({above / geometry_.kernel[1], above % geometry_.kernel[1], tap % geometry_.kernel[2]},
           block * configuration_.block_k);
    }
  }

  // One tap and one block of input channels, for all lanes. No term for dilation.
  void step(const Spatial& tap, std::int64_t first_channel) {
    const std::int64_t depth = std::min(configuration_.block_k, group_inputs_ - first_channel);
    load_filters(tap, first_channel, depth);
    for (std::int64_t row = 0; row < rows_; ++row) {
      const Lane& lane = lanes_[static_cast<std::size_t>(row)];
      std::int64_t place = lane.sample + first_channel * input_.second_step;
      bool inside = true;
      for (std::size_t d = 0; d < max_spatial_dims; ++d) {
        const std::int64_t at = lane.corner[d] + tap[d];
        inside = inside && at >= 0 && at < input_.extent[d];
        place += at * input_.step[d];
      }
      if constexpr (zero_annihilates<T>) {
        if (!inside) continue;
      }
      T* const sums = sums_.data() + row * columns_;
      for (std::int64_t k = 0; k < depth; ++k) {
        const T value = inside ? input_.elements[place + k * input_.second_step] : T{};
        const T* const filters = filters_.data() + k * columns_;
        for (std::int64_t column = 0; column < columns_; ++column) {
          sums[column] += value * filters[column];
        }
      }
    }
  }

  void load_filters(const Spatial& tap, std::int64_t first_channel, std::int64_t depth) {
    std::int64_t place = first_filter_ * weight_.first_step + first_channel * weight_.second_step;
    for (std::size_t d = 0; d < max_spatial_dims; ++d) place += tap[d] * weight_.step[d];
    for (std::int64_t k = 0; k < depth; ++k) {
      for (std::int64_t column = 0; column < columns_; ++column) {
        filters_[static_cast<std::size_t>(k * columns_ + column)] =
            weight_.elements[place + k * weight_.second_step + column * weight_.first_step];
      }
    }
  }

  const AtenGeometry& geometry_;
  const TemplateConfiguration& configuration_;
  TensorAxes<const T> input_;
  TensorAxes<const T> weight_;
  TensorAxes<T> output_;
  std::int64_t positions_;
  std::int64_t group_inputs_;
  std::int64_t group_outputs_;
  std::span<Lane> lanes_{};
  std::span<T> sums_{};
  std::span<T> filters_{};
  std::int64_t rows_ = 0;
  std::int64_t columns_ = 0;
  std::int64_t first_filter_ = 0;
};

template <class T>
KernelResult run_convolution_template(const AtenCall& call,
                                      const TemplateConfiguration& configuration,
                                      const InductorTensors<T>& tensors, Arena& scratch) {
  const AtenGeometry geometry = *aten_geometry(call.convolution);
  ConvolutionTemplate<T> model(geometry, configuration, tensors);
  if (model.positions() == 0 || model.group_outputs() == 0) return {};
  if (model.group_inputs() > 0) {
    if (KernelResult within =
            reaches_within(tensors.weight, geometry.groups * model.group_outputs() - 1,
                           model.group_inputs() - 1, "last element of the weight that is read");
        !within) {
      return within;
    }
  }
  model.run(scratch);
  return {};
}

template <class T>
KernelResult convolution2d(const AtenCall& call, const TemplateConfiguration& configuration,
                           const InductorTensors<T>& tensors, Arena& scratch) {
  if (KernelResult limits = convolution2d_limits(call, configuration); !limits) return limits;
  return run_convolution_template(call, configuration, tensors, scratch);
}

template <class T>
KernelResult convolution3d(const AtenCall& call, const TemplateConfiguration& configuration,
                           const InductorTensors<T>& tensors, Arena& scratch) {
  if (KernelResult limits = convolution3d_limits(call, configuration); !limits) return limits;
  return run_convolution_template(call, configuration, tensors, scratch);
}

}  // namespace convproof
