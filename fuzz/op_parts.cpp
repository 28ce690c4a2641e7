#include "fuzz/op_parts.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace convproof::fuzz {
namespace {

Perm usable_perm(const Perm& perm, std::size_t rank) {
  return perm.size() == rank && is_permutation(perm) ? perm : identity_perm(rank);
}

// The extents in canonical order; 1 where the shape has none.
Shape canonical_extents(const Shape& shape, const Perm& perm) {
  Shape extents;
  for (const std::int64_t axis : perm) {
    const auto at = static_cast<std::size_t>(axis);
    extents.push_back(at < shape.size() ? shape[at] : 1);
  }
  return extents;
}

std::int64_t at_least_1(std::int64_t value) { return std::max<std::int64_t>(value, 1); }

}  // namespace

FixedVector<std::int64_t*, max_sizes> sizes_of(OpParts& parts) {
  FixedVector<std::int64_t*, max_sizes> sizes{&parts.batch, &parts.features, &parts.outputs,
                                              &parts.feature_groups, &parts.batch_groups};
  for (AxisParts& axis : parts.axes) {
    sizes.push_back(&axis.input);
    sizes.push_back(&axis.kernel);
  }
  return sizes;
}

OpParts take_apart(const ConvOp& op) {
  const std::size_t spatial = std::max<std::size_t>(op.window.size(), 1);
  const std::size_t rank = spatial + 2;
  OpParts parts{.feature_groups = at_least_1(op.feature_group_count),
                .batch_groups = at_least_1(op.batch_group_count),
                .in_perm = usable_perm(op.in_perm, rank),
                .kern_perm = usable_perm(op.kern_perm, rank),
                .out_perm = usable_perm(op.out_perm, rank),
                .element_type = op.element_type,
                .result_element_type = op.result_element_type,
                .is_pglt = op.is_pglt,
                .input_is_graph_input = op.input_is_graph_input,
                .kernel_is_graph_input = op.kernel_is_graph_input};
  if (parts.feature_groups > 1) parts.batch_groups = 1;
  const Shape image = canonical_extents(op.in_shape, parts.in_perm);
  const Shape kernel = canonical_extents(op.kern_shape, parts.kern_perm);
  parts.batch = at_least_1(image[0] / parts.batch_groups);
  parts.features = at_least_1(image[1] / parts.feature_groups);
  parts.outputs = at_least_1(kernel[0] / (parts.feature_groups * parts.batch_groups));
  for (std::size_t axis = 0; axis < spatial; ++axis) {
    parts.axes.push_back({.input = image[axis + 2],
                          .kernel = kernel[axis + 2],
                          .window = axis < op.window.size() ? op.window[axis] : WindowDim{}});
  }
  return parts;
}

ConvOp put_together(const OpParts& parts) {
  ConvOp op{.element_type = parts.element_type,
            .result_element_type = parts.result_element_type,
            .in_perm = parts.in_perm,
            .kern_perm = parts.kern_perm,
            .out_perm = parts.out_perm,
            .feature_group_count = parts.feature_groups,
            .batch_group_count = parts.batch_groups,
            .is_pglt = parts.is_pglt,
            .input_is_graph_input = parts.input_is_graph_input,
            .kernel_is_graph_input = parts.kernel_is_graph_input};
  Shape image{parts.batch * parts.batch_groups, parts.features * parts.feature_groups};
  Shape kernel{parts.outputs * parts.feature_groups * parts.batch_groups, parts.features};
  for (const AxisParts& axis : parts.axes) {
    image.push_back(axis.input);
    kernel.push_back(axis.kernel);
    op.window.push_back(axis.window);
  }
  const auto stored = [](const Shape& canonical, const Perm& perm) {
    Shape shape = canonical;
    for (std::size_t axis = 0; axis < perm.size(); ++axis) {
      shape[static_cast<std::size_t>(perm[axis])] = canonical[axis];
    }
    return shape;
  };
  op.in_shape = stored(image, op.in_perm);
  op.kern_shape = stored(kernel, op.kern_perm);
  op.res_shape = infer_result_shape(op);
  return op;
}

}  // namespace convproof::fuzz
