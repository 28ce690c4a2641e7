#include "selector/kernels/conv2d_depthwise.h"

#include <algorithm>
#include <cstdint>
#include <expected>

#include "selector/kernels/buffer_size.h"

namespace convproof {
namespace {

KernelResult check_asserted(const KernelCall& call, const LogicalSizes& sizes) {
  for (const std::int64_t channels : {call.feature_group_count, sizes.output_features}) {
    if (channels != sizes.input_features) {
      return refuse(KernelFault::assertion, "depthwise conv only", channels, sizes.input_features);
    }
  }
  if (sizes.kernel_features != 1) {
    return refuse(KernelFault::assertion, "depthwise conv only", sizes.kernel_features, 1);
  }
  for (const std::int64_t stride : call.stride) {
    if (stride != 1) {
      return refuse(KernelFault::assertion, "Only support stride of size 1", stride, 1);
    }
  }
  for (const std::int64_t dilation : call.rhs_dilation) {
    if (dilation != 1) {
      return refuse(KernelFault::assertion,
                    "rhs_dilation is not supported when lhs_dilation is enabled", dilation, 1);
    }
  }
  for (const KernelCall::Padding& padding : call.padding) {
    for (const std::int64_t pad : {padding.low, padding.high}) {
      if (pad < 0) {
        return refuse(KernelFault::assertion, "Only supports positive paddings", pad, 0);
      }
    }
  }
  return {};
}

// The rows of the largest buffer, as far as windows read them.
std::expected<std::int64_t, KernelError> walk_windows(const DepthwisePlan& plan, bool mended) {
  std::int64_t most = 0;
  std::int64_t next = 0;
  while (next < plan.height.result) {
    const RowWindow window = row_window_at(next, plan.height, plan.tile_rows, mended);
    const std::int64_t written = window.scattered_rows(plan.height.lhs_dilation);
    if (written > window.span) {
      return refuse(KernelFault::device_limit, "rows scattered into a row buffer", written,
                    window.span);
    }
    most = std::max(most, window.window + plan.height.kernel - 1);
    next += std::max<std::int64_t>(1, window.window);
  }
  return most;
}

}  // namespace

std::expected<DepthwisePlan, KernelError> plan_conv2d_depthwise(const KernelCall& call,
                                                                const LogicalSizes& sizes,
                                                                const KernelContext& context) {
  DepthwisePlan plan;
  if (is_empty(call.res_shape)) {
    plan.empty = true;
    return plan;
  }
  if (const KernelResult checked = check_asserted(call, sizes); !checked) {
    return std::unexpected(checked.error());
  }
  if (is_empty(call.in_shape) || is_empty(call.kern_shape)) {
    plan.empty = true;
    return plan;
  }
  plan.height = {.input = sizes.input[0],
                 .kernel = sizes.kernel[0],
                 .result = sizes.result[0],
                 .pad_low = call.padding[0].low,
                 .pad_high = call.padding[0].high,
                 .lhs_dilation = call.lhs_dilation[0]};
  const std::int64_t padded_width =
      (sizes.input[1] - 1) * call.lhs_dilation[1] + 1 + call.padding[1].low + call.padding[1].high;
  plan.tile_rows = row_budget(plan.height, padded_width).tile_rows;
  const auto rows = walk_windows(plan, context.switches.mend_last_tile);
  if (!rows) return std::unexpected(rows.error());
  plan.buffer_rows = *rows;
  plan.buffer_columns = sizes.result[1] + sizes.kernel[1] - 1;
  if (const auto buffer = buffer_elements({plan.buffer_rows, plan.buffer_columns}); !buffer) {
    return std::unexpected(buffer.error());
  }
  return plan;
}

}  // namespace convproof
