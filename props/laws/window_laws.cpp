#include <cstddef>
#include <cstdint>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "props/laws/canonical.h"
#include "props/laws/rapidcheck_draw.h"

// Each window attribute is a change of one operand: without the attribute, on the changed operand,
// the result is the same.

namespace convproof::laws {
namespace {

RC_GTEST_PROP(Window, reversal_flips_the_kernel, (const ConvOp& op, std::uint64_t seed)) {
  const CanonicalCase at(op, seed);
  for (std::size_t axis = 0; axis < op.window.size(); ++axis) {
    ConvOp other = at.op;
    other.window[axis].reversal = !other.window[axis].reversal;
    RC_ASSERT(convolve(other, at.image, flipped(at.kernel, axis + 2)) == at.result());
  }
}

RC_GTEST_PROP(Window, lhs_dilation_stuffs_the_image_with_zeros,
              (const ConvOp& op, std::uint64_t seed)) {
  const CanonicalCase at(op, seed);
  for (std::size_t axis = 0; axis < op.window.size(); ++axis) {
    // Whatever the op's own dilation, then one more: most ops have none.
    for (const std::int64_t more : {0, 1}) {
      ConvOp dilated = at.op;
      dilated.window[axis].lhs_dilation += more;
      ConvOp plain = at.op;
      plain.window[axis].lhs_dilation = 1;
      const FieldTensor stuffed =
          zero_stuffed(at.image, axis + 2, dilated.window[axis].lhs_dilation);
      RC_ASSERT(convolve(plain, stuffed, at.kernel) == convolve(dilated, at.image, at.kernel));
    }
  }
}

RC_GTEST_PROP(Window, rhs_dilation_stuffs_the_kernel_with_zeros,
              (const ConvOp& op, std::uint64_t seed)) {
  const CanonicalCase at(op, seed);
  for (std::size_t axis = 0; axis < op.window.size(); ++axis) {
    ConvOp plain = at.op;
    plain.window[axis].rhs_dilation = 1;
    const FieldTensor stuffed = zero_stuffed(at.kernel, axis + 2, op.window[axis].rhs_dilation);
    RC_ASSERT(convolve(plain, at.image, stuffed) == at.result());
  }
}

RC_GTEST_PROP(Window, padding_surrounds_the_dilated_image_or_crops_it,
              (const ConvOp& op, std::uint64_t seed)) {
  const CanonicalCase at(op, seed);
  for (std::size_t axis = 0; axis < op.window.size(); ++axis) {
    ConvOp plain = at.op;
    WindowDim& window = plain.window[axis];
    const FieldTensor image = padded(zero_stuffed(at.image, axis + 2, window.lhs_dilation),
                                     axis + 2, window.pad_low, window.pad_high);
    window.lhs_dilation = 1;
    window.pad_low = 0;
    window.pad_high = 0;
    RC_ASSERT(convolve(plain, image, at.kernel) == at.result());
  }
}

RC_GTEST_PROP(Window, a_stride_keeps_every_so_manyth_position,
              (const ConvOp& op, std::uint64_t seed)) {
  const CanonicalCase at(op, seed);
  const FieldTensor result = at.result();
  for (std::size_t axis = 0; axis < op.window.size(); ++axis) {
    ConvOp dense = at.op;
    dense.window[axis].stride = 1;
    const FieldTensor every = convolve(dense, at.image, at.kernel);
    const std::int64_t positions = every.shape[axis + 2];
    const std::int64_t stride = op.window[axis].stride;
    RC_ASSERT(result.shape[axis + 2] == (positions + stride - 1) / stride);
    RC_ASSERT(gather(every, result.shape, [&](Shape place) {
                place[axis + 2] *= stride;
                return place;
              }) == result);
  }
}

}  // namespace
}  // namespace convproof::laws
