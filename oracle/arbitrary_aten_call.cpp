#include "oracle/arbitrary_aten_call.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "selector/kernels/buffer_size.h"
#include "selector/op/element_type.h"

namespace convproof::oracle {
namespace {

struct PlannedAxis {
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t padding = 0;
  std::int64_t dilation = 1;
  std::int64_t output_padding = 0;
  std::int64_t input = 1;

  // The least extent of the input that leaves a result.
  [[nodiscard]] std::int64_t least_input(bool transposed) const {
    const std::int64_t reach = dilation * (kernel - 1);
    if (!transposed) return std::max<std::int64_t>(1, reach + 1 - 2 * padding);
    // (input - 1) * stride - 2 * padding + reach + output_padding + 1 >= 1
    const std::int64_t lacking = 2 * padding - reach - output_padding;
    return lacking <= 0 ? 1 : 1 + (lacking + stride - 1) / stride;
  }
  [[nodiscard]] std::int64_t output(bool transposed) const {
    const std::int64_t reach = dilation * (kernel - 1);
    if (transposed) return (input - 1) * stride - 2 * padding + reach + output_padding + 1;
    return (input + 2 * padding - reach - 1) / stride + 1;
  }
};

// A convolution by the numbers that its shapes are products of.
struct AtenPlan {
  std::int64_t batch = 1;
  std::int64_t inputs = 1;   // channels of the input in a group
  std::int64_t outputs = 1;  // channels of the result in a group
  std::int64_t groups = 1;
  bool transposed = false;
  std::vector<PlannedAxis> axes{};

  [[nodiscard]] std::int64_t work() const {
    std::int64_t product = saturating_product({batch, inputs, outputs, groups});
    for (const PlannedAxis& axis : axes) {
      product = saturating_product(
          {product, axis.kernel, transposed ? axis.input : axis.output(transposed)});
    }
    return product;
  }
};

enum class Family : std::uint8_t { dense, pointwise, grouped, depthwise, multiplied };

Family draw_family(Draw draw) {
  constexpr std::array families{Family::dense,     Family::dense,     Family::dense,
                                Family::pointwise, Family::grouped,   Family::depthwise,
                                Family::depthwise, Family::multiplied};
  return families[static_cast<std::size_t>(draw.between(0, families.size() - 1))];
}

void draw_channels(Draw draw, const AtenGeneratorOptions& options, Family family, AtenPlan& plan) {
  plan.batch = draw.between(1, options.max_batch);
  plan.inputs = draw.between(1, options.max_channels);
  plan.outputs = draw.between(1, options.max_channels);
  switch (family) {
    case Family::dense:
    case Family::pointwise:
      break;
    case Family::grouped:
      plan.groups = draw.between(2, std::max<std::int64_t>(options.max_channels, 2));
      break;
    case Family::depthwise:
    case Family::multiplied:
      plan.groups = draw.between(2, 2 * std::max<std::int64_t>(options.max_channels, 1));
      plan.inputs = 1;
      plan.outputs = family == Family::multiplied ? 2 : 1;
      break;
  }
}

PlannedAxis draw_axis(Draw draw, const AtenGeneratorOptions& options, bool pointwise,
                      bool transposed) {
  PlannedAxis axis;
  axis.kernel = pointwise ? 1 : draw.between(1, 4);
  axis.stride = draw.once_in(3) ? draw.between(2, 3) : 1;
  axis.padding = draw.once_in(2) ? draw.between(1, 3) : 0;
  axis.dilation = draw.once_in(5) ? draw.between(2, 3) : 1;
  if (transposed) {
    const std::int64_t most = std::max(axis.stride, axis.dilation) - 1;
    axis.output_padding = draw.between(0, most);
  }
  const std::int64_t least = axis.least_input(transposed);
  axis.input = std::max(least, draw.between(1, options.max_extent));
  return axis;
}

void pin_to_block_edge(Draw draw, AtenPlan& plan) {
  const std::int64_t edge = draw.between(15, 17);
  switch (draw.between(0, 4)) {
    case 0:
      plan.inputs = edge;
      break;
    case 1:
      plan.outputs = edge;
      break;
    case 2:
      plan.groups = edge;
      break;
    case 3:
      plan.batch = edge;
      break;
    default:
      plan.axes.back().input = std::max(edge, plan.axes.back().least_input(plan.transposed));
      break;
  }
}

// Takes from the largest number that can be smaller until the work fits; numbers at a block's edge
// go last.
void fit_budget(std::int64_t budget, AtenPlan& plan) {
  while (plan.work() > budget) {
    std::int64_t* largest = nullptr;
    std::int64_t most = 0;
    const auto offer = [&](std::int64_t& number, std::int64_t least) {
      const std::int64_t room = number - least;
      const std::int64_t rank = number >= 15 ? 1 : 1 + room;
      if (room > 0 && rank > most) {
        most = rank;
        largest = &number;
      }
    };
    for (PlannedAxis& axis : plan.axes) offer(axis.input, axis.least_input(plan.transposed));
    offer(plan.batch, 1);
    offer(plan.groups, 1);
    offer(plan.inputs, 1);
    offer(plan.outputs, 1);
    if (largest == nullptr) return;  // one product: what is left are taps
    --*largest;
  }
}

// Lists with one number each where it stands for all.
void draw_lists(Draw draw, const AtenGeneratorOptions& options, AtenPlan& plan,
                AtenConvolution& conv) {
  const auto take = [&](SpatialList& list, std::int64_t PlannedAxis::* number) {
    const bool equal = std::ranges::all_of(plan.axes, [&](const PlannedAxis& axis) {
      return axis.*number == plan.axes.front().*number;
    });
    const bool is_short = equal && plan.axes.size() > 1 && options.short_lists && draw.once_in(16);
    for (const PlannedAxis& axis : plan.axes) {
      list.push_back(axis.*number);
      if (is_short) break;
    }
  };
  take(conv.stride, &PlannedAxis::stride);
  take(conv.padding, &PlannedAxis::padding);
  take(conv.dilation, &PlannedAxis::dilation);
  take(conv.output_padding, &PlannedAxis::output_padding);
}

AtenConvolution build(Draw draw, const AtenGeneratorOptions& options, AtenPlan& plan) {
  AtenConvolution conv{.transposed = plan.transposed, .groups = plan.groups};
  const std::int64_t inputs = plan.inputs * plan.groups;
  const std::int64_t outputs = plan.outputs * plan.groups;
  conv.input = {plan.batch, inputs};
  if (plan.transposed) {
    conv.weight = {inputs, plan.outputs};
  } else {
    conv.weight = {outputs, plan.inputs};
  }
  for (const PlannedAxis& axis : plan.axes) {
    conv.input.push_back(axis.input);
    conv.weight.push_back(axis.kernel);
  }
  draw_lists(draw, options, plan, conv);
  return conv;
}

ElementType draw_element_type(Draw draw) {
  constexpr std::array types{ElementType::f32, ElementType::f32, ElementType::f32,
                             ElementType::f16, ElementType::f16, ElementType::bf16,
                             ElementType::f64};
  return types[static_cast<std::size_t>(draw.between(0, types.size() - 1))];
}

}  // namespace

AtenEnvironment arbitrary_aten_environment(Draw draw) {
  AtenEnvironment environment;
  // Mostly a CUDA device; of the rest mostly a CPU, where most of what is special happens.
  constexpr std::array devices{AtenDevice::cuda, AtenDevice::cuda, AtenDevice::cuda,
                               AtenDevice::cpu,  AtenDevice::cpu,  AtenDevice::xpu,
                               AtenDevice::other};
  environment.device = devices[static_cast<std::size_t>(draw.between(0, devices.size() - 1))];
  environment.autotune = !draw.once_in(6);
  environment.conv_aten = !draw.once_in(6);
  environment.conv_triton = !draw.once_in(6);
  environment.gemm_triton = !draw.once_in(8);
  environment.weight_aten = !draw.once_in(6);
  environment.weight_triton = draw.once_in(2);
  environment.input_aten = !draw.once_in(6);
  environment.input_triton = draw.once_in(2);
  environment.conv_1x1_as_mm = draw.once_in(6);
  environment.layout_optimization = draw.once_in(6);
  environment.big_gpu = !draw.once_in(8);
  if (environment.device == AtenDevice::cuda) {
    environment.hip = draw.once_in(4);
    environment.conv_ck = draw.once_in(6);
    environment.ck_usable = environment.hip && draw.once_in(2);
    constexpr std::array<std::int64_t, 4> sizes{232'448, 166'912, 101'376, 65'536};
    environment.shared_memory = sizes[static_cast<std::size_t>(draw.between(0, sizes.size() - 1))];
  } else {
    environment.cpu_triton = environment.device == AtenDevice::cpu && draw.between(0, 3) != 0;
    environment.shared_memory = 0;
  }
  return environment;
}

AtenCall arbitrary_aten_call(Draw draw, const AtenGeneratorOptions& options) {
  AtenPlan plan;
  std::size_t dims = 2;
  if (const std::int64_t kind = draw.between(0, 7); kind >= 5) dims = kind == 7 ? 3 : 1;
  if (options.spatial_dims) dims = *options.spatial_dims;
  AtenCall call;
  call.backward = draw.once_in(3);
  if (options.backward) call.backward = *options.backward;
  plan.transposed = draw.once_in(5);
  if (options.transposed) plan.transposed = *options.transposed;
  const Family family = draw_family(draw);
  draw_channels(draw, options, family, plan);
  for (std::size_t axis = 0; axis < dims; ++axis) {
    plan.axes.push_back(draw_axis(draw, options, family == Family::pointwise, plan.transposed));
  }
  // Half of the pointwise ones are matrix products.
  if (family == Family::pointwise && draw.once_in(2)) {
    for (PlannedAxis& axis : plan.axes) {
      axis = {.input = axis.input};
    }
  }
  if (options.block_edges && draw.once_in(4)) pin_to_block_edge(draw, plan);
  fit_budget(options.max_multiply_adds, plan);
  // Forward ignores output padding where not transposed.
  if (!plan.transposed && !call.backward && draw.once_in(24)) plan.axes.back().output_padding = 1;
  AtenConvolution& conv = call.convolution;
  conv = build(draw, options, plan);
  if (options.empty_inputs) {
    if (draw.once_in(24)) conv.input[0] = 0;
    if (!plan.transposed && draw.once_in(64)) conv.input[1] = conv.weight[1] = 0;
  }
  conv.element_type = draw_element_type(draw);
  call.weight_element_type = conv.element_type;
  const bool mixed = options.mixed_types && draw.once_in(12);
  if (mixed) call.weight_element_type = draw_element_type(draw);
  if (call.backward) {
    for (bool& wanted : call.output_mask) wanted = !draw.once_in(3);
    call.bias_sizes = draw.once_in(2);
    if (conv.input[1] == 0 && call.output_mask[2]) call.bias_sizes = true;
  } else if (draw.once_in(3) && !mixed) {
    conv.bias = plan.outputs * plan.groups;
  }
  call.environment = options.environment ? *options.environment : arbitrary_aten_environment(draw);
  if (dims == 2 && draw.once_in(3)) {
    call.input_format = MemoryFormat::channels_last;
    // What is predicted of the result follows its input.
    if (!options.environment) call.environment.predicted_channels_last = true;
  }
  call.input_packed = !draw.once_in(6);
  if (options.unbatched && !call.backward && conv.input[0] == 1 && draw.once_in(8)) {
    Shape input;
    for (std::size_t axis = 1; axis < conv.input.size(); ++axis) input.push_back(conv.input[axis]);
    conv.input = input;
  }
  return call;
}

}  // namespace convproof::oracle
