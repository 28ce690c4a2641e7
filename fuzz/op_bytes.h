#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "fuzz/repair_op.h"
#include "selector/op/conv_op.h"

namespace convproof::fuzz {

// A convolution as a fuzzer's input: one byte for the rank, the types, the flags and each perm,
// then the numbers of OpParts, one byte each where they are below 64:
//
//   rank  element  result element  flags  in_perm  kern_perm  out_perm
//   batch  features  outputs  feature_groups  batch_groups
//   (input  kernel  stride  pad_low  pad_high  lhs_dilation  rhs_dilation  reversal) per axis
//
// and, where a flag says so, the result's extents as declared. Bytes that encode_op never writes
// have a meaning all the same, mostly a small number or one at the edge of a tile, so that random
// bytes stay interesting; missing bytes are zero, which is the plainest value.
inline constexpr std::size_t max_op_bytes = 7 + 9 * (5 + 8 * max_spatial_dims + max_rank);

// `check_structure` must hold. `decode_op(encode_op(op), budget) == op` for a well-formed op within
// the budget.
std::vector<std::uint8_t> encode_op(const ConvOp& op);

// Any bytes give a well-formed operation within the budget.
ConvOp decode_op(std::span<const std::uint8_t> bytes, const Budget& budget = fuzz_budget);

// The same, but the result has the declared extents where the bytes carry any: well formed but for
// its result, and `check_structure` holds.
ConvOp decode_declared_op(std::span<const std::uint8_t> bytes, const Budget& budget = fuzz_budget);

}  // namespace convproof::fuzz
