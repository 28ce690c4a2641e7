#include "selector/kernels/depthwise_rows.h"

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "selector/kernels/kernel_test_problem.h"
#include "selector/kernels/layouts.h"

namespace convproof {
namespace {

using kernel_test::call_of;
using kernel_test::make_op;
using kernel_test::run;

DepthwiseHeight height_of(std::int64_t input, std::int64_t kernel, std::int64_t pad_low,
                          std::int64_t pad_high, std::int64_t lhs_dilation = 1) {
  return {.input = input,
          .kernel = kernel,
          .result = (input - 1) * lhs_dilation + 1 + pad_low + pad_high - kernel + 1,
          .pad_low = pad_low,
          .pad_high = pad_high,
          .lhs_dilation = lhs_dilation};
}

// What walking all windows shows.
struct Walk {
  bool misses_taps = false;       // some result row reads a buffer row without its image row
  bool scatters_past = false;     // some load goes beyond its buffer
  bool condition_holds = false;   // the design sheet's condition of the last-tile defect
  std::int64_t least_window = 1;  // the fewest result rows of a window
};

Walk walk(const DepthwiseHeight& height, std::int64_t tile_rows, bool mended) {
  Walk result;
  std::int64_t next = 0;
  while (next < height.result) {
    const RowWindow window = row_window_at(next, height, tile_rows, mended);
    if (next > height.result - height.pad_high &&
        height.result - next < height.input - std::max<std::int64_t>(0, next - height.pad_low)) {
      result.condition_holds = true;
    }
    if (window.scattered_rows(height.lhs_dilation) > window.span) result.scatters_past = true;
    for (std::int64_t row = 0; row < window.window + height.kernel - 1; ++row) {
      const std::int64_t dilated = window.row + row - height.pad_low;
      const bool has_image = dilated >= 0 && dilated % height.lhs_dilation == 0 &&
                             dilated / height.lhs_dilation < height.input;
      const std::int64_t loaded = row - window.first_row;
      const bool is_loaded = loaded >= 0 && loaded % height.lhs_dilation == 0 &&
                             loaded / height.lhs_dilation < window.load;
      if (has_image != is_loaded || (is_loaded && window.origin + loaded / height.lhs_dilation !=
                                                      dilated / height.lhs_dilation)) {
        result.misses_taps = true;
      }
    }
    result.least_window = std::min(result.least_window, window.window);
    next += std::max<std::int64_t>(1, window.window);
  }
  return result;
}

TEST(DepthwiseRows, budgets_follow_the_padded_width) {
  struct Row {
    std::int64_t height, width, kernel, pad, rows, tile_rows;
  };
  for (const Row& row :
       {Row{112, 112, 3, 1, 36, 35}, Row{224, 224, 5, 2, 18, 17}, Row{56, 56, 7, 3, 67, 56},
        Row{512, 512, 3, 1, 8, 7}, Row{8, 4096, 3, 1, 1, 3}}) {
    const RowBudget expected{.rows = row.rows, .tile_rows = row.tile_rows};
    EXPECT_EQ(
        row_budget(height_of(row.height, row.kernel, row.pad, row.pad), row.width + 2 * row.pad),
        expected)
        << row.height << 'x' << row.width;
  }
}

TEST(DepthwiseRows, documented_windows_miss_taps_exactly_under_the_condition) {
  int cases = 0;
  int defects = 0;
  for (std::int64_t input = 1; input <= 20; ++input) {
    for (std::int64_t kernel = 1; kernel <= 7; ++kernel) {
      for (std::int64_t low = 0; low <= 4; ++low) {
        for (std::int64_t high = 0; high <= 7; ++high) {
          const DepthwiseHeight height = height_of(input, kernel, low, high);
          if (height.result < 1) continue;
          for (std::int64_t rows = kernel; rows <= std::max(input, kernel); ++rows) {
            const Walk seen = walk(height, rows, false);
            ++cases;
            defects += seen.misses_taps ? 1 : 0;
            ASSERT_EQ(seen.misses_taps, seen.condition_holds)
                << input << ' ' << kernel << ' ' << low << ' ' << high << ' ' << rows;
            ASSERT_FALSE(seen.scatters_past);
            ASSERT_GE(seen.least_window, 1);
            if (kernel <= 3) {
              ASSERT_FALSE(seen.misses_taps);
            }
          }
        }
      }
    }
  }
  EXPECT_GT(cases, 20000);
  EXPECT_GT(defects, 100);
}

TEST(DepthwiseRows, mended_windows_load_what_they_need_for_any_dilation) {
  int cases = 0;
  for (std::int64_t dilation = 1; dilation <= 4; ++dilation) {
    for (std::int64_t input = 1; input <= 12; ++input) {
      for (std::int64_t kernel = 1; kernel <= 7; ++kernel) {
        for (std::int64_t low = 0; low <= 4; ++low) {
          for (std::int64_t high = 0; high <= 7; ++high) {
            const DepthwiseHeight height = height_of(input, kernel, low, high, dilation);
            if (height.result < 1) continue;
            for (std::int64_t rows = kernel; rows <= std::max(input, kernel); ++rows) {
              const Walk seen = walk(height, rows, true);
              ++cases;
              ASSERT_FALSE(seen.misses_taps || seen.scatters_past)
                  << dilation << ' ' << input << ' ' << kernel << ' ' << low << ' ' << high << ' '
                  << rows;
              ASSERT_GE(seen.least_window, 1);
            }
          }
        }
      }
    }
  }
  EXPECT_GT(cases, 50000);
}

TEST(DepthwiseRows, documented_windows_scatter_past_their_buffer_under_dilation) {
  int cases = 0;
  int past = 0;
  std::int64_t most = 0;
  for (std::int64_t dilation = 2; dilation <= 3; ++dilation) {
    for (std::int64_t input = 1; input <= 12; ++input) {
      for (std::int64_t kernel = 1; kernel <= 5; ++kernel) {
        for (std::int64_t low = 0; low <= 3; ++low) {
          for (std::int64_t rows = kernel; rows <= std::max(input, kernel); ++rows) {
            const DepthwiseHeight height = height_of(input, kernel, low, low, dilation);
            if (height.result < 1) continue;
            ++cases;
            past += walk(height, rows, false).scatters_past ? 1 : 0;
            for (std::int64_t next = 0; next < height.result;) {
              const RowWindow window = row_window_at(next, height, rows, false);
              most = std::max(most, window.scattered_rows(dilation) - window.span);
              next += std::max<std::int64_t>(1, window.window);
            }
          }
        }
      }
    }
  }
  EXPECT_GT(past, cases / 50);
  EXPECT_LT(past, cases / 2);
  EXPECT_EQ(most, 2);
}

std::vector<std::int64_t> failing_squares(std::int64_t kernel, std::int64_t low,
                                          std::int64_t high) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t size = 1; size <= 256; ++size) {
    const DepthwiseHeight height = height_of(size, kernel, low, high);
    const std::int64_t rows = row_budget(height, size + low + high).tile_rows;
    if (height.result >= 1 && walk(height, rows, false).misses_taps) sizes.push_back(size);
  }
  return sizes;
}

TEST(DepthwiseRows, square_sizes_that_fail_are_the_known_ones) {
  EXPECT_TRUE(failing_squares(3, 1, 1).empty());
  EXPECT_EQ(failing_squares(5, 2, 2),
            (std::vector<std::int64_t>{4, 5, 119, 163, 174, 190, 195, 213, 224, 243, 256}));
  const std::vector<std::int64_t> seven = failing_squares(7, 3, 3);
  EXPECT_EQ(seven.size(), 23U);
  for (const std::int64_t size : {5, 6, 7, 8, 100, 101, 136, 137, 156, 157, 180, 184}) {
    EXPECT_TRUE(std::ranges::binary_search(seven, size)) << size;
  }
  EXPECT_EQ(failing_squares(9, 4, 4).size(), 44U);
  EXPECT_EQ(failing_squares(11, 5, 5).size(), 77U);
  const std::vector<std::int64_t> four = failing_squares(4, 1, 2);
  for (const std::int64_t size : {3, 4, 146, 156, 210}) {
    EXPECT_TRUE(std::ranges::binary_search(four, size)) << size;
  }
}

// The whole kernel, not its bookkeeping alone.
TEST(Conv2dDepthwise, differs_from_the_convolution_exactly_where_windows_miss_taps) {
  Arena arena;
  std::mt19937_64 random(5);
  const kernel_test::Layouts layouts{image_layout::f01b, kernel_layout::o01i, image_layout::bf01};
  const auto check = [&](std::int64_t rows, std::int64_t columns, std::int64_t kernel,
                         std::int64_t low, std::int64_t high, bool expected_defect) {
    const ConvOp op =
        make_op(layouts, {1, 2, rows, columns}, 2, kernel, kernel,
                {.pad_low = low, .pad_high = high}, {.pad_low = low, .pad_high = high}, 2);
    if (element_count(op.res_shape) == 0) return;
    const auto operands = kernel_test::random_operands(op, random);
    const auto expected = kernel_test::direct_convolution(op, operands);
    const auto documented = run(kernel_test::depthwise, call_of(op), operands, arena);
    ASSERT_TRUE(documented.outcome);
    EXPECT_EQ(documented.result != expected, expected_defect)
        << rows << 'x' << columns << " kernel " << kernel << " pad " << low << ' ' << high;
    const auto mended =
        run(kernel_test::depthwise, call_of(op), operands, arena, {}, {.mend_last_tile = true});
    ASSERT_TRUE(mended.outcome);
    EXPECT_EQ(mended.result, expected);
  };
  for (std::int64_t size = 1; size <= 9; ++size) {
    for (std::int64_t kernel = 1; kernel <= 7; ++kernel) {
      for (std::int64_t low = 0; low <= 3; ++low) {
        for (std::int64_t high = 0; high <= 4; ++high) {
          const DepthwiseHeight height = height_of(size, kernel, low, high);
          if (height.result < 1) continue;
          const std::int64_t tile_rows = row_budget(height, size + low + high).tile_rows;
          check(size, size, kernel, low, high, walk(height, tile_rows, false).condition_holds);
        }
      }
    }
  }
  check(224, 224, 5, 2, 2, true);
  check(223, 223, 5, 2, 2, false);
  check(119, 119, 5, 2, 2, true);
  check(112, 112, 3, 1, 1, false);
}

TEST(Conv2dDepthwise, takes_any_dilation_of_the_width_as_documented) {
  Arena arena;
  std::mt19937_64 random(6);
  const kernel_test::Layouts layouts{image_layout::f01b, kernel_layout::o01i, image_layout::bf01};
  int ran = 0;
  for (std::int64_t dilation = 1; dilation <= 4; ++dilation) {
    for (std::int64_t size = 1; size <= 6; ++size) {
      for (std::int64_t pad = 0; pad <= 2; ++pad) {
        const ConvOp op =
            make_op(layouts, {2, 3, size, size}, 3, 3, 3, {.pad_low = pad, .pad_high = pad},
                    {.pad_low = pad, .pad_high = 2, .lhs_dilation = dilation}, 3);
        if (element_count(op.res_shape) == 0) continue;
        const auto operands = kernel_test::random_operands(op, random);
        const auto answer = run(kernel_test::depthwise, call_of(op), operands, arena);
        ASSERT_TRUE(answer.outcome);
        EXPECT_EQ(answer.result, kernel_test::direct_convolution(op, operands));
        ++ran;
      }
    }
  }
  EXPECT_GT(ran, 40);
}

TEST(Conv2dDepthwise, reports_a_scatter_past_its_buffer) {
  Arena arena;
  std::mt19937_64 random(7);
  const kernel_test::Layouts layouts{image_layout::f01b, kernel_layout::o01i, image_layout::bf01};
  // Wide padding, so that a row buffer holds few rows.
  int reported = 0;
  for (std::int64_t size = 1; size <= 8; ++size) {
    for (std::int64_t kernel = 1; kernel <= 5; ++kernel) {
      for (std::int64_t pad = 0; pad <= 3; ++pad) {
        const ConvOp op = make_op(layouts, {1, 1, size, 1}, 1, kernel, 1,
                                  {.pad_low = pad, .pad_high = pad, .lhs_dilation = 2},
                                  {.pad_low = 1000, .pad_high = 1000});
        if (element_count(op.res_shape) == 0) continue;
        const DepthwiseHeight height = height_of(size, kernel, pad, pad, 2);
        const bool past = walk(height, row_budget(height, 2001).tile_rows, false).scatters_past;
        const auto operands = kernel_test::random_operands(op, random);
        const auto answer = run(kernel_test::depthwise, call_of(op), operands, arena);
        EXPECT_EQ(!answer.outcome, past) << size << ' ' << kernel << ' ' << pad;
        if (past) {
          ++reported;
          EXPECT_EQ(answer.outcome.error().fault, KernelFault::device_limit);
        }
      }
    }
  }
  EXPECT_GT(reported, 3);
}

}  // namespace
}  // namespace convproof
