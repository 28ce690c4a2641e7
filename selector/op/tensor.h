#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "selector/op/perm.h"

namespace convproof {

// The number of elements of a tensor; shapes within the limits of `check_structure`.
constexpr std::int64_t element_count(const Shape& shape) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  return count;
}

// Row-major strides, in elements.
constexpr Shape row_major_strides(const Shape& shape) {
  Shape strides = Shape::filled(shape.size(), 1);
  for (std::size_t axis = shape.size(); axis-- > 1;)
    strides[axis - 1] = strides[axis] * shape[axis];
  return strides;
}

// Borrowed dense elements in storage order (row-major over `shape`).
template <class T>
struct TensorView {
  std::span<T> elements{};
  Shape shape{};

  operator TensorView<const T>() const { return {elements, shape}; }
};

}  // namespace convproof
