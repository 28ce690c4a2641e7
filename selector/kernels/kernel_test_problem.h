#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include "selector/kernels/arena.h"
#include "selector/kernels/kernel_call.h"
#include "selector/kernels/kernel_table.h"
#include "selector/kernels/neuron_kernels.h"
#include "selector/kernels/strided_view.h"
#include "selector/op/conv_op.h"
#include "selector/op/tensor.h"

// For the tests of this folder: convolutions in the layouts of a kernel, the kernel's answer in
// int64, and a direct definition to compare it with.
namespace convproof::kernel_test {

struct Layouts {
  Perm in{};
  Perm kern{};
  Perm out{};
};

// The storage shape of canonical extents (batch, feature, height, width).
inline Shape stored(const Shape& canonical, const Perm& perm) {
  return apply_dims(canonical, invert(perm));
}

// A well-formed op: canonical image (N, C, H, W), out features and filter extents; the rest
// follows.
inline ConvOp make_op(const Layouts& layouts, const Shape& image, std::int64_t outputs,
                      std::int64_t filter_height, std::int64_t filter_width,
                      const WindowDim& rows = {}, const WindowDim& columns = {},
                      std::int64_t feature_groups = 1, std::int64_t batch_groups = 1) {
  ConvOp op;
  op.in_perm = layouts.in;
  op.kern_perm = layouts.kern;
  op.out_perm = layouts.out;
  op.in_shape = stored(image, op.in_perm);
  op.kern_shape =
      stored({outputs, image[1] / feature_groups, filter_height, filter_width}, op.kern_perm);
  op.window = {rows, columns};
  op.feature_group_count = feature_groups;
  op.batch_group_count = batch_groups;
  op.res_shape = infer_result_shape(op);
  return op;
}

inline KernelCall call_of(const ConvOp& op) {
  KernelCall call;
  for (const WindowDim& dim : op.window) {
    call.stride.push_back(dim.stride);
    call.padding.push_back({dim.pad_low, dim.pad_high});
    call.rhs_dilation.push_back(dim.rhs_dilation);
    call.lhs_dilation.push_back(dim.lhs_dilation);
  }
  call.in_perm = op.in_perm;
  call.kern_perm = op.kern_perm;
  call.out_perm = op.out_perm;
  call.in_shape = op.in_shape;
  call.kern_shape = op.kern_shape;
  call.res_shape = op.res_shape;
  call.batch_group_count = op.batch_group_count;
  call.feature_group_count = op.feature_group_count;
  call.element_type = op.element_type;
  return call;
}

struct Operands {
  std::vector<std::int64_t> image;
  std::vector<std::int64_t> kernel;
};

inline Operands random_operands(const ConvOp& op, std::mt19937_64& random) {
  std::uniform_int_distribution<std::int64_t> value(-99, 99);
  Operands operands;
  operands.image.resize(static_cast<std::size_t>(element_count(op.in_shape)));
  operands.kernel.resize(static_cast<std::size_t>(element_count(op.kern_shape)));
  for (std::int64_t& element : operands.image) element = value(random);
  for (std::int64_t& element : operands.kernel) element = value(random);
  return operands;
}

// The definition, for well-formed ops. Source: design sheet of the Neuron table, section A.1.
inline std::vector<std::int64_t> direct_convolution(const ConvOp& op, const Operands& operands) {
  const LogicalSizes s = logical_sizes(op);
  std::vector<std::int64_t> result(static_cast<std::size_t>(element_count(op.res_shape)));
  const StridedView<const std::int64_t> image{operands.image.data(),
                                              axis_steps(op.in_shape, op.in_perm)};
  const StridedView<const std::int64_t> kernel{operands.kernel.data(),
                                               axis_steps(op.kern_shape, op.kern_perm)};
  const StridedView<std::int64_t> out{result.data(), axis_steps(op.res_shape, op.out_perm)};
  const std::int64_t groups = op.feature_group_count * op.batch_group_count;
  // The image position of one window tap, or nothing.
  const auto position = [](std::int64_t result_index, std::int64_t tap, std::int64_t extent,
                           const WindowDim& dim) -> std::int64_t {
    const std::int64_t at = result_index * dim.stride + tap * dim.rhs_dilation - dim.pad_low;
    return at < 0 || at % dim.lhs_dilation != 0 || at / dim.lhs_dilation >= extent
               ? -1
               : at / dim.lhs_dilation;
  };
  for (std::int64_t n = 0; n < s.result_batch; ++n) {
    for (std::int64_t o = 0; o < s.result_features; ++o) {
      const std::int64_t group = o / (s.output_features / groups);
      const std::int64_t image_n = op.batch_group_count > 1 ? group * s.result_batch + n : n;
      const std::int64_t first_c = op.feature_group_count > 1 ? group * s.kernel_features : 0;
      for (std::int64_t a = 0; a < s.result[0]; ++a) {
        for (std::int64_t b = 0; b < s.result[1]; ++b) {
          std::int64_t sum = 0;
          for (std::int64_t u = 0; u < s.kernel[0]; ++u) {
            const std::int64_t row = position(a, u, s.input[0], op.window[0]);
            if (row < 0) continue;
            for (std::int64_t v = 0; v < s.kernel[1]; ++v) {
              const std::int64_t column = position(b, v, s.input[1], op.window[1]);
              if (column < 0) continue;
              const std::int64_t ku = op.window[0].reversal ? s.kernel[0] - 1 - u : u;
              const std::int64_t kv = op.window[1].reversal ? s.kernel[1] - 1 - v : v;
              for (std::int64_t i = 0; i < s.kernel_features; ++i) {
                sum += *image.at(image_n, first_c + i, row, column) * *kernel.at(o, i, ku, kv);
              }
            }
          }
          *out.at(n, o, a, b) = sum;
        }
      }
    }
  }
  return result;
}

template <class T>
Kernel<T> kernel_named(std::string_view name) {
  for (const KernelEntry<T>& entry : neuron_kernels<T>()) {
    if (entry.name == name) return entry.run;
  }
  return nullptr;
}

inline constexpr std::string_view dense = "Conv2d_dw_fb01_io01_01bf_rep_nhwc_Pcinh";
inline constexpr std::string_view conv1d = "Conv1d_depthwise_bf01_oi01_bf01";
inline constexpr std::string_view depthwise = "conv2d_depthwise_f01b_o01i_bf01";
inline constexpr std::string_view column_packing = "conv2d_column_packing";
inline constexpr std::string_view column_packing_io10 = "conv2d_column_packing_io10";
inline constexpr std::string_view column_packing_1 = "conv2d_column_packing_1";
inline constexpr std::string_view pbp_0f1b = "Conv2d_pbp_0f1b_0i1o_01fb_experimental_1";
inline constexpr std::string_view pbp_fb01 = "Conv2d_pbp_fb01_io01_01bf_experimental_1";

struct Answer {
  KernelResult outcome{};
  std::vector<std::int64_t> result;
};

// The result starts as garbage, so that an element left unwritten shows.
inline Answer run(std::string_view kernel, const KernelCall& call, const Operands& operands,
                  Arena& arena, const Device& device = {}, const KernelSwitches& switches = {}) {
  Answer answer;
  answer.result.assign(static_cast<std::size_t>(element_count(call.res_shape)), -987654321);
  answer.outcome = kernel_named<std::int64_t>(kernel)(
      call, {operands.image, call.in_shape}, {operands.kernel, call.kern_shape},
      {answer.result, call.res_shape}, {device, switches, &arena});
  return answer;
}

}  // namespace convproof::kernel_test
