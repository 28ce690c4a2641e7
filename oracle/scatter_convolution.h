#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "selector/op/conv_op.h"
#include "selector/op/tensor.h"

namespace convproof::oracle {

// A second reference, in scatter form: walk the image in storage order and push every element
// through every tap to the outputs that it reaches. It shares no index arithmetic with
// convolution.h on purpose, so that a mistake in one of the two shows as a disagreement.
//
// Same contract as `convolve`, but the terms of an element are added in another order.
template <class T>
void scatter_convolve(const ConvOp& op, std::type_identity_t<TensorView<const T>> image,
                      std::type_identity_t<TensorView<const T>> kernel, TensorView<T> result) {
  std::fill(result.elements.begin(), result.elements.end(), T{});
  const std::size_t rank = op.in_shape.size();
  const std::size_t spatial = rank - 2;
  const Shape kernel_strides = apply_dims(row_major_strides(op.kern_shape), op.kern_perm);
  const Shape result_strides = apply_dims(row_major_strides(op.res_shape), op.out_perm);
  const Shape kernel_sizes = apply_dims(op.kern_shape, op.kern_perm);
  const Shape result_sizes = apply_dims(op.res_shape, op.out_perm);

  // Where element `h` lands through tap `u` of one axis; -1 where it lands between or outside.
  const auto landing = [&](std::size_t axis, std::int64_t h, std::int64_t u) -> std::int64_t {
    const WindowDim& window = op.window[axis];
    const std::int64_t ahead = h * window.lhs_dilation + window.pad_low - u * window.rhs_dilation;
    if (ahead < 0 || ahead % window.stride != 0) return -1;
    const std::int64_t at = ahead / window.stride;
    return at < result_sizes[axis + 2] ? at : -1;
  };

  Shape place = Shape::filled(rank, 0);  // coordinates of the current element, in storage order
  for (const T& element : image.elements) {
    const Shape logical = apply_dims(place, op.in_perm);
    const std::int64_t feature_group = logical[1] / kernel_sizes[1];
    const std::int64_t batch_group = logical[0] / result_sizes[0];
    // The output features that read this element: those of both its groups.
    const std::int64_t per_feature_group = kernel_sizes[0] / op.feature_group_count;
    const std::int64_t per_batch_group = kernel_sizes[0] / op.batch_group_count;
    const std::int64_t first_output =
        std::max(feature_group * per_feature_group, batch_group * per_batch_group);
    const std::int64_t end_output =
        std::min((feature_group + 1) * per_feature_group, (batch_group + 1) * per_batch_group);

    // All taps, as an odometer over the kernel's spatial extents.
    std::int64_t taps = 1;
    for (std::size_t axis = 0; axis < spatial; ++axis) taps *= kernel_sizes[axis + 2];
    for (std::int64_t tap = 0; tap < taps; ++tap) {
      std::int64_t rest = tap;
      std::int64_t from = logical[1] % kernel_sizes[1] * kernel_strides[1];
      std::int64_t to = logical[0] % result_sizes[0] * result_strides[0];
      bool lands = true;
      for (std::size_t axis = spatial; lands && axis-- > 0;) {
        const std::int64_t size = kernel_sizes[axis + 2];
        const std::int64_t stored = rest % size;
        rest /= size;
        // A reversed window meets its last stored tap first.
        const std::int64_t u = op.window[axis].reversal ? size - 1 - stored : stored;
        const std::int64_t at = landing(axis, logical[axis + 2], u);
        lands = at >= 0;
        from += stored * kernel_strides[axis + 2];
        to += at * result_strides[axis + 2];
      }
      if (!lands) continue;
      for (std::int64_t o = first_output; o < end_output; ++o) {
        result.elements[static_cast<std::size_t>(to + o * result_strides[1])] +=
            element * kernel.elements[static_cast<std::size_t>(from + o * kernel_strides[0])];
      }
    }

    for (std::size_t axis = rank; axis-- > 0;) {
      if (++place[axis] < op.in_shape[axis]) break;
      place[axis] = 0;
    }
  }
}

}  // namespace convproof::oracle
