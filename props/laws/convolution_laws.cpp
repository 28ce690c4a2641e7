#include <cstddef>
#include <cstdint>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "oracle/arbitrary_conv_op.h"
#include "oracle/scatter_convolution.h"
#include "props/laws/canonical.h"
#include "props/laws/rapidcheck_draw.h"

// What makes the reference a convolution at all, exactly, over the field.

namespace convproof::laws {
namespace {

RC_GTEST_PROP(Convolution, gather_and_scatter_agree, (const ConvOp& op, std::uint64_t seed)) {
  oracle::SplitMix64 random(seed);
  const FieldTensor image = random_tensor(random, op.in_shape);
  const FieldTensor kernel = random_tensor(random, op.kern_shape);
  FieldTensor scattered = oracle::zeros<Element>(op.res_shape);
  oracle::scatter_convolve(op, image.view(), kernel.view(), scattered.view());
  RC_ASSERT(convolve(op, image, kernel) == scattered);
}

RC_GTEST_PROP(Convolution, storage_order_changes_nothing_logical,
              (const ConvOp& op, std::uint64_t seed)) {
  const CanonicalCase at(op, seed);
  const FieldTensor image = transposed(at.image, invert(op.in_perm));
  const FieldTensor kernel = transposed(at.kernel, invert(op.kern_perm));
  RC_ASSERT(image.shape == op.in_shape);
  const FieldTensor result = convolve(op, image, kernel);
  RC_ASSERT(result.shape == op.res_shape);
  RC_ASSERT(transposed(result, op.out_perm) == at.result());
}

RC_GTEST_PROP(Convolution, is_linear_in_the_image, (const ConvOp& op, std::uint64_t seed)) {
  CanonicalCase at(op, seed);
  const FieldTensor other = random_tensor(at.random, at.image.shape);
  const Element factor(at.random.next());
  RC_ASSERT(convolve(at.op, sum(scaled(factor, at.image), other), at.kernel) ==
            sum(scaled(factor, at.result()), convolve(at.op, other, at.kernel)));
}

RC_GTEST_PROP(Convolution, is_linear_in_the_kernel, (const ConvOp& op, std::uint64_t seed)) {
  CanonicalCase at(op, seed);
  const FieldTensor other = random_tensor(at.random, at.kernel.shape);
  const Element factor(at.random.next());
  RC_ASSERT(convolve(at.op, at.image, sum(scaled(factor, at.kernel), other)) ==
            sum(scaled(factor, at.result()), convolve(at.op, at.image, other)));
}

// Moving the image by one stride, that is one stride of padding from its end to its start, moves
// the result by one position.
RC_GTEST_PROP(Convolution, a_shifted_image_gives_a_shifted_result,
              (const ConvOp& op, std::uint64_t seed)) {
  const CanonicalCase at(op, seed);
  const FieldTensor result = at.result();
  for (std::size_t axis = 0; axis < op.window.size(); ++axis) {
    ConvOp shifted = at.op;
    shifted.window[axis].pad_low += op.window[axis].stride;
    shifted.window[axis].pad_high -= op.window[axis].stride;
    const FieldTensor moved = convolve(shifted, at.image, at.kernel);
    RC_ASSERT(moved.shape == result.shape);
    const std::int64_t common = result.shape[axis + 2] - 1;
    RC_ASSERT(slice(moved, axis + 2, 1, common) == slice(result, axis + 2, 0, common));
  }
}

// The generator's larger sizes reach the same arithmetic.
RC_GTEST_PROP(Convolution, gather_and_scatter_agree_at_tile_edges, (std::uint64_t seed)) {
  const ConvOp op = *conv_op({.size = 2});
  oracle::SplitMix64 random(seed);
  const FieldTensor image = random_tensor(random, op.in_shape);
  const FieldTensor kernel = random_tensor(random, op.kern_shape);
  FieldTensor scattered = oracle::zeros<Element>(op.res_shape);
  oracle::scatter_convolve(op, image.view(), kernel.view(), scattered.view());
  RC_ASSERT(convolve(op, image, kernel) == scattered);
}

}  // namespace
}  // namespace convproof::laws
