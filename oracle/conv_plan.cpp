#include "oracle/conv_plan.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "oracle/draw.h"
#include "selector/op/conv_op.h"
#include "selector/op/perm.h"
#include "selector/op/tensor.h"
#include "selector/op/window.h"

namespace convproof::oracle {
namespace {

using Quantities = FixedVector<Quantity*, 5 + 2 * max_spatial_dims>;

Quantities free_quantities(ConvPlan& plan) {
  Quantities free;
  const auto add = [&](Quantity& quantity) {
    if (!quantity.fixed) free.push_back(&quantity);
  };
  add(plan.batch);
  add(plan.features);
  add(plan.outputs);
  add(plan.feature_groups);
  add(plan.batch_groups);
  for (PlannedAxis& axis : plan.axes) {
    add(axis.input);
    add(axis.kernel);
  }
  return free;
}

void make_windows_fit(ConvPlan& plan) {
  for (PlannedAxis& axis : plan.axes) {
    const std::int64_t missing = dilated_extent(axis.kernel.value, axis.window.rhs_dilation) -
                                 padded_extent(axis.input.value, axis.window);
    if (missing > 0) axis.window.pad_high += missing;
  }
}

void drop_padding(ConvPlan& plan) {
  for (PlannedAxis& axis : plan.axes) {
    axis.window.pad_low = std::min<std::int64_t>(axis.window.pad_low, 0);
    axis.window.pad_high = std::min<std::int64_t>(axis.window.pad_high, 0);
  }
}

Shape stored(const Shape& canonical, const Perm& perm) {
  return apply_dims(canonical, invert(perm));
}

ConvOp build(const ConvPlan& plan) {
  ConvOp op;
  const std::int64_t groups = plan.feature_groups.value * plan.batch_groups.value;
  Shape image{plan.batch.value * plan.batch_groups.value,
              plan.features.value * plan.feature_groups.value};
  Shape kernel{plan.outputs.value * groups, plan.features.value};
  for (const PlannedAxis& axis : plan.axes) {
    image.push_back(axis.input.value);
    kernel.push_back(axis.kernel.value);
    op.window.push_back(axis.window);
  }
  op.in_perm = plan.in_perm;
  op.kern_perm = plan.kern_perm;
  op.out_perm = plan.out_perm;
  op.in_shape = stored(image, plan.in_perm);
  op.kern_shape = stored(kernel, plan.kern_perm);
  op.feature_group_count = plan.feature_groups.value;
  op.batch_group_count = plan.batch_groups.value;
  op.input_is_graph_input = plan.input_is_graph_input;
  op.kernel_is_graph_input = plan.kernel_is_graph_input;
  op.res_shape = infer_result_shape(op);
  return op;
}

bool within_budget(const ConvOp& op, std::int64_t max_multiply_adds) {
  // Memory is bounded with the work: a wide stride reads few of many elements.
  const std::int64_t most = 4 * max_multiply_adds;
  return multiply_adds(op) <= max_multiply_adds && element_count(op.in_shape) <= most &&
         element_count(op.kern_shape) <= most && element_count(op.res_shape) <= most;
}

}  // namespace

void pin_to_tile_edge(Draw draw, int size, ConvPlan& plan) {
  const Quantities free = free_quantities(plan);
  if (free.empty()) return;
  const std::int64_t which = draw.between(0, static_cast<std::int64_t>(free.size()) - 1);
  Quantity& pinned = *free[static_cast<std::size_t>(which)];
  constexpr std::array<std::int64_t, 3> around{0, -1, 1};
  const std::int64_t edge = size >= 2 && draw.once_in(2) ? 512 : 128;
  const std::int64_t off = draw.between(0, 2);
  pinned = fixed(edge + around[static_cast<std::size_t>(off)]);
  if (plan.square && (&pinned == &plan.features || &pinned == &plan.outputs)) {
    // Squared, it would leave any budget: as many groups of one feature instead.
    plan.feature_groups = pinned;
    plan.features = fixed(1);
    return;
  }
  for (PlannedAxis& axis : plan.axes) {
    if (&pinned != &axis.kernel) continue;
    // A wide window over a slightly wider image, as in a weight gradient: few positions.
    const std::int64_t wider = draw.between(0, 2);
    axis.input = fixed(pinned.value + wider);
    axis.window.lhs_dilation = 1;
  }
}

ConvOp build_within_budget(ConvPlan plan, std::int64_t max_multiply_adds) {
  bool padding_dropped = false;
  while (true) {
    if (plan.square) plan.outputs = plan.features;
    make_windows_fit(plan);
    const ConvOp op = build(plan);
    if (within_budget(op, max_multiply_adds)) return op;
    const Quantities free = free_quantities(plan);
    const auto* const largest =
        std::max_element(free.begin(), free.end(),
                         [](const Quantity* a, const Quantity* b) { return a->value < b->value; });
    if (largest != free.end() && (*largest)->value > 1) {
      (*largest)->value /= 2;
    } else if (!padding_dropped) {
      drop_padding(plan);
      padding_dropped = true;
    } else {
      return op;
    }
  }
}

}  // namespace convproof::oracle
