#pragma once

#include <cstdint>

namespace convproof {

// One spatial dimension of a convolution's window; its size is the kernel operand's extent there.
//
// Units   strides, dilations and padding count elements; strides and dilations are at least 1.
//         Padding may be negative: it then crops. It applies after the lhs dilation.
// Source  StableHLO specification, op `convolution`, inputs I3 to I7.
struct WindowDim {
  std::int64_t stride = 1;
  std::int64_t pad_low = 0;
  std::int64_t pad_high = 0;
  std::int64_t lhs_dilation = 1;
  std::int64_t rhs_dilation = 1;
  bool reversal = false;

  bool operator==(const WindowDim&) const = default;
};

// `(extent - 1) * dilation + 1`; 0 for an empty extent.
std::int64_t dilated_extent(std::int64_t extent, std::int64_t dilation);

// The input extent after lhs dilation and padding; negative where cropping removes more than there
// is.
std::int64_t padded_extent(std::int64_t input, const WindowDim& window);

// The number of window positions of a kernel of extent `size` over `input` elements; 0 where the
// window does not fit. Inputs within the limits of `check_structure`, so that nothing overflows.
std::int64_t output_extent(std::int64_t input, std::int64_t size, const WindowDim& window);

}  // namespace convproof
