#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>

#include "fuzz/op_parts.h"
#include "selector/op/conv_op.h"

namespace convproof::fuzz {

// How much work and memory a repaired operation may cost.
struct Budget {
  std::int64_t max_multiply_adds = std::numeric_limits<std::int64_t>::max();
  std::int64_t max_elements = convproof::max_elements;  // of each tensor

  bool operator==(const Budget&) const = default;
};

// What a fuzzer runs, so that one execution stays in the microseconds; an extent of 513 fits.
inline constexpr Budget fuzz_budget{.max_multiply_adds = 4096, .max_elements = 16384};

// Brings every part into its range, gives cropped images back the elements that their padding took
// too much of, and halves the largest numbers until nothing exceeds the budget, at last without
// padding, dilation and stride. `keep` is the index (sizes_of) of a number that stays as long as
// another can shrink.
ConvOp repair_parts(OpParts parts, const Budget& budget = {},
                    std::optional<std::size_t> keep = std::nullopt);

// A well-formed operation near any value: `validate` holds for it, and what is well formed and
// within the budget comes back as it is.
ConvOp repair(const ConvOp& op, const Budget& budget = {});

}  // namespace convproof::fuzz
