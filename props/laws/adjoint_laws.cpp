#include <cstddef>
#include <cstdint>
#include <utility>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "props/laws/canonical.h"
#include "props/laws/rapidcheck_draw.h"

// The gradients of a convolution are convolutions, and each is an adjoint:
//   <conv(x, w), y> == <x, image_gradient(y, w)> == <w, kernel_gradient(x, y)>
// A mistake in padding, dilation, stride, reversal or groups breaks one of the two.

namespace convproof::laws {
namespace {

// The window that turns the result's cotangent, as image, into the image's: stride and lhs dilation
// change places, the kernel is met the other way round, and the padding is what is left.
WindowDim image_gradient_window(const WindowDim& window, std::int64_t input, std::int64_t size,
                                std::int64_t output) {
  const std::int64_t kernel = dilated_extent(size, window.rhs_dilation);
  const std::int64_t low = kernel - 1 - window.pad_low;
  const std::int64_t high = dilated_extent(input, window.lhs_dilation) - 1 + kernel -
                            dilated_extent(output, window.stride) - low;
  return {.stride = window.lhs_dilation,
          .pad_low = low,
          .pad_high = high,
          .lhs_dilation = window.stride,
          .rhs_dilation = window.rhs_dilation,
          .reversal = !window.reversal};
}

// The window of the cotangent, as kernel, over the image: stride and rhs dilation change places.
WindowDim kernel_gradient_window(const WindowDim& window, std::int64_t input, std::int64_t size,
                                 std::int64_t output) {
  const std::int64_t high = dilated_extent(size, window.rhs_dilation) - 1 +
                            dilated_extent(output, window.stride) -
                            dilated_extent(input, window.lhs_dilation) - window.pad_low;
  return {.stride = window.rhs_dilation,
          .pad_low = window.pad_low,
          .pad_high = high,
          .lhs_dilation = window.lhs_dilation,
          .rhs_dilation = window.stride};
}

// Axes 0 and 1 of every group change places: element (g * inner + i, j) of the result is element
// (g * outer + j, i) of the source, whose axes are (groups * outer, inner).
FieldTensor transposed_in_groups(const FieldTensor& source, std::int64_t groups) {
  Shape shape = source.shape;
  const std::int64_t outer = source.shape[0] / groups;
  const std::int64_t inner = source.shape[1];
  shape[0] = groups * inner;
  shape[1] = outer;
  return gather(source, shape, [=](Shape place) {
    const std::int64_t group = place[0] / inner;
    const std::int64_t i = place[0] % inner;
    place[0] = group * outer + place[1];
    place[1] = i;
    return place;
  });
}

// Each group's features become batch: (batch, groups * features) to (groups * batch, features).
FieldTensor groups_into_batch(const FieldTensor& source, std::int64_t groups) {
  Shape shape = source.shape;
  const std::int64_t batch = source.shape[0];
  const std::int64_t features = source.shape[1] / groups;
  shape[0] = groups * batch;
  shape[1] = features;
  return gather(source, shape, [=](Shape place) {
    const std::int64_t group = place[0] / batch;
    place[0] %= batch;
    place[1] += group * features;
    return place;
  });
}

FieldTensor image_gradient(const ConvOp& op, const FieldTensor& cotangent,
                           const FieldTensor& kernel) {
  ConvOp gradient = op;
  for (std::size_t axis = 0; axis < op.window.size(); ++axis) {
    gradient.window[axis] = image_gradient_window(op.window[axis], op.in_shape[axis + 2],
                                                  op.kern_shape[axis + 2], op.res_shape[axis + 2]);
  }
  // Groups of either kind split the cotangent's features; batch groups then go back to the batch.
  const std::int64_t groups = op.feature_group_count * op.batch_group_count;
  gradient.feature_group_count = groups;
  gradient.batch_group_count = 1;
  const FieldTensor result = convolve(gradient, cotangent, transposed_in_groups(kernel, groups));
  return groups_into_batch(result, op.batch_group_count);
}

FieldTensor kernel_gradient(const ConvOp& op, const FieldTensor& image,
                            const FieldTensor& cotangent) {
  ConvOp gradient = op;
  for (std::size_t axis = 0; axis < op.window.size(); ++axis) {
    gradient.window[axis] = kernel_gradient_window(op.window[axis], op.in_shape[axis + 2],
                                                   op.kern_shape[axis + 2], op.res_shape[axis + 2]);
  }
  // Batch and features change places in both operands and in the result, and so do the groups: this
  // is where batch groups come from.
  Perm swapped = identity_perm(op.in_shape.size());
  std::swap(swapped[0], swapped[1]);
  gradient.in_perm = gradient.kern_perm = gradient.out_perm = swapped;
  std::swap(gradient.feature_group_count, gradient.batch_group_count);
  FieldTensor result = convolve(gradient, image, cotangent);
  for (std::size_t axis = 0; axis < op.window.size(); ++axis) {
    if (op.window[axis].reversal) result = flipped(result, axis + 2);
  }
  return result;
}

RC_GTEST_PROP(Gradients, the_image_gradient_is_the_adjoint_in_the_image,
              (const ConvOp& op, std::uint64_t seed)) {
  CanonicalCase at(op, seed);
  const FieldTensor cotangent = random_tensor(at.random, at.op.res_shape);
  const FieldTensor gradient = image_gradient(at.op, cotangent, at.kernel);
  RC_ASSERT(gradient.shape == at.image.shape);
  RC_ASSERT(inner_product(at.image, gradient) == inner_product(at.result(), cotangent));
}

RC_GTEST_PROP(Gradients, the_kernel_gradient_is_the_adjoint_in_the_kernel,
              (const ConvOp& op, std::uint64_t seed)) {
  CanonicalCase at(op, seed);
  const FieldTensor cotangent = random_tensor(at.random, at.op.res_shape);
  const FieldTensor gradient = kernel_gradient(at.op, at.image, cotangent);
  RC_ASSERT(gradient.shape == at.kernel.shape);
  RC_ASSERT(inner_product(at.kernel, gradient) == inner_product(at.result(), cotangent));
}

}  // namespace
}  // namespace convproof::laws
