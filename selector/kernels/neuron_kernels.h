#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "selector/kernels/conv1d_depthwise.h"
#include "selector/kernels/conv2d_column_packing.h"
#include "selector/kernels/conv2d_column_packing_1.h"
#include "selector/kernels/conv2d_depthwise.h"
#include "selector/kernels/conv2d_dw.h"
#include "selector/kernels/conv2d_pbp.h"
#include "selector/kernels/conv2d_pbp_fb01.h"
#include "selector/kernels/kernel_table.h"

namespace convproof {

// A scalar has T{} as its zero, `+=`, `*` and `==`, and is trivially copyable; nothing else is
// asked.
template <class T>
std::span<const KernelEntry<T>> neuron_kernels() {
  static constexpr std::array<KernelEntry<T>, 8> entries{{
      {"Conv2d_pbp_0f1b_0i1o_01fb_experimental_1", "conv2d_pbp_0f1b_0i1o_01fb_experimental_1",
       conv2d_pbp_0f1b<T>},
      {"Conv2d_pbp_fb01_io01_01bf_experimental_1",
       "conv2d_pbp_fb01_io01_01bf_kernel_experimental_1", conv2d_pbp_fb01<T>},
      {"Conv2d_dw_fb01_io01_01bf_rep_nhwc_Pcinh", "conv2d_dw_fb01_io01_01bf_rep_nhwc_Pcinh",
       conv2d_dw<T>},
      {"Conv1d_depthwise_bf01_oi01_bf01", "conv1d_depthwise_bf01_oi01_bf01", conv1d_depthwise<T>},
      {"conv2d_column_packing", "conv2d_column_packing", conv2d_column_packing<T>},
      {"conv2d_column_packing_io10", "conv2d_column_packing_io10", conv2d_column_packing_io10<T>},
      {"conv2d_column_packing_1", "conv2d_column_packing_1", conv2d_column_packing_1<T>},
      {"conv2d_depthwise_f01b_o01i_bf01", "conv2d_depthwise_f01b_o01i_bf01", conv2d_depthwise<T>},
  }};
  return entries;
}

extern template std::span<const KernelEntry<float>> neuron_kernels<float>();
extern template std::span<const KernelEntry<double>> neuron_kernels<double>();
extern template std::span<const KernelEntry<std::int64_t>> neuron_kernels<std::int64_t>();

}  // namespace convproof
