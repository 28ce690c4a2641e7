#include "selector/kernels/conv2d_column_packing_1.h"

#include <algorithm>
#include <cstdint>
#include <expected>

#include "selector/kernels/buffer_size.h"

namespace convproof {
namespace {

// Result pixels whose tiles of 128 fit PSUM together, where a group tile has all 128 channels.
constexpr std::int64_t max_pixels_of_full_tile = 4096;

// Elements of the dense block that the model holds at once.
constexpr std::int64_t block_elements = std::int64_t{1} << 22;

KernelResult check_asserted(const KernelCall& call, const LogicalSizes& sizes) {
  if (call.feature_group_count != sizes.input_features) {
    return refuse(KernelFault::assertion, "feature_group_count equals the input features",
                  call.feature_group_count, sizes.input_features);
  }
  if (call.feature_group_count != sizes.output_features) {
    return refuse(KernelFault::assertion, "feature_group_count equals the output features",
                  call.feature_group_count, sizes.output_features);
  }
  if (sizes.batch != 1) {
    return refuse(KernelFault::assertion, "the input batch is 1", sizes.batch, 1);
  }
  return {};
}

}  // namespace

std::expected<ColumnPacking1, KernelError> plan_column_packing_1(const KernelCall& call,
                                                                 const LogicalSizes& sizes,
                                                                 const Device& device) {
  ColumnPacking1 packing;
  if (is_empty(call.res_shape)) {
    packing.empty = true;
    return packing;
  }
  if (const KernelResult checked = check_asserted(call, sizes); !checked) {
    return std::unexpected(checked.error());
  }
  if (is_empty(call.in_shape) || is_empty(call.kern_shape)) {
    packing.empty = true;
    return packing;
  }
  const auto groups = cut_groups(sizes.input_features, sizes.input[1], call, device);
  if (!groups) return std::unexpected(groups.error());
  packing.groups = *groups;
  const std::int64_t area = saturating_product({sizes.result[0], sizes.result[1]});
  if (groups->tile == device.partitions && area > max_pixels_of_full_tile) {
    return refuse(KernelFault::device_limit, "result pixels of a full group tile", area,
                  max_pixels_of_full_tile);
  }
  const std::int64_t row_elements =
      saturating_product({groups->tile, groups->tile, sizes.result[1]});
  packing.band_rows = std::clamp<std::int64_t>(block_elements / row_elements, 1, sizes.result[0]);
  if (const auto block = buffer_elements({row_elements, packing.band_rows}); !block) {
    return std::unexpected(block.error());
  }
  packing.problem = {.batch = groups->tile,
                     .input_features = 1,
                     .kernel_features = 1,
                     .output_features = groups->tile,
                     .input = {sizes.input[0], sizes.input[1]},
                     .kernel = {sizes.kernel[0], sizes.kernel[1]},
                     .result = {packing.band_rows, sizes.result[1]},
                     .stride = {call.stride[0], call.stride[1]},
                     .rhs_dilation = {call.rhs_dilation[0], call.rhs_dilation[1]},
                     .padding = {call.padding[0], call.padding[1]},
                     .image_in_place = false,
                     .element_bytes = info(call.element_type).bytes};
  packing.last_problem = packing.problem;
  if (const std::int64_t last = sizes.result[0] % packing.band_rows; last != 0) {
    packing.last_problem.result[0] = last;
  }
  auto plan = plan_dense(packing.problem, device);
  if (!plan) return std::unexpected(plan.error());
  packing.plan = *plan;
  plan = plan_dense(packing.last_problem, device);
  if (!plan) return std::unexpected(plan.error());
  packing.last_plan = *plan;
  return packing;
}

}  // namespace convproof
