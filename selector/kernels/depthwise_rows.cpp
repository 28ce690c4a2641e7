#include "selector/kernels/depthwise_rows.h"

#include <algorithm>
#include <cstdint>

#include "selector/kernels/tiling.h"

namespace convproof {

RowBudget row_budget(const DepthwiseHeight& height, std::int64_t padded_width) {
  constexpr std::int64_t buffer_bytes = 16384;
  constexpr std::int64_t element_bytes = 4;
  RowBudget budget;
  // A row of more elements than bytes is budgeted the same: one row.
  budget.rows = ceil_div(buffer_bytes,
                         std::clamp<std::int64_t>(padded_width, 1, buffer_bytes) * element_bytes);
  const std::int64_t dilated = (budget.rows + height.lhs_dilation - 1) / height.lhs_dilation - 1;
  budget.tile_rows = std::max(std::min(height.input, dilated), height.kernel);
  return budget;
}

RowWindow row_window_at(std::int64_t row, const DepthwiseHeight& height, std::int64_t tile_rows,
                        bool mended) {
  const std::int64_t dilation = height.lhs_dilation;
  const std::int64_t padded_height =
      (height.input - 1) * dilation + 1 + height.pad_low + height.pad_high;
  const std::int64_t bottom = height.result - height.pad_high;
  const bool last = row > bottom;
  const std::int64_t rows = last ? height.result - row : tile_rows;

  RowWindow window{.row = row};
  window.origin =
      std::max<std::int64_t>(0, floor_div(row + 1 - height.pad_low + dilation - 1, dilation) - 1);
  window.load = rows;
  // The window starts on a row that dilation inserted: the next image row comes `first_row` later.
  if (row >= height.pad_low && floor_mod(row + dilation - height.pad_low, dilation) != 0) {
    window.first_row = (window.origin + 1) * dilation + height.pad_low - row;
    window.origin += 1;
    window.load = std::max<std::int64_t>(1, rows - 1);
  }
  if (window.origin + rows >= height.input) window.load = height.input - window.origin;
  window.span = last ? padded_height - row : (rows - 1) * dilation + 1;
  if (row < height.pad_low) {
    window.span += height.pad_low - row;
    window.first_row += height.pad_low - row;
  }
  if (mended) {
    window.load = std::min(height.input - window.origin,
                           floor_div(window.span - 1 - window.first_row, dilation) + 1);
  } else if (last && row + 1 - bottom >= height.kernel) {
    window.load = 0;  // the whole window lies in the padding: no copy
  }
  window.load = std::max<std::int64_t>(0, window.load);
  window.window = std::min(window.span - height.kernel + 1, height.result - row);
  return window;
}

}  // namespace convproof
