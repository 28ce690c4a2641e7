#include "selector/kernels/conv2d_column_packing.h"

#include <algorithm>
#include <cstdint>
#include <expected>

#include "selector/kernels/buffer_size.h"

namespace convproof {
namespace {

KernelResult check_asserted(const KernelCall& call, const LogicalSizes& sizes) {
  if (call.batch_group_count != sizes.batch) {
    return refuse(KernelFault::assertion, "batch_group_count equals the input batch",
                  call.batch_group_count, sizes.batch);
  }
  if (call.batch_group_count != sizes.output_features) {
    return refuse(KernelFault::assertion, "batch_group_count equals the output features",
                  call.batch_group_count, sizes.output_features);
  }
  for (const std::int64_t stride : call.stride) {
    if (stride != 1) {
      return refuse(KernelFault::assertion, "column packing has stride 1", stride, 1);
    }
  }
  return {};
}

KernelResult check_buffers(const ColumnPacking& packing) {
  const DenseProblem& problem = packing.problem;
  const std::int64_t tile = packing.groups.tile;
  for (const auto& count :
       {buffer_elements({problem.input_features, problem.input[0], problem.input[1], tile}),
        buffer_elements({packing.features, problem.kernel[0], problem.kernel[1], tile})}) {
    if (!count) return std::unexpected(count.error());
  }
  return {};
}

}  // namespace

std::expected<ColumnPacking, KernelError> plan_column_packing(const KernelCall& call,
                                                              const LogicalSizes& sizes,
                                                              const Device& device) {
  ColumnPacking packing;
  if (is_empty(call.res_shape)) {
    packing.empty = true;
    return packing;
  }
  if (const KernelResult checked = check_asserted(call, sizes); !checked) {
    return std::unexpected(checked.error());
  }
  // The transposed diagonal puts one result pixel on each partition.
  const std::int64_t area = sizes.result[0] * sizes.result[1];
  if (area > device.partitions) {
    return refuse(KernelFault::device_limit, "result pixels on the partitions", area,
                  device.partitions);
  }
  if (is_empty(call.in_shape) || is_empty(call.kern_shape)) {
    packing.empty = true;
    return packing;
  }
  const auto groups = cut_groups(sizes.output_features, sizes.input[1], call, device);
  if (!groups) return std::unexpected(groups.error());
  packing.groups = *groups;
  packing.features = std::min(sizes.input_features, sizes.kernel_features);
  packing.problem = {.batch = groups->tile,
                     .input_features = sizes.input_features,
                     .kernel_features = packing.features,
                     .output_features = groups->tile,
                     .input = {sizes.input[0], sizes.input[1]},
                     .kernel = {sizes.kernel[0], sizes.kernel[1]},
                     .result = {sizes.result[0], sizes.result[1]},
                     .stride = {1, 1},
                     .rhs_dilation = {call.rhs_dilation[0], call.rhs_dilation[1]},
                     .padding = {call.padding[0], call.padding[1]},
                     .image_in_place = false,
                     .element_bytes = info(call.element_type).bytes};
  const auto plan = plan_dense(packing.problem, device);
  if (!plan) return std::unexpected(plan.error());
  packing.plan = *plan;
  if (const KernelResult fits = check_buffers(packing); !fits) {
    return std::unexpected(fits.error());
  }
  return packing;
}

}  // namespace convproof
