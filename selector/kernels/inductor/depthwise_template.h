#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "selector/kernels/inductor/aten_geometry.h"
#include "selector/kernels/inductor/inductor_kernel.h"
#include "selector/kernels/inductor/template_limits.h"

namespace convproof {

// The depthwise template of one spatial dimension: tiles of samples by positions by channels, and a
// loop over taps. Channels are the input's: results of further output channels are never written.
//
// Lanes past the last position load what is there and are not stored: they are left out.
//
// Ignores  dilation, transposition, output padding, groups, the bias, and every column of the
//          weight but the first.
// Source   design sheet of Inductor's convolution lowering, section E.3.
template <class T>
class DepthwiseTemplate {
 public:
  DepthwiseTemplate(const AtenGeometry& geometry, const TemplateConfiguration& configuration,
                    const InductorTensors<T>& tensors)
      : geometry_(geometry),
        configuration_(configuration),
        input_(tensors.input),
        weight_(tensors.weight),
        output_(tensors.output) {}

  void run(Arena& scratch) {
    const std::int64_t samples = std::min(configuration_.block_m, input_.first);
    const std::int64_t places = std::min(configuration_.block_n, output_.extent[spatial]);
    const std::int64_t channels = std::min(configuration_.block_k, input_.second);
    const Arena::Scope scope(scratch);
    sums_ = scratch.zeroed<T>(samples * places * channels);
    taps_ = scratch.zeroed<T>(channels);
    for (std::int64_t n = 0; n < input_.first; n += configuration_.block_m) {
      for (std::int64_t l = 0; l < output_.extent[spatial]; l += configuration_.block_n) {
        for (std::int64_t c = 0; c < input_.second; c += configuration_.block_k) program(n, l, c);
      }
    }
  }

 private:
  static constexpr std::size_t spatial = max_spatial_dims - 1;

  void program(std::int64_t first_n, std::int64_t first_l, std::int64_t first_c) {
    const std::int64_t samples = std::min(configuration_.block_m, input_.first - first_n);
    const std::int64_t places = std::min(configuration_.block_n, output_.extent[spatial] - first_l);
    const std::int64_t channels = std::min(configuration_.block_k, input_.second - first_c);
    std::ranges::fill(sums_, T{});
    for (std::int64_t k = 0; k < geometry_.kernel[spatial]; ++k) {
      for (std::int64_t c = 0; c < channels; ++c) {
        taps_[static_cast<std::size_t>(c)] =
            weight_.elements[(first_c + c) * weight_.first_step + k * weight_.step[spatial]];
      }
      for (std::int64_t n = 0; n < samples; ++n) {
        for (std::int64_t l = 0; l < places; ++l) {
          const std::int64_t at =
              (first_l + l) * geometry_.stride[spatial] - geometry_.padding[spatial] + k;
          const bool inside = at >= 0 && at < input_.extent[spatial];
          if constexpr (zero_annihilates<T>) {
            if (!inside) continue;
          }
          const std::int64_t place = (first_n + n) * input_.first_step +
                                     first_c * input_.second_step + at * input_.step[spatial];
          T* const sums = sums_.data() + (n * places + l) * channels;
          for (std::int64_t c = 0; c < channels; ++c) {
            const T value = inside ? input_.elements[place + c * input_.second_step] : T{};
            sums[c] += value * taps_[static_cast<std::size_t>(c)];
          }
        }
      }
    }
    const T* from = sums_.data();
    for (std::int64_t n = 0; n < samples; ++n) {
      for (std::int64_t l = 0; l < places; ++l) {
        T* const to = output_.elements + (first_n + n) * output_.first_step +
                      first_c * output_.second_step + (first_l + l) * output_.step[spatial];
        for (std::int64_t c = 0; c < channels; ++c) to[c * output_.second_step] = *from++;
      }
    }
  }

  const AtenGeometry& geometry_;
  const TemplateConfiguration& configuration_;
  TensorAxes<const T> input_;
  TensorAxes<const T> weight_;
  TensorAxes<T> output_;
  std::span<T> sums_{};
  std::span<T> taps_{};
};

template <class T>
KernelResult depthwise_conv1d(const AtenCall& call, const TemplateConfiguration& configuration,
                              const InductorTensors<T>& tensors, Arena& scratch) {
  if (KernelResult limits = depthwise_conv1d_limits(call, configuration); !limits) return limits;
  const AtenGeometry geometry = *aten_geometry(call.convolution);
  if (geometry.batch == 0) return {};
  const std::int64_t last = geometry.input_channels - 1;
  if (KernelResult within =
          reaches_within(tensors.weight, last, 0, "last element of the weight that is read");
      !within) {
    return within;
  }
  if (KernelResult within = reaches_within(tensors.output, geometry.batch - 1, last,
                                           "last element of the result that is written");
      !within) {
    return within;
  }
  DepthwiseTemplate<T>(geometry, configuration, tensors).run(scratch);
  return {};
}

}  // namespace convproof
