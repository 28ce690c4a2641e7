#pragma once

#include <algorithm>
#include <cstdint>
#include <expected>
#include <span>

#include "selector/kernels/arena.h"
#include "selector/kernels/kernel_call.h"
#include "selector/kernels/kernel_error.h"
#include "selector/kernels/kernel_table.h"
#include "selector/kernels/strided_view.h"
#include "selector/op/conv_op.h"

namespace convproof {

// Column packing: a depthwise problem of `groups` channels runs as dense problems of at most 128
// channels each way, of whose result only the diagonal counts.
// Source: design sheet of the Neuron table, sections H.2, H.3 and H.6.

// Bytes of one partition's share of an image slice that moves through SBUF at once.
inline constexpr std::int64_t max_slice_bytes = 18200;

// Image rows of `width` elements that one slice holds; 0 where not even one fits.
constexpr std::int64_t rows_per_slice(std::int64_t width, std::int64_t element_bytes) {
  return max_slice_bytes / element_bytes / width;
}

// The cut into group tiles, and the refusals that depend on it: a last tile that is partial, and an
// image row wider than a slice (the tracer then divides by zero rows).
struct GroupTiles {
  std::int64_t tile = 1;            // groups per tile
  std::int64_t rows_per_slice = 1;  // image rows per slice
};
std::expected<GroupTiles, KernelError> cut_groups(std::int64_t groups, std::int64_t width,
                                                  const KernelCall& call, const Device& device);

// Element i of the diagonal of a dense block stored (out feature, K0, K1, batch) with as many out
// features as batch elements: where it starts; inside, elements are `tile` apart.
constexpr std::int64_t f01b_diagonal(std::int64_t i, std::int64_t tile, std::int64_t area) {
  return i * (area * tile + 1);
}

// The same in a block stored (batch, out feature, K0, K1); inside, elements are adjacent.
constexpr std::int64_t bf01_diagonal(std::int64_t i, std::int64_t tile, std::int64_t area) {
  return i * (tile + 1) * area;
}

// Copies `first` to `first + count` of the first axis into a dense (second, row, column, first)
// buffer, `rows_per_slice` rows at a time: the slice of one group tile in the layout that the
// engine wants (f01b images, i01o kernel operands).
template <class T>
void copy_slice(StridedView<const T> source, std::int64_t first, std::int64_t count,
                std::int64_t features, std::int64_t rows, std::int64_t columns,
                std::int64_t rows_per_slice, std::span<T> destination) {
  for (std::int64_t slice = 0; slice < rows; slice += rows_per_slice) {
    const std::int64_t slice_end = std::min(rows, slice + rows_per_slice);
    for (std::int64_t feature = 0; feature < features; ++feature) {
      T* out = destination.data() + (feature * rows + slice) * columns * count;
      for (std::int64_t row = slice; row < slice_end; ++row) {
        for (std::int64_t column = 0; column < columns; ++column) {
          const T* const in = source.at(first, feature, row, column);
          for (std::int64_t g = 0; g < count; ++g) *out++ = in[g * source.steps.first];
        }
      }
    }
  }
}

}  // namespace convproof
