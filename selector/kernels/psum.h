#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "selector/kernels/device.h"
#include "selector/kernels/kernel_error.h"

namespace convproof {

// The moving operand of one matmul as an access pattern: partition p holds, at
// `elements + p * partition_step`, `rows` by `columns` groups of `depth` adjacent elements.
template <class T>
struct MovingOperand {
  const T* elements = nullptr;
  std::int64_t partition_step = 0;
  std::int64_t rows = 0;
  std::int64_t row_step = 0;
  std::int64_t columns = 0;
  std::int64_t column_step = 0;
  std::int64_t depth = 0;

  [[nodiscard]] std::int64_t free_elements() const { return rows * columns * depth; }
};

// A tile of `outputs` partitions by `free` elements fits one PSUM bank, which holds fp32.
constexpr KernelResult check_psum_tile(std::int64_t outputs, std::int64_t free,
                                       const Device& device) {
  if (outputs > device.partitions) {
    return std::unexpected(KernelError{.fault = KernelFault::device_limit,
                                       .rule = "partitions of a PSUM tile",
                                       .value = outputs,
                                       .limit = device.partitions});
  }
  const std::int64_t limit = std::min(device.free_elements, device.psum_bank_bytes / 4);
  if (free > limit) {
    return std::unexpected(KernelError{.fault = KernelFault::device_limit,
                                       .rule = "free elements of a PSUM tile",
                                       .value = free,
                                       .limit = limit});
  }
  return {};
}

// `psum += stationary^T * moving`: `stationary` is [contraction][outputs], `psum` is
// [outputs][free], and `line` is room for one partition's free elements.
// Source: design sheet of the Neuron table, section H, hardware limits.
template <class T>
void accumulate_matmul(const T* stationary, std::int64_t contraction, std::int64_t outputs,
                       std::int64_t stationary_step, const MovingOperand<T>& moving, T* line,
                       T* psum) {
  const std::int64_t free = moving.free_elements();
  for (std::int64_t p = 0; p < contraction; ++p) {
    T* out = line;
    for (std::int64_t row = 0; row < moving.rows; ++row) {
      const T* in = moving.elements + p * moving.partition_step + row * moving.row_step;
      for (std::int64_t column = 0; column < moving.columns; ++column, in += moving.column_step) {
        for (std::int64_t d = 0; d < moving.depth; ++d) *out++ = in[d];
      }
    }
    const T* weights = stationary + p * stationary_step;
    for (std::int64_t o = 0; o < outputs; ++o) {
      const T weight = weights[o];
      // Bands between dilated filter rows are zero. Exact scalars need not multiply them; floating
      // point must, since the device turns a zero times a NaN into a NaN.
      if constexpr (!std::is_floating_point_v<T>) {
        if (weight == T{}) continue;
      }
      T* const sum = psum + o * free;
      for (std::int64_t f = 0; f < free; ++f) sum[f] += weight * line[f];
    }
  }
}

}  // namespace convproof
