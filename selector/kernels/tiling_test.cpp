#include "selector/kernels/tiling.h"

#include <cstdint>

#include <gtest/gtest.h>

#include "selector/kernels/buffer_size.h"
#include "selector/kernels/column_packing.h"
#include "selector/kernels/conv1d_depthwise.h"

namespace convproof {
namespace {

TEST(Tiling, replication_factor_is_the_largest_multiple_that_fits) {
  struct Row {
    std::int64_t rows, features, dilation, expected, outer;
  };
  for (const Row& row : {Row{3, 3, 1, 3, 1},     Row{7, 3, 1, 7, 1},     Row{5, 32, 1, 4, 2},
                         Row{3, 64, 1, 2, 2},    Row{3, 128, 1, 1, 3},   Row{3, 43, 1, 2, 2},
                         Row{3, 42, 1, 3, 1},    Row{7, 18, 1, 7, 1},    Row{7, 19, 1, 6, 2},
                         Row{255, 1, 2, 128, 2}, Row{63, 1, 2, 62, 2},   Row{223, 16, 2, 8, 28},
                         Row{255, 16, 2, 8, 32}, Row{129, 1, 2, 128, 2}, Row{511, 1, 2, 128, 4},
                         Row{5, 30, 2, 4, 2},    Row{5, 30, 3, 3, 2},    Row{5, 60, 2, 2, 3},
                         Row{5, 65, 2, 1, 5},    Row{9, 10, 4, 8, 2},    Row{13, 12, 5, 10, 2},
                         Row{1, 5, 1, 1, 1}}) {
    const std::int64_t factor = replication_factor(row.rows, row.features, row.dilation);
    EXPECT_EQ(factor, row.expected) << row.rows << ' ' << row.features << ' ' << row.dilation;
    EXPECT_EQ(ceil_div(row.rows, factor), row.outer);
  }
}

// The definition, by search.
TEST(Tiling, replication_factor_agrees_with_its_definition) {
  for (std::int64_t a = 1; a <= 140; ++a) {
    for (std::int64_t b = 1; b <= 140; ++b) {
      for (std::int64_t d = 1; d <= 5; ++d) {
        std::int64_t expected = 1;
        for (std::int64_t i = a; i >= 1; --i) {
          if (i * b <= 128 && i % d == 0) {
            expected = i;
            break;
          }
        }
        ASSERT_EQ(replication_factor(a, b, d), expected) << a << ' ' << b << ' ' << d;
      }
    }
  }
}

TEST(Tiling, a_spent_budget_gives_tiles_of_one) {
  EXPECT_EQ(tile(7, 0), (Tiling{7, 1, 0}));
  EXPECT_EQ(tile(600, 512), (Tiling{2, 512, 0}));
  EXPECT_EQ(tile(16, 512), (Tiling{1, 16, 32}));
  EXPECT_EQ(tile_with_stride(6, 1, 2), (Tiling{6, 1, 0}));
  EXPECT_EQ(tile_with_stride(112, 9, 2), (Tiling{12, 10, 0}));
}

TEST(Tiling, division_rounds_as_python_does) {
  EXPECT_EQ(floor_div(-1, 2), -1);
  EXPECT_EQ(floor_mod(-1, 2), 1);
  EXPECT_EQ(floor_div(-4, 2), -2);
  EXPECT_EQ(floor_mod(5, 3), 2);
}

TEST(Tiling, buffers_beyond_any_device_are_an_error) {
  EXPECT_EQ(buffer_elements({1 << 13, 1 << 14}), max_buffer_elements);
  const std::int64_t huge = std::int64_t{1} << 62;
  ASSERT_FALSE(buffer_elements({huge, huge, 3}));
  EXPECT_EQ(buffer_elements({huge, huge, 3}).error().fault, KernelFault::device_limit);
  EXPECT_EQ(buffer_elements({huge, huge, 0}), 0);
}

TEST(Conv1dDepthwise, dispatches_on_the_window_and_the_row) {
  struct Row {
    std::int64_t window, columns, chunk, packs;
  };
  for (const Row& row :
       {Row{4, 128, 128, 1}, Row{4, 129, 128, 2}, Row{3, 171, 171, 1}, Row{3, 172, 171, 2},
        Row{1, 512, 512, 1}, Row{1, 513, 512, 2}, Row{2, 256, 256, 1}, Row{7, 74, 74, 1},
        Row{7, 75, 74, 2}, Row{511, 2, 2, 1}, Row{511, 3, 2, 2}}) {
    const Conv1dPlan plan = cut_row(row.columns, row.window, 512);
    EXPECT_EQ(plan.chunk, row.chunk) << row.window;
    EXPECT_EQ(plan.packs, row.packs) << row.window << ' ' << row.columns;
  }
}

TEST(ColumnPacking, slices_hold_as_many_rows_as_their_bytes_allow) {
  EXPECT_EQ(rows_per_slice(32, 4), 142);
  EXPECT_EQ(rows_per_slice(112, 4), 40);
  EXPECT_EQ(rows_per_slice(4550, 4), 1);
  EXPECT_EQ(rows_per_slice(4551, 4), 0);
  EXPECT_EQ(rows_per_slice(9100, 2), 1);
  EXPECT_EQ(rows_per_slice(9101, 2), 0);
}

TEST(ColumnPacking, the_two_block_layouts_keep_their_diagonals_apart) {
  constexpr std::int64_t tile_size = 5;
  constexpr std::int64_t area = 6;
  for (std::int64_t i = 0; i < tile_size; ++i) {
    // (o, area, n) and (n, o, area), each at n == o == i and pixel 0.
    EXPECT_EQ(f01b_diagonal(i, tile_size, area), i * area * tile_size + i);
    EXPECT_EQ(bf01_diagonal(i, tile_size, area), i * tile_size * area + i * area);
  }
}

}  // namespace
}  // namespace convproof
