#include "selector/kernels/conv1d_depthwise.h"

#include <algorithm>
#include <cstdint>
#include <expected>

#include "selector/kernels/buffer_size.h"

namespace convproof {
namespace {

constexpr std::int64_t window_limit = 512;

KernelResult check_asserted(const KernelCall& call, const LogicalSizes& sizes) {
  for (const std::int64_t height : {sizes.input[0], sizes.kernel[0], sizes.result[0]}) {
    if (height != 1) {
      return refuse(KernelFault::assertion, "the heights of all operands are 1", height, 1);
    }
  }
  for (const std::int64_t pad : {call.padding[0].low, call.padding[0].high}) {
    if (pad != 0) return refuse(KernelFault::assertion, "1d conv expected", pad, 0);
  }
  for (const std::int64_t pad : {call.padding[1].low, call.padding[1].high}) {
    if (pad < 0) {
      return refuse(KernelFault::assertion, "Only supports positive paddings", pad, 0);
    }
  }
  if (sizes.kernel[1] >= window_limit) {
    return refuse(KernelFault::assertion, "expect small conv window", sizes.kernel[1],
                  window_limit - 1);
  }
  if (sizes.input_features != sizes.output_features) {
    return refuse(KernelFault::assertion, "input features equal output features",
                  sizes.input_features, sizes.output_features);
  }
  return {};
}

KernelResult check_old_limits(const LogicalSizes& sizes, const KernelContext& context) {
  const std::int64_t partitions = context.device.partitions;
  if (context.switches.old_channel_tail && sizes.input_features > partitions &&
      sizes.input_features % partitions != 0) {
    return refuse(KernelFault::device_limit, "channels in whole tiles of the partitions",
                  sizes.input_features, partitions);
  }
  if (context.switches.old_trailing_extents && sizes.result[1] == 1) {
    return refuse(KernelFault::assertion, "Unhandled case", 1, 2);
  }
  return {};
}

}  // namespace

std::expected<Conv1dPlan, KernelError> plan_conv1d_depthwise(const KernelCall& call,
                                                             const LogicalSizes& sizes,
                                                             const KernelContext& context) {
  Conv1dPlan plan;
  if (is_empty(call.res_shape)) {
    plan.empty = true;
    return plan;
  }
  if (const KernelResult checked = check_asserted(call, sizes); !checked) {
    return std::unexpected(checked.error());
  }
  if (const KernelResult checked = check_old_limits(sizes, context); !checked) {
    return std::unexpected(checked.error());
  }
  if (is_empty(call.in_shape) || is_empty(call.kern_shape)) {
    plan.empty = true;
    return plan;
  }
  plan = cut_row(sizes.result[1], sizes.kernel[1], context.device.free_elements);
  const auto row = buffer_elements({sizes.result[1] + sizes.kernel[1] - 1});
  if (!row) return std::unexpected(row.error());
  plan.row_elements = *row;
  const auto products = buffer_elements({std::min(plan.chunk, sizes.result[1]), sizes.kernel[1]});
  if (!products) return std::unexpected(products.error());
  return plan;
}

}  // namespace convproof
