#pragma once

#include <cstdint>

namespace convproof {

// The parameters of one template candidate. The depthwise template blocks other axes: its BLOCK_N
// (samples), BLOCK_L (positions) and BLOCK_C (channels) are `block_m`, `block_n` and `block_k`.
//
// `num_stages` counts in the shared-memory budget; `num_warps` has no influence on values here, so
// what a toolchain makes of eight warps is outside this model.
// Source: design sheet of Inductor's convolution lowering, sections C.1 to C.3.
struct TemplateConfiguration {
  std::int64_t block_m = 16;
  std::int64_t block_n = 16;
  std::int64_t block_k = 16;
  std::int64_t num_stages = 2;
  std::int64_t num_warps = 4;
  bool unroll = false;  // literal taps in place of one flattened loop; forward templates only

  bool operator==(const TemplateConfiguration&) const = default;
};

}  // namespace convproof
