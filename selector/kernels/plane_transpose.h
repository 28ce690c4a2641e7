#pragma once

#include <algorithm>
#include <cstdint>

#include "selector/kernels/strided_view.h"

namespace convproof {

// Extents along the canonical axes of a StridedView.
struct AxisExtents {
  std::int64_t first = 1;
  std::int64_t second = 1;
  std::int64_t row = 1;
  std::int64_t column = 1;
};

// Copies a tensor from one layout into another, a (first, row) plane after the other in blocks of
// at most `block` elements either way, as the transposing engine does.
template <class T>
void transpose_planes(StridedView<const T> source, StridedView<T> destination,
                      const AxisExtents& extents, std::int64_t block) {
  for (std::int64_t second = 0; second < extents.second; ++second) {
    for (std::int64_t column = 0; column < extents.column; ++column) {
      for (std::int64_t first = 0; first < extents.first; first += block) {
        const std::int64_t first_end = std::min(extents.first, first + block);
        for (std::int64_t row = 0; row < extents.row; row += block) {
          const std::int64_t row_end = std::min(extents.row, row + block);
          for (std::int64_t i = first; i < first_end; ++i) {
            for (std::int64_t j = row; j < row_end; ++j) {
              *destination.at(i, second, j, column) = *source.at(i, second, j, column);
            }
          }
        }
      }
    }
  }
}

}  // namespace convproof
