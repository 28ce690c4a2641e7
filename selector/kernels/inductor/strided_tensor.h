#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string_view>

#include "selector/kernels/kernel_error.h"
#include "selector/op/perm.h"

namespace convproof {

// A tensor anywhere in borrowed storage: the element at a place stands at the sum of its
// coordinates times `strides`, which are in elements and not negative.
template <class T>
struct StridedTensor {
  std::span<T> storage{};
  Shape shape{};
  Shape strides{};

  operator StridedTensor<const T>() const { return {storage, shape, strides}; }
};

// The axes of a tensor of rank 3 to 5, with three spatial ones always: lacking ones come first,
// with extent 1 and step 0. Kernels read it once per call.
template <class T>
struct TensorAxes {
  explicit TensorAxes(const StridedTensor<T>& tensor)
      : elements(tensor.storage.data()),
        first(tensor.shape[0]),
        second(tensor.shape[1]),
        first_step(tensor.strides[0]),
        second_step(tensor.strides[1]) {
    const std::size_t lacking = max_spatial_dims + 2 - tensor.shape.size();
    for (std::size_t axis = 2; axis < tensor.shape.size(); ++axis) {
      extent[lacking + axis - 2] = tensor.shape[axis];
      step[lacking + axis - 2] = tensor.strides[axis];
    }
  }

  [[nodiscard]] std::int64_t positions() const { return extent[0] * extent[1] * extent[2]; }

  T* elements;
  std::int64_t first;
  std::int64_t second;
  std::int64_t first_step;
  std::int64_t second_step;
  std::array<std::int64_t, max_spatial_dims> extent{1, 1, 1};
  std::array<std::int64_t, max_spatial_dims> step{};
};

// Refuses a kernel that reaches past a buffer: its highest place has `first` and `second` as the
// coordinates of the first two axes and the last position of the spatial ones.
template <class T>
KernelResult reaches_within(const StridedTensor<T>& tensor, std::int64_t first, std::int64_t second,
                            std::string_view rule) {
  const TensorAxes<T> axes(tensor);
  std::int64_t last = first * axes.first_step + second * axes.second_step;
  for (std::size_t d = 0; d < max_spatial_dims; ++d) last += (axes.extent[d] - 1) * axes.step[d];
  const auto size = static_cast<std::int64_t>(tensor.storage.size());
  if (last < size) return {};
  return std::unexpected(KernelError{
      .fault = KernelFault::device_limit, .rule = rule, .value = last, .limit = size - 1});
}

}  // namespace convproof
