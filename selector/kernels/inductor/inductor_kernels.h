#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "selector/kernels/inductor/ck_grouped_convolution.h"
#include "selector/kernels/inductor/convolution_template.h"
#include "selector/kernels/inductor/depthwise_template.h"
#include "selector/kernels/inductor/eager_convolution.h"
#include "selector/kernels/inductor/inductor_kernel.h"
#include "selector/kernels/inductor/input_gradient_template.h"
#include "selector/kernels/inductor/matrix_product.h"
#include "selector/kernels/inductor/weight_gradient_template.h"

namespace convproof {

// What the candidates of Inductor's convolution lowering compute. A scalar has T{} as its zero,
// `+=`, `*` and `==`, and is trivially copyable; nothing else is asked.
// Source: design sheet of Inductor's convolution lowering, section E.
template <class T>
std::span<const InductorKernelEntry<T>> inductor_kernels() {
  using enum InductorResult;
  static constexpr std::array<InductorKernelEntry<T>, 11> entries{{
      {"aten_convolution", output, eager_limits, aten_convolution<T>},
      {"conv1x1_via_mm", output, conv1x1_via_mm_limits, conv1x1_via_mm<T>},
      {"depthwise_conv1d", output, depthwise_conv1d_limits, depthwise_conv1d<T>},
      {"convolution2d", output, convolution2d_limits, convolution2d<T>},
      {"convolution3d", output, convolution3d_limits, convolution3d<T>},
      {"ck_grouped_conv_fwd", output, ck_grouped_convolution_limits, ck_grouped_conv_fwd<T>},
      {"mm", output, mm_limits, mm<T>},
      {"convolution_backward_weight", weight_gradient, weight_gradient_limits,
       convolution_backward_weight<T>},
      {"convolution_backward_input", input_gradient, input_gradient_limits,
       convolution_backward_input<T>},
      {"aten_convolution_backward", gradients, eager_limits, aten_convolution_backward<T>},
      {"bias_gradient_sum", bias_gradient, eager_limits, bias_gradient_sum<T>},
  }};
  return entries;
}

// Null for an unknown name.
template <class T>
const InductorKernelEntry<T>* find_inductor_kernel(std::string_view name) {
  const auto entries = inductor_kernels<T>();
  const auto entry = std::ranges::find(entries, name, &InductorKernelEntry<T>::name);
  return entry == entries.end() ? nullptr : &*entry;
}

extern template std::span<const InductorKernelEntry<float>> inductor_kernels<float>();
extern template std::span<const InductorKernelEntry<double>> inductor_kernels<double>();

}  // namespace convproof
