#include "selector/kernels/call_check.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "selector/kernels/buffer_size.h"

namespace convproof {
namespace {

constexpr std::size_t rank = 4;

KernelResult check_tensor(const Shape& shape, const Perm& perm, std::size_t elements) {
  if (shape.size() != rank || perm.size() != rank) {
    return refuse(KernelFault::assertion, "operands have four axes",
                  static_cast<std::int64_t>(shape.size()), rank);
  }
  if (!is_permutation(perm)) {
    return refuse(KernelFault::assertion, "a perm is a permutation", perm[0], rank);
  }
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) {
    if (extent < 0 || extent > max_extent) {
      return refuse(KernelFault::assertion, "extents are within range", extent, max_extent);
    }
    count = saturating_product({count, extent});
  }
  if (count > max_elements || static_cast<std::size_t>(count) != elements) {
    return refuse(KernelFault::assertion, "an operand has as many elements as its shape says",
                  static_cast<std::int64_t>(elements), count);
  }
  return {};
}

bool in_range(std::int64_t value, std::int64_t lowest) {
  return value >= lowest && value <= max_extent;
}

}  // namespace

KernelResult check_call(const KernelCall& call, std::size_t image_elements,
                        std::size_t kernel_elements, std::size_t result_elements,
                        const KernelContext& context) {
  if (context.scratch == nullptr) {
    return refuse(KernelFault::assertion, "scratch memory is given", 0, 1);
  }
  const Device& device = context.device;
  const std::int64_t smallest =
      std::min({device.partitions, device.free_elements, device.psum_banks, device.psum_bank_bytes,
                device.copy_partition_multiple});
  if (smallest < 1) {
    return refuse(KernelFault::device_limit, "device limits are at least 1", smallest, 1);
  }
  if (call.stride.size() != 2 || call.padding.size() != 2 || call.rhs_dilation.size() != 2 ||
      call.lhs_dilation.size() != 2) {
    return refuse(KernelFault::assertion, "windows have two spatial dimensions",
                  static_cast<std::int64_t>(call.stride.size()), 2);
  }
  for (std::size_t axis = 0; axis < 2; ++axis) {
    for (const std::int64_t value :
         {call.stride[axis], call.rhs_dilation[axis], call.lhs_dilation[axis]}) {
      if (!in_range(value, 1)) {
        return refuse(KernelFault::assertion, "strides and dilations are within range", value, 1);
      }
    }
    for (const std::int64_t value : {call.padding[axis].low, call.padding[axis].high}) {
      if (!in_range(value, -max_extent)) {
        return refuse(KernelFault::assertion, "padding is within range", value, max_extent);
      }
    }
  }
  if (KernelResult checked = check_tensor(call.in_shape, call.in_perm, image_elements); !checked) {
    return checked;
  }
  if (KernelResult checked = check_tensor(call.kern_shape, call.kern_perm, kernel_elements);
      !checked) {
    return checked;
  }
  return check_tensor(call.res_shape, call.out_perm, result_elements);
}

LogicalSizes sizes_in_layouts(const KernelCall& call, const Perm& image, const Perm& kernel,
                              const Perm& result) {
  const auto extent = [](const Shape& shape, const Perm& perm, std::size_t axis) {
    return shape[static_cast<std::size_t>(perm[axis])];
  };
  return {
      .batch = extent(call.in_shape, image, 0),
      .input_features = extent(call.in_shape, image, 1),
      .output_features = extent(call.kern_shape, kernel, 0),
      .kernel_features = extent(call.kern_shape, kernel, 1),
      .input = {extent(call.in_shape, image, 2), extent(call.in_shape, image, 3)},
      .kernel = {extent(call.kern_shape, kernel, 2), extent(call.kern_shape, kernel, 3)},
      .result = {extent(call.res_shape, result, 2), extent(call.res_shape, result, 3)},
      .result_batch = extent(call.res_shape, result, 0),
      .result_features = extent(call.res_shape, result, 1),
  };
}

}  // namespace convproof
