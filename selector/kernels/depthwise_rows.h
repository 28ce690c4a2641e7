#pragma once

#include <cstdint>

namespace convproof {

// Along the height: what the row bookkeeping of the 2-D depthwise kernel depends on. Padding is at
// least 0, the stride is 1; every extent is at least 1.
struct DepthwiseHeight {
  std::int64_t input = 1;
  std::int64_t kernel = 1;
  std::int64_t result = 1;
  std::int64_t pad_low = 0;
  std::int64_t pad_high = 0;
  std::int64_t lhs_dilation = 1;
};

// The image rows that one row buffer is cut for: `ceil(16384 / (padded width * 4))` rows of the
// padded width (the element size is fixed at 4 bytes, whatever the type), less what dilation takes,
// within the image's height, and no fewer than the window has.
// Source: design sheet of the Neuron table, section H.5, set-up.
struct RowBudget {
  std::int64_t rows = 0;       // cnt
  std::int64_t tile_rows = 1;  // maxh
  bool operator==(const RowBudget&) const = default;
};
RowBudget row_budget(const DepthwiseHeight& height, std::int64_t padded_width);

// One row window: the result rows from `row` to `row + window`, and the buffer they read.
struct RowWindow {
  std::int64_t row = 0;
  std::int64_t window = 0;     // result rows; 0 or less where the buffer holds none
  std::int64_t origin = 0;     // first image row loaded
  std::int64_t load = 0;       // image rows loaded, 0 where the copy is skipped
  std::int64_t span = 0;       // buffer rows
  std::int64_t first_row = 0;  // buffer row that the first image row lands in

  bool operator==(const RowWindow&) const = default;

  // The buffer row after the last one written.
  [[nodiscard]] std::int64_t scattered_rows(std::int64_t lhs_dilation) const {
    return load == 0 ? 0 : first_row + (load - 1) * lhs_dilation + 1;
  }
};

// The row window that starts at result row `row`.
//
// As documented, the last windows may load fewer image rows than they need (their result rows then
// miss taps), and with an lhs dilation a load may scatter past the buffer. Where `mended`, every
// window loads exactly the rows that reach its buffer.
// Source: design sheet of the Neuron table, section H.5; design decisions, item 13.
RowWindow row_window_at(std::int64_t row, const DepthwiseHeight& height, std::int64_t tile_rows,
                        bool mended);

}  // namespace convproof
