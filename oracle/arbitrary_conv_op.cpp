#include "oracle/arbitrary_conv_op.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>

#include "oracle/conv_plan.h"
#include "selector/op/dim_labels.h"

namespace convproof::oracle {
namespace {

enum class Family : std::uint8_t {
  dense,
  depthwise,
  weight_gradient,
  depthwise_gradient,
  depthwise_1d,
  square,
  dense_f01b,
  intermediate_image,
  depthwise_stride_3,
  grouped,
  input_gradient,
  general
};

// Plainest first, and each as often as its weight.
struct WeightedFamily {
  Family family{};
  std::int64_t weight = 1;
};
constexpr std::array families{WeightedFamily{Family::dense, 5},
                              WeightedFamily{Family::depthwise, 4},
                              WeightedFamily{Family::weight_gradient, 3},
                              WeightedFamily{Family::depthwise_gradient, 3},
                              WeightedFamily{Family::depthwise_1d, 3},
                              WeightedFamily{Family::square, 2},
                              WeightedFamily{Family::dense_f01b, 2},
                              WeightedFamily{Family::intermediate_image, 2},
                              WeightedFamily{Family::depthwise_stride_3, 1},
                              WeightedFamily{Family::grouped, 2},
                              WeightedFamily{Family::input_gradient, 1},
                              WeightedFamily{Family::general, 3}};

constexpr std::array<std::string_view, 8> image_labels{"bf01", "fb01", "f01b", "b01f",
                                                       "01bf", "fb10", "0f1b", "01fb"};
constexpr std::array<std::string_view, 8> kernel_labels{"oi01", "io01", "o01i", "i01o",
                                                        "01io", "io10", "0i1o", "01oi"};

template <class T>
T pick(Draw draw, std::initializer_list<T> choices) {
  const std::int64_t choice = draw.between(0, static_cast<std::int64_t>(choices.size()) - 1);
  return *(choices.begin() + choice);
}

Perm labelled(Draw draw, std::span<const std::string_view> labels, LabelRole role) {
  const std::int64_t choice = draw.between(0, static_cast<std::int64_t>(labels.size()) - 1);
  return *parse_labels(labels[static_cast<std::size_t>(choice)], role);
}

Perm labelled(Draw draw, std::initializer_list<std::string_view> labels, LabelRole role) {
  return labelled(draw, std::span(labels.begin(), labels.size()), role);
}

// A table label, or once in four any permutation; plain or random where no label has that rank.
Perm any_perm(Draw draw, std::size_t rank, LabelRole role) {
  if (rank != 4 || draw.once_in(4)) return arbitrary_perm(draw, rank);
  return labelled(draw, role == LabelRole::image ? image_labels : kernel_labels, role);
}

void draw_any_perms(Draw draw, ConvPlan& plan) {
  const std::size_t rank = plan.axes.size() + 2;
  plan.in_perm = any_perm(draw, rank, LabelRole::image);
  plan.kern_perm = any_perm(draw, rank, LabelRole::kernel);
  plan.out_perm = any_perm(draw, rank, LabelRole::image);
}

void draw_perms(Draw draw, ConvPlan& plan, std::initializer_list<std::string_view> in,
                std::initializer_list<std::string_view> kern,
                std::initializer_list<std::string_view> out) {
  plan.in_perm = labelled(draw, in, LabelRole::image);
  plan.kern_perm = labelled(draw, kern, LabelRole::kernel);
  plan.out_perm = labelled(draw, out, LabelRole::image);
}

// Which attributes of a window a family lets vary.
struct WindowFreedom {
  bool stride = true;
  bool negative_padding = true;
  bool lhs_dilation = false;
  bool rhs_dilation = true;
  bool reversal = false;
};

void draw_padding(Draw draw, bool negative, PlannedAxis& axis) {
  const std::int64_t kind = draw.between(0, 3);
  if (kind == 0) return;
  if (kind == 1) {  // the padding of a result as wide as its input
    const std::int64_t total = dilated_extent(axis.kernel.value, axis.window.rhs_dilation) - 1;
    axis.window.pad_low = total / 2;
    axis.window.pad_high = total - total / 2;
    return;
  }
  if (negative) {
    axis.window.pad_low = pick<std::int64_t>(draw, {0, 1, -1, 2, -2, 3});
    axis.window.pad_high = pick<std::int64_t>(draw, {0, 1, -1, 2, -2, 3});
  } else {
    axis.window.pad_low = draw.between(0, 3);
    axis.window.pad_high = draw.between(0, 3);
  }
}

PlannedAxis draw_axis(Draw draw, const GeneratorOptions& options, const WindowFreedom& freedom) {
  PlannedAxis axis;
  axis.input.value = draw.between(1, options.max_extent);
  // Mostly no wider than the input; once in eight wider by up to two.
  axis.kernel.value = draw.between(1, std::min<std::int64_t>(axis.input.value, 4));
  if (draw.once_in(8)) axis.kernel.value = axis.input.value + draw.between(1, 2);
  if (freedom.stride) axis.window.stride = pick<std::int64_t>(draw, {1, 1, 1, 2, 2, 3});
  if (freedom.lhs_dilation) axis.window.lhs_dilation = pick<std::int64_t>(draw, {1, 2, 2, 3});
  if (freedom.rhs_dilation) {
    axis.window.rhs_dilation = pick<std::int64_t>(draw, {1, 1, 1, 1, 2, 3});
  }
  if (freedom.reversal) axis.window.reversal = draw.once_in(2);
  draw_padding(draw, freedom.negative_padding, axis);
  return axis;
}

void draw_axes(Draw draw, const GeneratorOptions& options, const WindowFreedom& freedom,
               std::size_t count, ConvPlan& plan) {
  for (std::size_t axis = 0; axis < count; ++axis) {
    plan.axes.push_back(draw_axis(draw, options, freedom));
  }
}

void draw_dense_sizes(Draw draw, const GeneratorOptions& options, ConvPlan& plan) {
  plan.batch.value = draw.between(1, options.max_batch);
  plan.features.value = draw.between(1, options.max_features);
  plan.outputs.value = draw.between(1, options.max_features);
  plan.feature_groups = fixed(1);
  plan.batch_groups = fixed(1);
}

void draw_depthwise_sizes(Draw draw, const GeneratorOptions& options, ConvPlan& plan) {
  plan.batch.value = draw.between(1, options.max_batch);
  plan.features = fixed(1);
  plan.outputs = fixed(1);
  plan.feature_groups.value = draw.between(1, options.max_features);
  plan.batch_groups = fixed(1);
}

// Either kind of group, or none, at the ends and in between.
void draw_grouped_sizes(Draw draw, const GeneratorOptions& options, ConvPlan& plan) {
  draw_dense_sizes(draw, options, plan);
  const std::int64_t kind = draw.between(0, 2);
  if (kind == 0) plan.feature_groups = {draw.between(1, options.max_features), false};
  if (kind == 1) plan.batch_groups = {draw.between(1, options.max_features), false};
}

// The window of a weight gradient is nearly as wide as the image: the forward result's extent.
void draw_gradient_axes(Draw draw, const GeneratorOptions& options, ConvPlan& plan) {
  for (std::size_t axis = 0; axis < 2; ++axis) {
    PlannedAxis planned;
    planned.input.value = draw.between(1, options.max_extent);
    planned.window.rhs_dilation = pick<std::int64_t>(draw, {1, 1, 2, 3});
    const std::int64_t narrower = draw.between(0, 2);
    planned.kernel.value =
        std::max<std::int64_t>(1, (planned.input.value - narrower) / planned.window.rhs_dilation);
    planned.window.pad_low = pick<std::int64_t>(draw, {0, 1, 2, -1, 3});
    planned.window.pad_high = pick<std::int64_t>(draw, {0, 1, 2, -1});
    plan.axes.push_back(planned);
  }
  plan.kernel_is_graph_input = draw.once_in(4);
}

ConvPlan plan_family(Draw draw, const GeneratorOptions& options, Family family) {
  ConvPlan plan;
  plan.input_is_graph_input = draw.between(0, 2) < 2;
  plan.kernel_is_graph_input = draw.between(0, 7) < 7;
  switch (family) {
    case Family::dense:
      draw_dense_sizes(draw, options, plan);
      draw_axes(draw, options, {}, 2, plan);
      draw_perms(draw, plan, {"bf01", "fb01", "f01b", "b01f"}, {"oi01", "io01", "o01i", "io10"},
                 {"bf01", "01bf", "f01b"});
      break;
    case Family::depthwise:
      draw_depthwise_sizes(draw, options, plan);
      draw_axes(draw, options, {.stride = false, .negative_padding = false, .rhs_dilation = false},
                2, plan);
      if (draw.once_in(2)) {
        draw_any_perms(draw, plan);
      } else {
        draw_perms(draw, plan, {"bf01", "f01b", "b01f"}, {"oi01", "o01i", "01io"},
                   {"bf01", "b01f"});
      }
      break;
    case Family::weight_gradient:
      draw_dense_sizes(draw, options, plan);
      draw_gradient_axes(draw, options, plan);
      draw_perms(draw, plan, {"fb01"}, {"io01"}, {"01bf"});
      break;
    case Family::depthwise_gradient:
      plan.batch = fixed(1);
      plan.features.value = draw.between(1, options.max_features);
      plan.outputs = fixed(1);
      plan.feature_groups = fixed(1);
      plan.batch_groups.value = draw.between(2, std::max<std::int64_t>(2, options.max_features));
      draw_gradient_axes(draw, options, plan);
      draw_perms(draw, plan, {"fb01", "fb10"}, {"io01", "io10"}, {"01bf"});
      break;
    case Family::depthwise_1d: {
      draw_depthwise_sizes(draw, options, plan);
      plan.axes.push_back({.input = fixed(1), .kernel = fixed(1)});
      plan.axes.push_back(draw_axis(
          draw, options, {.stride = false, .negative_padding = false, .rhs_dilation = false}));
      draw_perms(draw, plan, {"bf01", "b01f"}, {"oi01", "o01i"}, {"bf01", "b01f"});
      break;
    }
    case Family::square:
      draw_grouped_sizes(draw, options, plan);
      plan.batch_groups = fixed(1);
      plan.square = true;
      draw_axes(draw, options, {.reversal = true}, 2, plan);
      draw_any_perms(draw, plan);
      break;
    case Family::dense_f01b:
      draw_grouped_sizes(draw, options, plan);
      draw_axes(draw, options, {.lhs_dilation = draw.once_in(3), .reversal = true}, 2, plan);
      draw_perms(draw, plan, {"f01b"}, {"i01o", "io01", "oi01", "o01i"}, {"f01b", "bf01"});
      break;
    case Family::intermediate_image:
      draw_dense_sizes(draw, options, plan);
      draw_axes(draw, options, {.reversal = true}, 2, plan);
      draw_any_perms(draw, plan);
      plan.input_is_graph_input = false;
      plan.kernel_is_graph_input = true;
      break;
    case Family::depthwise_stride_3:
      draw_depthwise_sizes(draw, options, plan);
      draw_axes(draw, options, {.stride = false, .reversal = true}, 2, plan);
      for (PlannedAxis& axis : plan.axes) axis.window.stride = 3;
      draw_any_perms(draw, plan);
      break;
    case Family::grouped:
      draw_grouped_sizes(draw, options, plan);
      draw_axes(draw, options, {}, 2, plan);
      draw_any_perms(draw, plan);
      break;
    case Family::input_gradient:
      draw_grouped_sizes(draw, options, plan);
      draw_axes(draw, options, {.stride = false, .lhs_dilation = true, .reversal = true}, 2, plan);
      draw_perms(draw, plan, {"bf01", "fb01", "b01f"}, {"io01", "01oi", "i01o"}, {"bf01", "b01f"});
      break;
    case Family::general:
      draw_grouped_sizes(draw, options, plan);
      draw_axes(draw, options, {.lhs_dilation = true, .reversal = true},
                options.spatial_dims.value_or(2), plan);
      draw_any_perms(draw, plan);
      break;
  }
  return plan;
}

// One attribute moved away from what the family asks for: predicates are weakest near their edge.
void deviate(Draw draw, ConvPlan& plan) {
  const std::int64_t which = draw.between(0, static_cast<std::int64_t>(plan.axes.size()) - 1);
  WindowDim& window = plan.axes[static_cast<std::size_t>(which)].window;
  switch (draw.between(0, 6)) {
    case 0:
      window.reversal = !window.reversal;
      break;
    case 1:
      window.stride += 1;
      break;
    case 2:
      window.rhs_dilation += 1;
      break;
    case 3:
      window.pad_low = -1;
      break;
    case 4:
      window.pad_high = -1;
      break;
    case 5:
      window.lhs_dilation += 1;
      break;
    default:
      draw_any_perms(draw, plan);
      break;
  }
}

Family draw_family(Draw draw) {
  std::int64_t total = 0;
  for (const WeightedFamily& entry : families) total += entry.weight;
  std::int64_t rest = draw.between(0, total - 1);
  for (const WeightedFamily& entry : families) {
    if (rest < entry.weight) return entry.family;
    rest -= entry.weight;
  }
  return Family::general;
}

void draw_element_types(Draw draw, const GeneratorOptions& options, ConvOp& op) {
  constexpr std::int64_t plain = 9;
  const std::int64_t which =
      draw.between(0, plain + static_cast<std::int64_t>(element_types.size()) - 1);
  op.element_type = which < plain ? ElementType::f32
                                  : element_types[static_cast<std::size_t>(which - plain)].type;
  if (options.element_type) op.element_type = *options.element_type;
  op.result_element_type = op.element_type;
  if (!draw.once_in(12)) return;
  const ElementTypeInfo& narrow = info(op.element_type);  // widening: narrow in, four bytes out
  if (narrow.bytes < 4)
    op.result_element_type = narrow.integer ? ElementType::s32 : ElementType::f32;
}

}  // namespace

Perm arbitrary_perm(Draw draw, std::size_t rank) {
  Perm perm = identity_perm(rank);
  for (std::size_t i = 0; i + 1 < rank; ++i) {
    const std::int64_t ahead = draw.between(0, static_cast<std::int64_t>(rank - i) - 1);
    std::swap(perm[i], perm[i + static_cast<std::size_t>(ahead)]);
  }
  return perm;
}

ConvOp arbitrary_conv_op(Draw draw, const GeneratorOptions& options) {
  GeneratorOptions chosen = options;
  if (!chosen.spatial_dims) {
    // One op in sixteen has one spatial dimension and one has three.
    constexpr std::int64_t others = 14;
    const std::int64_t kind = draw.between(0, others + 1);
    chosen.spatial_dims = kind < others ? 2 : kind == others ? 1 : 3;
  }
  const Family family = *chosen.spatial_dims == 2 ? draw_family(draw) : Family::general;
  ConvPlan plan = plan_family(draw, chosen, family);
  if (!plan.axes.empty() && draw.once_in(6)) deviate(draw, plan);
  if (chosen.size > 0) pin_to_tile_edge(draw, chosen.size, plan);
  if (chosen.input_is_graph_input) plan.input_is_graph_input = *chosen.input_is_graph_input;
  ConvOp op = build_within_budget(plan, chosen.max_multiply_adds);
  draw_element_types(draw, chosen, op);
  op.is_pglt = draw.once_in(8);
  if (chosen.empty_results && !op.window.empty() && draw.once_in(32)) {
    // Cropped by more than the image holds.
    WindowDim& window = op.window[0];
    const std::int64_t image = op.in_shape[static_cast<std::size_t>(op.in_perm[2])];
    window.pad_low = -dilated_extent(image, window.lhs_dilation);
    window.pad_high = 0;
    op.res_shape = infer_result_shape(op);
  }
  return op;
}

}  // namespace convproof::oracle
