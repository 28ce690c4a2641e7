#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "oracle/convolution.h"
#include "oracle/fill.h"
#include "oracle/prime_field.h"
#include "oracle/random.h"
#include "oracle/tensor.h"
#include "selector/op/conv_op.h"

namespace convproof::laws {

using Element = oracle::Field61;
using FieldTensor = oracle::Tensor<Element>;

// Most laws speak of logical tensors: they are checked on ops in canonical storage, and one law
// says that storage does not matter.

// The same convolution with identity perms.
inline ConvOp canonical(ConvOp op) {
  op.in_shape = apply_dims(op.in_shape, op.in_perm);
  op.kern_shape = apply_dims(op.kern_shape, op.kern_perm);
  op.res_shape = apply_dims(op.res_shape, op.out_perm);
  op.in_perm = op.kern_perm = op.out_perm = identity_perm(op.in_perm.size());
  return op;
}

inline FieldTensor random_tensor(oracle::SplitMix64& random, const Shape& shape) {
  FieldTensor tensor = oracle::zeros<Element>(shape);
  oracle::fill_uniform(random, tensor.elements);
  return tensor;
}

// The reference result; the op's result shape is inferred anew.
inline FieldTensor convolve(ConvOp op, const FieldTensor& image, const FieldTensor& kernel) {
  op.in_shape = image.shape;
  op.kern_shape = kernel.shape;
  op.res_shape = infer_result_shape(op);
  FieldTensor result = oracle::zeros<Element>(op.res_shape);
  oracle::convolve(op, image.view(), kernel.view(), result.view());
  return result;
}

// An op in canonical storage with random operands.
struct CanonicalCase {
  explicit CanonicalCase(const ConvOp& any, std::uint64_t seed)
      : random(seed),
        op(canonical(any)),
        image(random_tensor(random, op.in_shape)),
        kernel(random_tensor(random, op.kern_shape)) {}

  FieldTensor result() const { return convolve(op, image, kernel); }

  oracle::SplitMix64 random;
  ConvOp op;
  FieldTensor image;
  FieldTensor kernel;
};

inline std::int64_t offset(const Shape& shape, const Shape& place) {
  std::int64_t offset = 0;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    offset = offset * shape[axis] + place[axis];
  }
  return offset;
}

// A tensor of the shape whose element at each place is the source's at `from(place)`, or zero where
// that lies outside.
inline FieldTensor gather(const FieldTensor& source, const Shape& shape,
                          const std::function<Shape(const Shape&)>& from) {
  FieldTensor result = oracle::zeros<Element>(shape);
  Shape place = Shape::filled(shape.size(), 0);
  for (Element& element : result.elements) {
    const Shape read = from(place);
    bool inside = true;
    for (std::size_t axis = 0; axis < read.size(); ++axis) {
      inside = inside && read[axis] >= 0 && read[axis] < source.shape[axis];
    }
    if (inside) element = source.elements[static_cast<std::size_t>(offset(source.shape, read))];
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      if (++place[axis] < shape[axis]) break;
      place[axis] = 0;
    }
  }
  return result;
}

// numpy.transpose: axis i of the result is axis perm[i] of the source.
inline FieldTensor transposed(const FieldTensor& source, const Perm& perm) {
  const Perm back = invert(perm);
  return gather(source, apply_dims(source.shape, perm),
                [&](const Shape& place) { return apply_dims(place, back); });
}

inline FieldTensor slice(const FieldTensor& source, std::size_t axis, std::int64_t begin,
                         std::int64_t count) {
  Shape shape = source.shape;
  shape[axis] = count;
  return gather(source, shape, [&](Shape place) {
    place[axis] += begin;
    return place;
  });
}

inline FieldTensor flipped(const FieldTensor& source, std::size_t axis) {
  return gather(source, source.shape, [&](Shape place) {
    place[axis] = source.shape[axis] - 1 - place[axis];
    return place;
  });
}

// `dilation - 1` zeros between neighbours.
inline FieldTensor zero_stuffed(const FieldTensor& source, std::size_t axis,
                                std::int64_t dilation) {
  Shape shape = source.shape;
  shape[axis] = dilated_extent(source.shape[axis], dilation);
  return gather(source, shape, [&](Shape place) {
    place[axis] = place[axis] % dilation == 0 ? place[axis] / dilation : -1;
    return place;
  });
}

// Zeros put around, or elements cut off where negative; both together at once.
inline FieldTensor padded(const FieldTensor& source, std::size_t axis, std::int64_t low,
                          std::int64_t high) {
  Shape shape = source.shape;
  shape[axis] += low + high;
  return gather(source, shape, [&](Shape place) {
    place[axis] -= low;
    return place;
  });
}

inline FieldTensor sum(const FieldTensor& a, const FieldTensor& b) {
  FieldTensor result = a;
  for (std::size_t i = 0; i < b.elements.size(); ++i) result.elements[i] += b.elements[i];
  return result;
}

inline FieldTensor scaled(Element factor, FieldTensor tensor) {
  for (Element& element : tensor.elements) element *= factor;
  return tensor;
}

inline Element inner_product(const FieldTensor& a, const FieldTensor& b) {
  Element total;
  for (std::size_t i = 0; i < b.elements.size(); ++i) total += a.elements[i] * b.elements[i];
  return total;
}

}  // namespace convproof::laws
