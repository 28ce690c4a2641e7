#include "fuzz/mutate_op.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "fuzz/op_parts.h"
#include "oracle/arbitrary_conv_op.h"
#include "selector/op/dim_labels.h"

namespace convproof::fuzz {
namespace {

using oracle::Draw;

constexpr std::int64_t usual_multiply_adds = 256;
constexpr std::array<std::int64_t, 6> tile_edges{127, 128, 129, 511, 512, 513};

// The layouts that rows of the tables ask for or give.
const std::array image_layouts{
    *parse_labels("bf01", LabelRole::image), *parse_labels("fb01", LabelRole::image),
    *parse_labels("f01b", LabelRole::image), *parse_labels("b01f", LabelRole::image),
    *parse_labels("01bf", LabelRole::image), *parse_labels("fb10", LabelRole::image)};
const std::array kernel_layouts{
    *parse_labels("oi01", LabelRole::kernel), *parse_labels("io01", LabelRole::kernel),
    *parse_labels("o01i", LabelRole::kernel), *parse_labels("i01o", LabelRole::kernel),
    *parse_labels("01io", LabelRole::kernel), *parse_labels("io10", LabelRole::kernel)};

std::size_t index_below(Draw draw, std::size_t count) {
  return static_cast<std::size_t>(draw.between(0, static_cast<std::int64_t>(count) - 1));
}

Perm another_perm(Draw draw, const Perm& perm, std::span<const Perm> layouts) {
  if (perm.size() == 4 && !draw.once_in(4)) return layouts[index_below(draw, layouts.size())];
  Perm changed = perm;
  const std::size_t i = index_below(draw, perm.size());
  const std::size_t j = index_below(draw, perm.size());
  std::swap(changed[i], changed[j]);
  return changed;
}

void change_perms(Draw draw, OpParts& parts) {
  const std::int64_t which = draw.between(0, 3);
  if (which == 0 || which == 3) parts.in_perm = another_perm(draw, parts.in_perm, image_layouts);
  if (which == 1 || which == 3) {
    parts.kern_perm = another_perm(draw, parts.kern_perm, kernel_layouts);
  }
  if (which == 2 || which == 3) parts.out_perm = another_perm(draw, parts.out_perm, image_layouts);
}

// One size by one, to a small value, or to the edge of a tile.
std::optional<std::size_t> change_size(Draw draw, OpParts& parts) {
  const auto sizes = sizes_of(parts);
  const std::size_t which = index_below(draw, sizes.size());
  std::int64_t& size = *sizes[which];
  const std::int64_t how = draw.between(0, 7);
  if (how <= 1) size += how == 0 ? 1 : -1;
  if (how >= 2 && how <= 5) size = draw.between(1, 6);
  if (how >= 6) size = tile_edges[index_below(draw, how == 6 ? tile_edges.size() : 3)];
  return which;
}

void change_window(Draw draw, OpParts& parts) {
  AxisParts& axis = parts.axes[index_below(draw, parts.axes.size())];
  WindowDim& window = axis.window;
  switch (draw.between(0, 8)) {
    case 0:
      window.stride = draw.between(1, 4);
      break;
    case 1:
      window.pad_low = draw.between(-3, 4);
      break;
    case 2:
      window.pad_high = draw.between(-3, 4);
      break;
    case 3:
      window.lhs_dilation = draw.between(1, 3);
      break;
    case 4:
      window.rhs_dilation = draw.between(1, 3);
      break;
    case 5:
      window.reversal = !window.reversal;
      break;
    case 6: {  // the padding of a result as wide as its input
      const std::int64_t total = dilated_extent(axis.kernel, window.rhs_dilation) - 1;
      window.pad_low = total / 2;
      window.pad_high = total - total / 2;
      break;
    }
    case 7:
      axis = {.input = axis.input, .kernel = axis.kernel};
      break;
    default:  // equal strides are what some rows ask for
      for (AxisParts& other : parts.axes) other.window.stride = window.stride;
      break;
  }
}

void change_groups(Draw draw, OpParts& parts) {
  switch (draw.between(0, 4)) {
    case 0:
      parts.feature_groups = parts.batch_groups = 1;
      break;
    case 1:  // depthwise: every feature its own group
      parts.feature_groups *= parts.features;
      parts.features = parts.outputs = parts.batch_groups = 1;
      break;
    case 2:  // depthwise weight gradient
      parts.batch_groups = std::max<std::int64_t>(2, parts.batch * parts.batch_groups);
      parts.batch = parts.outputs = parts.feature_groups = 1;
      break;
    case 3:
      std::swap(parts.feature_groups, parts.batch_groups);
      break;
    default:  // as many outputs as input features, so that a depthwise guard may take it
      parts.outputs = parts.features;
      break;
  }
}

void change_flags(Draw draw, OpParts& parts) {
  switch (draw.between(0, 4)) {
    case 0:
      parts.input_is_graph_input = !parts.input_is_graph_input;
      break;
    case 1:
      parts.kernel_is_graph_input = !parts.kernel_is_graph_input;
      break;
    case 2:
      parts.is_pglt = !parts.is_pglt;
      break;
    case 3:
      parts.element_type = element_types[index_below(draw, element_types.size())].type;
      parts.result_element_type = parts.element_type;
      break;
    default:
      parts.result_element_type = element_types[index_below(draw, element_types.size())].type;
      break;
  }
}

void change_rank(Draw draw, OpParts& parts) {
  // Tables of planes are the rule.
  const std::int64_t drawn = draw.between(0, 7);
  const std::size_t rank = drawn == 6 ? 3 : drawn == 7 ? 5 : 4;
  while (parts.axes.size() + 2 > rank) parts.axes.pop_back();
  while (parts.axes.size() + 2 < rank) parts.axes.push_back(parts.axes[0]);
  parts.in_perm = parts.kern_perm = parts.out_perm = identity_perm(rank);
}

// The index of a size that repair is to keep.
std::optional<std::size_t> change(Draw draw, OpParts& parts) {
  const std::int64_t kind = draw.between(0, 31);
  if (kind < 10) return change_size(draw, parts);
  if (kind < 19) {
    change_window(draw, parts);
  } else if (kind < 23) {
    change_perms(draw, parts);
  } else if (kind < 27) {
    change_groups(draw, parts);
  } else if (kind < 29) {
    change_flags(draw, parts);
  } else if (kind < 31) {
    std::swap(parts.axes[0], parts.axes[parts.axes.size() - 1]);
  } else {
    change_rank(draw, parts);
  }
  return std::nullopt;
}

Shape another_result(Draw draw, const Shape& shape) {
  Shape changed = shape;
  std::int64_t& extent = changed[index_below(draw, shape.size())];
  extent = std::max<std::int64_t>(0, extent + (draw.once_in(2) ? 1 : -1));
  return changed;
}

}  // namespace

ConvOp mutate_op(const ConvOp& op, Draw draw, const MutateOptions& options) {
  // Faults show in small operations as well, and more of those run in the same time.
  Budget budget = options.budget;
  if (!draw.once_in(8)) {
    budget.max_multiply_adds = std::min(budget.max_multiply_adds, usual_multiply_adds);
    budget.max_elements = std::min(budget.max_elements, 4 * usual_multiply_adds);
  }
  ConvOp result;
  if (draw.once_in(16)) {
    const auto size = static_cast<int>(std::max<std::int64_t>(0, draw.between(-3, 2)));
    result = repair(oracle::arbitrary_conv_op(draw, {.size = size, .empty_results = true}), budget);
  } else {
    OpParts parts = take_apart(op);
    std::optional<std::size_t> keep = change(draw, parts);
    if (draw.once_in(3)) {
      if (const auto second = change(draw, parts)) keep = second;
    }
    result = repair_parts(parts, budget, keep);
  }
  if (options.declared_results && draw.once_in(8)) {
    result.res_shape = another_result(draw, result.res_shape);
  }
  return result;
}

ConvOp splice_ops(const ConvOp& first, const ConvOp& second, Draw draw, const Budget& budget) {
  OpParts parts = take_apart(first);
  const OpParts other = take_apart(second);
  if (other.in_perm.size() == parts.in_perm.size()) {
    if (draw.once_in(2)) parts.in_perm = other.in_perm;
    if (draw.once_in(2)) parts.kern_perm = other.kern_perm;
    if (draw.once_in(2)) parts.out_perm = other.out_perm;
  }
  for (std::size_t axis = 0; axis < parts.axes.size(); ++axis) {
    const AxisParts& from = other.axes[std::min(axis, other.axes.size() - 1)];
    const std::int64_t what = draw.between(0, 3);
    if (what == 1) parts.axes[axis] = from;
    if (what == 2) parts.axes[axis].window = from.window;
  }
  if (draw.once_in(2)) {
    parts.feature_groups = other.feature_groups;
    parts.batch_groups = other.batch_groups;
  }
  if (draw.once_in(2)) {
    parts.batch = other.batch;
    parts.features = other.features;
    parts.outputs = other.outputs;
  }
  if (draw.once_in(2)) {
    parts.element_type = other.element_type;
    parts.result_element_type = other.result_element_type;
    parts.is_pglt = other.is_pglt;
    parts.input_is_graph_input = other.input_is_graph_input;
    parts.kernel_is_graph_input = other.kernel_is_graph_input;
  }
  return repair_parts(parts, budget);
}

}  // namespace convproof::fuzz
