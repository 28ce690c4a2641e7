#pragma once

#include <algorithm>
#include <cstdint>
#include <expected>

#include "selector/kernels/call_check.h"
#include "selector/kernels/kernel_table.h"
#include "selector/kernels/layouts.h"
#include "selector/kernels/tiling.h"

namespace convproof {

// How the 1-D depthwise kernel cuts a row of the result: chunks of `chunk` elements, whose products
// with the window fill one matmul's free size; one pack is the default body, more are f_packing.
struct Conv1dPlan {
  bool empty = false;
  std::int64_t chunk = 1;
  std::int64_t packs = 1;
  std::int64_t row_elements = 0;  // one zero-padded row, as far as windows reach

  bool operator==(const Conv1dPlan&) const = default;
};

constexpr Conv1dPlan cut_row(std::int64_t result_columns, std::int64_t window,
                             std::int64_t free_elements) {
  Conv1dPlan plan;
  plan.chunk = ceil_div(free_elements, window);
  plan.packs = ceil_div(result_columns, plan.chunk);
  return plan;
}

std::expected<Conv1dPlan, KernelError> plan_conv1d_depthwise(const KernelCall& call,
                                                             const LogicalSizes& sizes,
                                                             const KernelContext& context);

// A depthwise convolution along the width, of one row. Image bf01, kernel operand oi01, result
// bf01, whatever the call's perms.
//
// Refuses  unless H == HF == K0 == 1, C == O, WF < 512 (`expect small conv window`), no padding of
//          the height (`1d conv expected`) and none below 0 of the width (`Only supports positive
//          paddings`).
// Ignores  stride, both dilations, group counts, in features beyond the first (and reversal, which
//          no kernel is told of).
// Source   design sheet of the Neuron table, section H.4.
template <class T>
KernelResult conv1d_depthwise(const KernelCall& call, TensorView<const T> image,
                              TensorView<const T> kernel, TensorView<T> result,
                              const KernelContext& context) {
  if (KernelResult checked = check_call<T>(call, image, kernel, result, context); !checked) {
    return checked;
  }
  const LogicalSizes sizes =
      sizes_in_layouts(call, image_layout::bf01, kernel_layout::oi01, image_layout::bf01);
  const auto plan = plan_conv1d_depthwise(call, sizes, context);
  if (!plan) return std::unexpected(plan.error());
  std::ranges::fill(result.elements, T{});
  if (plan->empty) return {};

  const Arena::Scope scope(*context.scratch);
  const std::int64_t window = sizes.kernel[1];
  const auto row = context.scratch->zeroed<T>(plan->row_elements);
  const auto products = context.scratch->zeroed<T>(std::min(plan->chunk, sizes.result[1]) * window);
  const std::int64_t low = std::min(call.padding[1].low, plan->row_elements);
  const std::int64_t loaded = std::min(sizes.input[1], plan->row_elements - low);
  const std::int64_t batch = std::min(sizes.batch, sizes.result_batch);
  const std::int64_t channels = std::min(sizes.input_features, sizes.result_features);
  // Channels lie on the partitions, 128 to a tile, and each does the same: one at a time here.
  for (std::int64_t c = 0; c < channels; ++c) {
    const T* const filter = kernel.elements.data() + c * sizes.kernel_features * window;
    for (std::int64_t n = 0; n < batch; ++n) {
      std::copy_n(image.elements.data() + (n * sizes.input_features + c) * sizes.input[1], loaded,
                  row.data() + low);
      T* const out = result.elements.data() + (n * sizes.result_features + c) * sizes.result[1];
      for (std::int64_t start = 0; start < sizes.result[1]; start += plan->chunk) {
        const std::int64_t count = std::min(plan->chunk, sizes.result[1] - start);
        T* product = products.data();
        for (std::int64_t w = start; w < start + count; ++w) {
          for (std::int64_t k = 0; k < window; ++k) *product++ = row.data()[w + k] * filter[k];
        }
        product = products.data();
        for (std::int64_t w = start; w < start + count; ++w) {
          T sum{};
          for (std::int64_t k = 0; k < window; ++k) sum += *product++;
          out[w] = sum;
        }
      }
    }
  }
  return {};
}

}  // namespace convproof
