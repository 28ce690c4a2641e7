#include "selector/op/window.h"

#include <cstdint>

namespace convproof {

std::int64_t dilated_extent(std::int64_t extent, std::int64_t dilation) {
  return extent == 0 ? 0 : (extent - 1) * dilation + 1;
}

std::int64_t padded_extent(std::int64_t input, const WindowDim& window) {
  return dilated_extent(input, window.lhs_dilation) + window.pad_low + window.pad_high;
}

std::int64_t output_extent(std::int64_t input, std::int64_t size, const WindowDim& window) {
  const std::int64_t room =
      padded_extent(input, window) - dilated_extent(size, window.rhs_dilation);
  return room < 0 ? 0 : room / window.stride + 1;
}

}  // namespace convproof
