#include "selector/op/dim_labels.h"

#include <array>
#include <string_view>

#include <gtest/gtest.h>

namespace convproof {
namespace {

// Design sheet of the Neuron table, section A.3.
TEST(DimLabels, spell_the_worked_perms_both_ways) {
  struct Row {
    std::string_view labels;
    LabelRole role;
    Perm perm, inverse;
  };
  constexpr auto image = LabelRole::image;
  constexpr auto kernel = LabelRole::kernel;
  const std::array rows{
      Row{"bf01", image, {0, 1, 2, 3}, {0, 1, 2, 3}},
      Row{"fb01", image, {1, 0, 2, 3}, {1, 0, 2, 3}},
      Row{"f01b", image, {3, 0, 1, 2}, {1, 2, 3, 0}},
      Row{"b01f", image, {0, 3, 1, 2}, {0, 2, 3, 1}},
      Row{"fb10", image, {1, 0, 3, 2}, {1, 0, 3, 2}},
      Row{"0f1b", image, {3, 1, 0, 2}, {2, 1, 3, 0}},
      Row{"01bf", image, {2, 3, 0, 1}, {2, 3, 0, 1}},
      Row{"01fb", image, {3, 2, 0, 1}, {2, 3, 1, 0}},
      Row{"oi01", kernel, {0, 1, 2, 3}, {0, 1, 2, 3}},
      Row{"io01", kernel, {1, 0, 2, 3}, {1, 0, 2, 3}},
      Row{"o01i", kernel, {0, 3, 1, 2}, {0, 2, 3, 1}},
      Row{"i01o", kernel, {3, 0, 1, 2}, {1, 2, 3, 0}},
      Row{"io10", kernel, {1, 0, 3, 2}, {1, 0, 3, 2}},
      Row{"0i1o", kernel, {3, 1, 0, 2}, {2, 1, 3, 0}},
      Row{"01io", kernel, {3, 2, 0, 1}, {2, 3, 1, 0}},
      Row{"01oi", kernel, {2, 3, 0, 1}, {2, 3, 0, 1}},
  };
  for (const Row& row : rows) {
    const auto perm = parse_labels(row.labels, row.role);
    ASSERT_TRUE(perm) << row.labels;
    EXPECT_EQ(*perm, row.perm) << row.labels;
    EXPECT_EQ(invert(*perm), row.inverse) << row.labels;
    EXPECT_EQ(format_labels(*perm, row.role), row.labels);
  }
}

// The one layout whose gather and scatter spellings differ and both occur in the sources.
TEST(DimLabels, f01b_and_its_scatter_spelling_are_inverse) {
  EXPECT_EQ(invert(Perm{1, 2, 3, 0}), (Perm{3, 0, 1, 2}));
  const Perm involution = *parse_labels("01bf", LabelRole::image);
  EXPECT_EQ(invert(involution), involution);
}

TEST(DimLabels, read_whole_dimension_numbers) {
  const auto numbers = parse_dim_labels("b01f_01io->b01f");
  ASSERT_TRUE(numbers);
  EXPECT_EQ(format_dim_labels(*numbers), "b01f_01io->b01f");
  EXPECT_TRUE(parse_dim_labels("bf_io->bf"));
  EXPECT_TRUE(parse_dim_labels("012bf_i012o->f012b"));
}

TEST(DimLabels, name_what_is_wrong) {
  const auto rule = [](std::string_view text) {
    const auto numbers = parse_dim_labels(text);
    return numbers ? std::string() : to_string(numbers.error());
  };
  EXPECT_EQ(rule("b01f_01io"),
            "dim_labels = b01f_01io: must have the form INPUT_KERNEL->OUTPUT, as b01f_01io->b01f");
  EXPECT_EQ(rule("b01c_01io->b01f"),
            "dim_labels = b01c: 'c' is not one of b, f and the spatial dimensions 0 to 1");
  EXPECT_EQ(rule("b02f_01io->b01f"),
            "dim_labels = b02f: '2' is not one of b, f and the spatial dimensions 0 to 1");
  EXPECT_EQ(rule("b00f_01io->b01f"), "dim_labels = b00f: '0' occurs twice");
  EXPECT_EQ(
      rule("b0f_01io->b01f"),
      "dim_labels = b0f_01io->b01f: the three groups must name the same number of dimensions");
  EXPECT_EQ(rule("0123bf_i0123o->f0123b"),
            "dim_labels = 0123bf: must name b, f and at most 3 spatial dimensions");
}

}  // namespace
}  // namespace convproof
