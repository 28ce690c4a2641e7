#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "selector/op/conv_op.h"
#include "selector/op/tensor.h"

namespace convproof {

// The definition of a convolution, term by term, for the tests of this folder: what they read is
// right only if the values a file states come out. Slow, in double, of well-formed ops only.
inline std::vector<double> direct_convolution(const ConvOp& op, std::span<const double> image,
                                              std::span<const double> kernel) {
  const LogicalSizes sizes = logical_sizes(op);
  const std::size_t dims = op.window.size();
  const auto offset = [](const Shape& shape, const Perm& perm, const Shape& canonical) {
    const Shape strides = row_major_strides(shape);
    std::int64_t sum = 0;
    for (std::size_t axis = 0; axis < perm.size(); ++axis)
      sum += canonical[axis] * strides[static_cast<std::size_t>(perm[axis])];
    return static_cast<std::size_t>(sum);
  };
  // Counts `index` up in the box `extents`, last axis fastest; false past the end.
  const auto advance = [](Shape& index, const Shape& extents) {
    for (std::size_t axis = index.size(); axis-- > 0;) {
      if (++index[axis] < extents[axis]) return true;
      index[axis] = 0;
    }
    return false;
  };
  const Shape result_extents = apply_dims(op.res_shape, op.out_perm);
  std::vector<double> result(static_cast<std::size_t>(element_count(op.res_shape)), 0.0);
  if (result.empty()) return result;
  Shape taps = {sizes.kernel_features};
  for (const std::int64_t extent : sizes.kernel) taps.push_back(extent);
  if (element_count(taps) == 0) return result;
  Shape at = Shape::filled(dims + 2, 0);
  do {
    const std::int64_t feature = at[1];
    const std::int64_t feature_group = feature / (sizes.output_features / op.feature_group_count);
    const std::int64_t batch_group = feature / (sizes.output_features / op.batch_group_count);
    double sum = 0;
    Shape tap = Shape::filled(dims + 1, 0);
    do {
      Shape from = {batch_group * (sizes.batch / op.batch_group_count) + at[0],
                    feature_group * sizes.kernel_features + tap[0]};
      Shape with = {feature, tap[0]};
      bool inside = true;
      for (std::size_t axis = 0; axis < dims; ++axis) {
        const WindowDim& dim = op.window[axis];
        const std::int64_t dilated =
            at[axis + 2] * dim.stride + tap[axis + 1] * dim.rhs_dilation - dim.pad_low;
        inside = inside && dilated >= 0 && dilated % dim.lhs_dilation == 0 &&
                 dilated / dim.lhs_dilation < sizes.input[axis];
        from.push_back(dilated / dim.lhs_dilation);
        with.push_back(dim.reversal ? sizes.kernel[axis] - 1 - tap[axis + 1] : tap[axis + 1]);
      }
      if (inside) {
        sum += image[offset(op.in_shape, op.in_perm, from)] *
               kernel[offset(op.kern_shape, op.kern_perm, with)];
      }
    } while (advance(tap, taps));
    result[offset(op.res_shape, op.out_perm, at)] = sum;
  } while (advance(at, result_extents));
  return result;
}

}  // namespace convproof
