#pragma once

#include <cstddef>
#include <cstdint>

#include "selector/op/conv_op.h"
#include "selector/op/element_type.h"
#include "selector/op/fixed_vector.h"

namespace convproof::fuzz {

// One spatial axis of a convolution.
struct AxisParts {
  std::int64_t input = 1;
  std::int64_t kernel = 1;
  WindowDim window{};

  bool operator==(const AxisParts&) const = default;
};

// A convolution by the numbers that its shapes are products of, so that any change of one of them
// leaves the group rules intact. The result is the one that they imply.
struct OpParts {
  std::int64_t batch = 1;     // per batch group
  std::int64_t features = 1;  // input features per feature group
  std::int64_t outputs = 1;   // output features per group
  std::int64_t feature_groups = 1;
  std::int64_t batch_groups = 1;
  FixedVector<AxisParts, max_spatial_dims> axes{};
  Perm in_perm{};
  Perm kern_perm{};
  Perm out_perm{};
  ElementType element_type = ElementType::f32;
  ElementType result_element_type = ElementType::f32;
  bool is_pglt = false;
  bool input_is_graph_input = true;
  bool kernel_is_graph_input = true;

  bool operator==(const OpParts&) const = default;
};

// The numbers that make a convolution large, so that one can be picked by its index: batch,
// features, outputs, feature_groups, batch_groups, then input and kernel of each axis.
inline constexpr std::size_t max_sizes = 5 + 2 * max_spatial_dims;
FixedVector<std::int64_t*, max_sizes> sizes_of(OpParts& parts);

// Of any value, well formed or not: what is missing is 1 or canonical, quotients round down to at
// least 1, and of two group counts above 1 that of the batch becomes 1. A spatial rank outside 1 to
// 3 becomes 1.
OpParts take_apart(const ConvOp& op);

// The operation that the parts name. `put_together(take_apart(op)) == op` for a well-formed op.
ConvOp put_together(const OpParts& parts);

}  // namespace convproof::fuzz
