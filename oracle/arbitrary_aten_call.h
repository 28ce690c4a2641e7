#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "oracle/draw.h"
#include "selector/op/aten_call.h"

namespace convproof::oracle {

struct AtenGeneratorOptions {
  std::int64_t max_extent = 6;    // spatial extents of the input
  std::int64_t max_channels = 4;  // of the input and of the result in a group, and groups
  std::int64_t max_batch = 3;
  std::int64_t max_multiply_adds = 4096;  // at least 1024
  bool block_edges = true;                // once in four, one quantity stands at 15, 16 or 17
  bool empty_inputs = true;               // at times no samples, rarely no channels
  bool unbatched = true;                  // rarely, an input without a batch axis
  bool short_lists = true;                // rarely, lists of one number for several dimensions
  bool mixed_types = false;          // rarely, a weight of another element type; never with a bias
  std::optional<bool> backward{};    // instead of either
  std::optional<bool> transposed{};  // instead of mostly not
  std::optional<std::size_t> spatial_dims{};     // instead of mostly 2, at times 1 or 3
  std::optional<AtenEnvironment> environment{};  // instead of any

  bool operator==(const AtenGeneratorOptions&) const = default;
};

// A call that eager execution accepts, in any environment; valid by construction.
//
// Steered towards what the rows of Inductor's tables ask for and towards the edges of their
// kernels: kernels of one tap, dilation without effect, groups at both ends, depthwise with and
// without a multiplier, extents beside a block's, no samples, no channels, results that stop short
// of the input's end, transposed calls with output padding, inputs that are slices of a wider
// buffer. In the backward operation a gradient of the bias is not asked for without sizes where the
// input has no channels. Every choice is a draw of its own whose low end is the plainest. Source:
// design sheet of Inductor's convolution lowering, sections A.2, A.7, B and F.
AtenCall arbitrary_aten_call(Draw draw, const AtenGeneratorOptions& options = {});

// Any environment that a device can be in, mostly the default one with a few flags turned.
AtenEnvironment arbitrary_aten_environment(Draw draw);

}  // namespace convproof::oracle
