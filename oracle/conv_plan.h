#pragma once

#include <cstdint>

#include "oracle/draw.h"
#include "selector/op/conv_op.h"

namespace convproof::oracle {

// A number that the generator may still reduce to fit its budget, unless something fixed it.
struct Quantity {
  std::int64_t value = 1;
  bool fixed = false;

  bool operator==(const Quantity&) const = default;
};

constexpr Quantity fixed(std::int64_t value) { return {value, true}; }

struct PlannedAxis {
  Quantity input{};
  Quantity kernel{};
  WindowDim window{};

  bool operator==(const PlannedAxis&) const = default;
};

// A convolution by the numbers that its shapes are products of, so that every group rule holds
// whatever they are. At most one of the two group counts is above 1.
struct ConvPlan {
  Quantity batch{};     // per batch group
  Quantity features{};  // input features per feature group
  Quantity outputs{};   // output features per group
  Quantity feature_groups{};
  Quantity batch_groups{};
  bool square = false;  // outputs follow features, so that C == O
  FixedVector<PlannedAxis, max_spatial_dims> axes{};
  Perm in_perm{};
  Perm kern_perm{};
  Perm out_perm{};
  bool input_is_graph_input = true;
  bool kernel_is_graph_input = true;

  bool operator==(const ConvPlan&) const = default;
};

// Puts one free quantity at 127, 128 or 129, or with `size` 2 perhaps at 511, 512 or 513, and fixes
// it there.
void pin_to_tile_edge(Draw draw, int size, ConvPlan& plan);

// The op of the plan, f32, with the largest free quantities halved and at last the padding dropped
// until it needs no more than `max_multiply_adds` and no tensor holds over four times as many
// elements. Windows that do not fit are padded until they have one position.
ConvOp build_within_budget(ConvPlan plan, std::int64_t max_multiply_adds);

}  // namespace convproof::oracle
