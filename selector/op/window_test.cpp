#include "selector/op/window.h"

#include <gtest/gtest.h>

namespace convproof {
namespace {

TEST(Window, counts_its_positions) {
  EXPECT_EQ(output_extent(28, 3, {.pad_low = 1, .pad_high = 1}), 28);
  EXPECT_EQ(output_extent(224, 7, {.stride = 2, .pad_low = 3, .pad_high = 3}), 112);
  EXPECT_EQ(output_extent(136, 3, {.stride = 2, .rhs_dilation = 3}), 65);
  EXPECT_EQ(output_extent(14, 3, {.pad_low = 1, .pad_high = 2, .lhs_dilation = 2}), 28);
}

TEST(Window, crops_with_negative_padding) {
  EXPECT_EQ(output_extent(6, 1, {.pad_low = -5, .pad_high = 1}), 2);
  EXPECT_EQ(padded_extent(3, {.pad_low = -5, .pad_high = 1}), -1);
}

TEST(Window, a_window_wider_than_its_input_has_no_positions) {
  EXPECT_EQ(output_extent(2, 3, {}), 0);
  EXPECT_EQ(output_extent(9, 10, {.stride = 4}), 0);
}

}  // namespace
}  // namespace convproof
