#pragma once

#include <cstddef>
#include <cstdint>

#include "selector/op/tensor.h"

namespace convproof {

// The offloaded transpose: axis i of the result is axis perm[i] of the operand. `result` has the
// shape apply_dims(operand.shape, perm). Source: design sheet of the Neuron table, section F.
template <class T>
void transpose(TensorView<const T> operand, const Perm& perm, TensorView<T> result) {
  const Shape operand_strides = row_major_strides(operand.shape);
  // Ranks below five are padded with leading axes of extent 1, so that one loop nest serves all.
  std::int64_t extent[max_rank] = {1, 1, 1, 1, 1};
  std::int64_t step[max_rank] = {0, 0, 0, 0, 0};
  const std::size_t rank = perm.size();
  for (std::size_t axis = 0; axis < rank; ++axis) {
    extent[max_rank - rank + axis] = result.shape[axis];
    step[max_rank - rank + axis] = operand_strides[static_cast<std::size_t>(perm[axis])];
  }
  const T* const from = operand.elements.data();
  T* to = result.elements.data();
  for (std::int64_t a = 0; a < extent[0]; ++a) {
    for (std::int64_t b = 0; b < extent[1]; ++b) {
      for (std::int64_t c = 0; c < extent[2]; ++c) {
        for (std::int64_t d = 0; d < extent[3]; ++d) {
          const std::int64_t base = a * step[0] + b * step[1] + c * step[2] + d * step[3];
          for (std::int64_t e = 0; e < extent[4]; ++e) *to++ = from[base + e * step[4]];
        }
      }
    }
  }
}

}  // namespace convproof
