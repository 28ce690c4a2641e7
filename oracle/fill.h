#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <span>

#include "oracle/prime_field.h"
#include "oracle/random.h"
#include "selector/op/conv_op.h"
#include "selector/op/tensor.h"

namespace convproof::oracle {

// Uniform field elements: one comparison on them decides equality at this shape for all data.
inline void fill_uniform(SplitMix64& random, std::span<Field61> elements) {
  for (Field61& element : elements) element = Field61(random.below(Field61::modulus));
}

// Integers for which every product, partial sum and sum of a convolution is exact, in any order.
struct ExactRange {
  std::int64_t low = -1;
  std::int64_t high = 1;
  // The most elements of one output feature's kernel that may differ from zero; no limit where it
  // is at least `terms`.
  std::int64_t kernel_terms = 0;
  std::int64_t terms = 0;  // products per output element, padding included

  bool operator==(const ExactRange&) const = default;
};

// `[-8, 8], 256 of 300 terms`
std::ostream& operator<<(std::ostream& stream, const ExactRange& range);

// The widest such range: `kernel_terms * magnitude^2` stays within the exact integers of the result
// element type, and `magnitude` within those of the operands' type. Where even {-1, 0, 1} could
// sum past that, the kernel operand is sparse instead.
ExactRange exact_range(const ConvOp& op);

// Fills both operands within `exact_range(op)`. T holds the integers of the op's types: any type
// does that is constructible from int64 and has at least their precision.
template <class T>
void fill_exact(const ConvOp& op, SplitMix64& random, std::span<T> image, std::span<T> kernel) {
  const ExactRange range = exact_range(op);
  const auto fill = [&](std::span<T> elements) {
    for (T& element : elements) element = static_cast<T>(random.between(range.low, range.high));
  };
  fill(image);
  if (range.kernel_terms >= range.terms) {
    fill(kernel);
    return;
  }
  // Per output feature, `kernel_terms` draws of a place, so that no more differ from zero.
  std::fill(kernel.begin(), kernel.end(), T{});
  const Shape sizes = apply_dims(op.kern_shape, op.kern_perm);
  const Shape strides = apply_dims(row_major_strides(op.kern_shape), op.kern_perm);
  for (std::int64_t o = 0; o < sizes[0]; ++o) {
    for (std::int64_t draw = 0; draw < range.kernel_terms; ++draw) {
      std::int64_t place = o * strides[0];
      for (std::size_t axis = 1; axis < sizes.size(); ++axis) {
        place += random.between(0, sizes[axis] - 1) * strides[axis];
      }
      kernel[static_cast<std::size_t>(place)] =
          static_cast<T>(range.low < 0 && random.between(0, 1) == 0 ? -1 : 1);
    }
  }
}

}  // namespace convproof::oracle
