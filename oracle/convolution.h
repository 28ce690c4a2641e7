#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "selector/op/conv_op.h"
#include "selector/op/tensor.h"

namespace convproof::oracle {

// The reference convolution: the definition, in gather form, one output element at a time.
//
// Operands and result are in storage order with the op's shapes; the op is well formed. Positions
// are counted in the image after lhs dilation and padding; what is not an image element is zero and
// is skipped, so a non-finite kernel element does not meet the padding. Accumulation is in T, over
// kernel positions (row-major), then input features.
//
// Allocates nothing.
// Source: StableHLO specification, op `convolution`; design sheet of the Neuron table, section A.1.
template <class T>
class Convolution {
 public:
  // Aligned to the end, so that the last spatial axis is always the last entry; unused ones are 0.
  using Position = std::array<std::int64_t, max_spatial_dims>;

  Convolution(const ConvOp& op, TensorView<const T> image, TensorView<const T> kernel)
      : image_(image.elements.data()), kernel_(kernel.elements.data()) {
    const auto read = [](const Shape& shape, const Perm& perm, std::size_t axis) {
      const auto place = static_cast<std::size_t>(perm[axis]);
      return Extent{shape[place], row_major_strides(shape)[place]};
    };
    batch_ = read(op.in_shape, op.in_perm, 0);
    features_ = read(op.in_shape, op.in_perm, 1);
    output_features_ = read(op.kern_shape, op.kern_perm, 0);
    kernel_features_ = read(op.kern_shape, op.kern_perm, 1);
    group_batch_ = batch_.size / op.batch_group_count;
    outputs_per_feature_group_ = output_features_.size / op.feature_group_count;
    outputs_per_batch_group_ = output_features_.size / op.batch_group_count;
    const std::size_t unused = max_spatial_dims - op.window.size();
    for (std::size_t axis = 0; axis < op.window.size(); ++axis) {
      axes_[unused + axis] = {read(op.in_shape, op.in_perm, axis + 2),
                              read(op.kern_shape, op.kern_perm, axis + 2), op.window[axis]};
    }
  }

  // The output element at batch `n`, feature `o` and window position `at`.
  T operator()(std::int64_t n, std::int64_t o, const Position& at) const {
    // Output feature o reads the input features of its feature group and the batch of its batch
    // group; at most one of the two counts exceeds one.
    const std::int64_t first_feature = o / outputs_per_feature_group_ * kernel_features_.size;
    const std::int64_t from_batch = o / outputs_per_batch_group_ * group_batch_ + n;
    // Offsets rather than pointers: an empty operand has no address to move from.
    const std::int64_t image = from_batch * batch_.stride + first_feature * features_.stride;
    const std::int64_t kernel = o * output_features_.stride;
    T sum{};
    for (std::int64_t u = 0; u < axes_[0].kernel.size; ++u) {
      const Tap tap0 = axes_[0].tap(at[0], u);
      for (std::int64_t v = 0; tap0.inside && v < axes_[1].kernel.size; ++v) {
        const Tap tap1 = axes_[1].tap(at[1], v);
        for (std::int64_t w = 0; tap1.inside && w < axes_[2].kernel.size; ++w) {
          const Tap tap2 = axes_[2].tap(at[2], w);
          if (!tap2.inside) continue;
          const std::int64_t x = image + tap0.image + tap1.image + tap2.image;
          const std::int64_t k = kernel + tap0.kernel + tap1.kernel + tap2.kernel;
          for (std::int64_t i = 0; i < kernel_features_.size; ++i) {
            sum += image_[x + i * features_.stride] * kernel_[k + i * kernel_features_.stride];
          }
        }
      }
    }
    return sum;
  }

 private:
  struct Extent {
    std::int64_t size = 1;
    std::int64_t stride = 0;  // in storage, in elements
  };

  // What window position `at` and kernel position `u` meet along one axis, as storage offsets.
  struct Tap {
    bool inside = false;
    std::int64_t image = 0;
    std::int64_t kernel = 0;
  };

  struct Axis {
    Extent image{};
    Extent kernel{};
    WindowDim window{};

    [[nodiscard]] Tap tap(std::int64_t at, std::int64_t u) const {
      const std::int64_t position = at * window.stride + u * window.rhs_dilation - window.pad_low;
      if (position < 0) return {};
      // Divisions cost more than the rest of the tap, and most windows dilate nothing.
      std::int64_t element = position;
      if (window.lhs_dilation != 1) {
        if (position % window.lhs_dilation != 0) return {};
        element = position / window.lhs_dilation;
      }
      if (element >= image.size) return {};
      const std::int64_t read = window.reversal ? kernel.size - 1 - u : u;
      return {true, element * image.stride, read * kernel.stride};
    }
  };

  const T* image_;
  const T* kernel_;
  Extent batch_{};
  Extent features_{};
  Extent output_features_{};
  Extent kernel_features_{};
  std::int64_t group_batch_ = 1;
  std::int64_t outputs_per_feature_group_ = 1;
  std::int64_t outputs_per_batch_group_ = 1;
  std::array<Axis, max_spatial_dims> axes_{};
};

// All of it: `result` has the op's res_shape and is overwritten.
template <class T>
void convolve(const ConvOp& op, std::type_identity_t<TensorView<const T>> image,
              std::type_identity_t<TensorView<const T>> kernel, TensorView<T> result) {
  const Convolution<T> element(op, image, kernel);
  // The result's spatial extents and storage strides, aligned to the end like a position.
  typename Convolution<T>::Position size{1, 1, 1};
  typename Convolution<T>::Position stride{};
  const Shape sizes = apply_dims(op.res_shape, op.out_perm);
  const Shape strides = apply_dims(row_major_strides(op.res_shape), op.out_perm);
  const std::size_t unused = max_spatial_dims - op.window.size();
  for (std::size_t axis = 0; axis < op.window.size(); ++axis) {
    size[unused + axis] = sizes[axis + 2];
    stride[unused + axis] = strides[axis + 2];
  }
  T* const elements = result.elements.data();
  typename Convolution<T>::Position at{};
  for (std::int64_t n = 0; n < sizes[0]; ++n) {
    for (std::int64_t o = 0; o < sizes[1]; ++o) {
      const std::int64_t plane = n * strides[0] + o * strides[1];
      for (at[0] = 0; at[0] < size[0]; ++at[0]) {
        for (at[1] = 0; at[1] < size[1]; ++at[1]) {
          const std::int64_t row = plane + at[0] * stride[0] + at[1] * stride[1];
          for (at[2] = 0; at[2] < size[2]; ++at[2]) {
            elements[row + at[2] * stride[2]] = element(n, o, at);
          }
        }
      }
    }
  }
}

}  // namespace convproof::oracle
