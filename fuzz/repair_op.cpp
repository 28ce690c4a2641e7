#include "fuzz/repair_op.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>

#include "selector/op/window.h"

namespace convproof::fuzz {
namespace {

void clamp_parts(OpParts& parts) {
  const auto clamp = [](std::int64_t& value) {
    value = std::clamp<std::int64_t>(value, 1, max_extent);
  };
  clamp(parts.batch);
  clamp(parts.features);
  clamp(parts.outputs);
  clamp(parts.feature_groups);
  clamp(parts.batch_groups);
  if (parts.feature_groups > 1) parts.batch_groups = 1;
  for (AxisParts& axis : parts.axes) {
    clamp(axis.input);
    clamp(axis.kernel);
    clamp(axis.window.stride);
    clamp(axis.window.lhs_dilation);
    clamp(axis.window.rhs_dilation);
    axis.window.pad_low = std::clamp(axis.window.pad_low, -max_extent, max_extent);
    axis.window.pad_high = std::clamp(axis.window.pad_high, -max_extent, max_extent);
    const std::int64_t missing = -padded_extent(axis.input, axis.window);
    if (missing <= 0) continue;
    // Each side gives back as much as it crops, the high one first.
    const std::int64_t high = std::min(missing, std::max<std::int64_t>(-axis.window.pad_high, 0));
    axis.window.pad_high += high;
    axis.window.pad_low += missing - high;
  }
}

// The product, saturating: parts alone may overflow what shapes hold.
std::int64_t product(std::initializer_list<std::int64_t> values) {
  std::int64_t result = 1;
  for (const std::int64_t value : values) {
    if (__builtin_mul_overflow(result, value, &result)) {
      return std::numeric_limits<std::int64_t>::max();
    }
  }
  return result;
}

struct Cost {
  std::int64_t image = 0;
  std::int64_t kernel = 0;
  std::int64_t result = 0;
  std::int64_t largest_extent = 0;
  std::int64_t multiply_adds = 0;
  std::int64_t packed = 0;  // multiply-adds of a kernel that computes all pairs of groups
};

Cost cost_of(const OpParts& parts) {
  const std::int64_t channels = product({parts.features, parts.feature_groups});
  const std::int64_t batch = product({parts.batch, parts.batch_groups});
  const std::int64_t outputs = product({parts.outputs, parts.feature_groups, parts.batch_groups});
  Cost cost{.image = product({batch, channels}),
            .kernel = product({outputs, parts.features}),
            .result = product({parts.batch, outputs}),
            .largest_extent = std::max({channels, batch, outputs}),
            .multiply_adds = product({parts.batch, outputs, parts.features})};
  for (const AxisParts& axis : parts.axes) {
    const std::int64_t positions = output_extent(axis.input, axis.kernel, axis.window);
    cost.image = product({cost.image, axis.input});
    cost.kernel = product({cost.kernel, axis.kernel});
    // The product of a shape must stay in range before its 0 is met.
    cost.result = product({cost.result, std::max<std::int64_t>(positions, 1)});
    cost.largest_extent = std::max(cost.largest_extent, positions);
    cost.multiply_adds = product({cost.multiply_adds, axis.kernel, positions});
  }
  cost.packed = product({cost.multiply_adds, parts.feature_groups, parts.batch_groups});
  return cost;
}

bool within(const Cost& cost, const Budget& budget) {
  const std::int64_t most = std::min(budget.max_elements, convproof::max_elements);
  // Column packing multiplies the work by the groups; as much as a full tile of them may.
  const std::int64_t packed = product({budget.max_multiply_adds, 16});
  return cost.largest_extent <= max_extent &&
         std::max({cost.image, cost.kernel, cost.result}) <= most &&
         cost.multiply_adds <= budget.max_multiply_adds && cost.packed <= packed;
}

// The largest size above 1 but for `keep`, or a padding or image dilation that is larger still;
// null where there is none.
std::int64_t* largest_number(OpParts& parts, std::optional<std::size_t> keep) {
  std::int64_t* largest = nullptr;
  const auto consider = [&](std::int64_t& number, std::int64_t least) {
    if (number > least && (largest == nullptr || number > *largest)) largest = &number;
  };
  const auto sizes = sizes_of(parts);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (i != keep) consider(*sizes[i], 1);
  }
  constexpr std::int64_t usual = 8;  // padding and dilation up to this are not what is large
  for (AxisParts& axis : parts.axes) {
    consider(axis.window.pad_low, usual);
    consider(axis.window.pad_high, usual);
    consider(axis.window.lhs_dilation, usual);
  }
  return largest;
}

}  // namespace

ConvOp repair_parts(OpParts parts, const Budget& budget, std::optional<std::size_t> keep) {
  clamp_parts(parts);
  bool windows_plain = false;
  while (!within(cost_of(parts), budget)) {
    if (std::int64_t* const largest = largest_number(parts, keep); largest != nullptr) {
      *largest /= 2;
    } else if (!windows_plain) {
      // What is left of the cost comes from padding and image dilation.
      for (AxisParts& axis : parts.axes) axis.window = {.reversal = axis.window.reversal};
      windows_plain = true;
    } else if (keep) {
      keep.reset();
    } else {
      break;
    }
    clamp_parts(parts);
  }
  return put_together(parts);
}

ConvOp repair(const ConvOp& op, const Budget& budget) {
  return repair_parts(take_apart(op), budget);
}

}  // namespace convproof::fuzz
