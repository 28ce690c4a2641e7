#pragma once

#include <cstddef>
#include <cstdint>

#include "selector/op/perm.h"

namespace convproof {

// Steps in elements along the canonical axes of a 4-axis tensor: (batch, feature, row, column) of
// an image or a result, (out feature, in feature, row, column) of a kernel operand.
struct AxisSteps {
  std::int64_t first = 0;
  std::int64_t second = 0;
  std::int64_t row = 0;
  std::int64_t column = 0;
};

// The steps of a dense tensor stored with `shape`, read through `perm`. Both of rank 4.
constexpr AxisSteps axis_steps(const Shape& shape, const Perm& perm) {
  std::int64_t steps[4] = {0, 0, 0, 1};
  for (std::size_t axis = 3; axis-- > 0;) steps[axis] = steps[axis + 1] * shape[axis + 1];
  return {.first = steps[perm[0]],
          .second = steps[perm[1]],
          .row = steps[perm[2]],
          .column = steps[perm[3]]};
}

// Borrowed elements and the steps to walk them: kernels work out steps once per call, so that no
// inner loop touches a perm.
template <class T>
struct StridedView {
  T* elements = nullptr;
  AxisSteps steps{};

  [[nodiscard]] constexpr T* at(std::int64_t first, std::int64_t second, std::int64_t row,
                                std::int64_t column) const {
    return elements + first * steps.first + second * steps.second + row * steps.row +
           column * steps.column;
  }
};

}  // namespace convproof
