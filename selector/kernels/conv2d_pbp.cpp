#include "selector/kernels/conv2d_pbp.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>

#include "selector/kernels/buffer_size.h"

namespace convproof {
namespace {

// Filter columns that accumulate in one PSUM tile before it moves to the accumulator.
constexpr std::int64_t filter_columns_per_tile = 8;

KernelResult check_asserted(const KernelCall& call, const LogicalSizes& sizes,
                            const Device& device) {
  if (sizes.kernel_features != sizes.input_features) {
    return refuse(KernelFault::assertion, "kernel in features equal input features",
                  sizes.kernel_features, sizes.input_features);
  }
  if (sizes.result_features != sizes.output_features) {
    return refuse(KernelFault::assertion, "result features equal kernel out features",
                  sizes.result_features, sizes.output_features);
  }
  if (sizes.result_batch != sizes.batch) {
    return refuse(KernelFault::assertion, "result batch equals input batch", sizes.result_batch,
                  sizes.batch);
  }
  for (std::size_t axis = 0; axis < 2; ++axis) {
    if (call.stride[axis] != 1) {
      return refuse(KernelFault::assertion, "pixel by pixel has stride 1", call.stride[axis], 1);
    }
    const std::int64_t expected =
        sizes.input[axis] + 2 * call.padding[axis].low - sizes.kernel[axis] + 1;
    if (sizes.result[axis] != expected) {
      return refuse(KernelFault::assertion, "result extents follow from the low padding alone",
                    sizes.result[axis], expected);
    }
  }
  if (sizes.kernel[0] > device.partitions) {
    return refuse(KernelFault::assertion, "H_filter > 128", sizes.kernel[0], device.partitions);
  }
  return {};
}

}  // namespace

std::expected<PbpProblem, KernelError> plan_pbp(const KernelCall& call, const LogicalSizes& sizes,
                                                const Device& device) {
  PbpProblem problem{.sizes = sizes};
  if (is_empty(call.res_shape)) {
    problem.empty = true;
    return problem;
  }
  if (const KernelResult checked = check_asserted(call, sizes, device); !checked) {
    return std::unexpected(checked.error());
  }
  if (is_empty(call.in_shape) || is_empty(call.kern_shape)) {
    problem.empty = true;
    return problem;
  }
  problem.pad_top = call.padding[0].low;
  problem.pad_left = call.padding[1].low;
  problem.output_tile = std::min(sizes.output_features, device.partitions);
  problem.batch_tile = std::min(sizes.batch, device.free_elements);
  problem.filter_column_tile = std::min(sizes.kernel[1], filter_columns_per_tile);
  if (const KernelResult fits = check_psum_tile(problem.output_tile, problem.batch_tile, device);
      !fits) {
    return std::unexpected(fits.error());
  }
  const auto filter = buffer_elements(
      {sizes.kernel[0], sizes.kernel[1], sizes.input_features, problem.output_tile});
  if (!filter) return std::unexpected(filter.error());
  return problem;
}

}  // namespace convproof
