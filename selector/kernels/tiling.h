#pragma once

#include <algorithm>
#include <cstdint>

namespace convproof {

// The tile arithmetic that the kernels share.
// Source: design sheet of the Neuron table, section H, helpers.

// Quotient rounded up; `total` at least 0, `size` at least 1.
constexpr std::int64_t ceil_div(std::int64_t total, std::int64_t size) {
  return total / size + (total % size != 0 ? 1 : 0);
}

// Quotient and remainder rounded towards minus infinity; `size` at least 1.
constexpr std::int64_t floor_div(std::int64_t total, std::int64_t size) {
  return total / size - (total % size < 0 ? 1 : 0);
}
constexpr std::int64_t floor_mod(std::int64_t total, std::int64_t size) {
  return total - floor_div(total, size) * size;
}

// How an extent is cut: `count` tiles of `extent` elements (the last may be partial), and how often
// a whole extent fits into the budget that was given.
struct Tiling {
  std::int64_t count = 0;
  std::int64_t extent = 0;
  std::int64_t rest = 0;

  bool operator==(const Tiling&) const = default;
};

// Tiles of at most `budget` elements; a spent budget (0) still gives tiles of 1. `total` at
// least 1.
constexpr Tiling tile(std::int64_t total, std::int64_t budget) {
  if (budget == 0) return {.count = total, .extent = 1, .rest = 0};
  return {
      .count = ceil_div(total, budget), .extent = std::min(total, budget), .rest = budget / total};
}

// As `tile`, in whole strides: the budget is rounded up to a multiple of `stride`, and a budget
// below one stride gives tiles of 1. `total` is a multiple of `stride`, hence so is the extent in
// the first case.
constexpr Tiling tile_with_stride(std::int64_t total, std::int64_t budget, std::int64_t stride) {
  if (budget < stride) return {.count = total, .extent = 1, .rest = 0};
  return tile(total, ceil_div(budget, stride) * stride);
}

// How many copies of `features` partitions, each shifted by one row, one load may stack: the
// largest i in `rows`..1 that is a multiple of `dilation` and fits `partitions`; 1 where none does.
// All arguments at least 1.
constexpr std::int64_t replication_factor(std::int64_t rows, std::int64_t features,
                                          std::int64_t dilation, std::int64_t partitions = 128) {
  const std::int64_t most = std::min(rows, partitions / features);
  return std::max<std::int64_t>(1, most / dilation * dilation);
}

}  // namespace convproof
