#pragma once

#include "selector/op/perm.h"

namespace convproof {

// The storage layouts that the kernels' names speak of, as perms (perm.h).
// Source: design sheet of the Neuron table, section A.3.

// Image and result: batch, feature, height, width.
namespace image_layout {
inline constexpr Perm bf01{0, 1, 2, 3};
inline constexpr Perm fb01{1, 0, 2, 3};
inline constexpr Perm f01b{3, 0, 1, 2};
inline constexpr Perm b01f{0, 3, 1, 2};
inline constexpr Perm fb10{1, 0, 3, 2};
inline constexpr Perm zero_f1b{3, 1, 0, 2};  // 0f1b
inline constexpr Perm zero_1bf{2, 3, 0, 1};  // 01bf
inline constexpr Perm zero_1fb{3, 2, 0, 1};  // 01fb

// f01b spelled in the scatter convention, as the older kernels spell a result's perm.
inline constexpr Perm f01b_scattered{1, 2, 3, 0};
}  // namespace image_layout

// Kernel operand: out feature, in feature, height, width.
namespace kernel_layout {
inline constexpr Perm oi01{0, 1, 2, 3};
inline constexpr Perm io01{1, 0, 2, 3};
inline constexpr Perm o01i{0, 3, 1, 2};
inline constexpr Perm i01o{3, 0, 1, 2};
inline constexpr Perm io10{1, 0, 3, 2};
inline constexpr Perm zero_i1o{3, 1, 0, 2};  // 0i1o
}  // namespace kernel_layout

}  // namespace convproof
