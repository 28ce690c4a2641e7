#include "selector/op/perm.h"

#include <algorithm>
#include <array>
#include <string_view>

#include <gtest/gtest.h>

#include "selector/op/dim_labels.h"

namespace convproof {
namespace {

Perm image(std::string_view labels) { return *parse_labels(labels, LabelRole::image); }
Perm kernel(std::string_view labels) { return *parse_labels(labels, LabelRole::kernel); }

// Design sheet of the Neuron table, section F, examples 1 to 13.
TEST(Bridges, follow_the_worked_examples) {
  struct Example {
    Perm current, target, input, output;
  };
  const std::array examples{
      Example{image("bf01"), image("fb01"), {1, 0, 2, 3}, {1, 0, 2, 3}},
      Example{image("bf01"), image("f01b"), {1, 2, 3, 0}, {3, 0, 1, 2}},
      Example{image("b01f"), image("f01b"), {3, 1, 2, 0}, {3, 1, 2, 0}},
      Example{image("f01b"), image("fb01"), {0, 3, 1, 2}, {0, 2, 3, 1}},
      Example{image("b01f"), image("bf01"), {0, 3, 1, 2}, {0, 2, 3, 1}},
      Example{image("01bf"), image("bf01"), {2, 3, 0, 1}, {2, 3, 0, 1}},
      Example{image("fb10"), image("f01b"), {0, 3, 2, 1}, {0, 3, 2, 1}},
      Example{image("0f1b"), image("fb01"), {1, 3, 0, 2}, {2, 0, 3, 1}},
      Example{kernel("oi01"), kernel("io01"), {1, 0, 2, 3}, {1, 0, 2, 3}},
      Example{kernel("oi01"), kernel("o01i"), {0, 2, 3, 1}, {0, 3, 1, 2}},
      Example{kernel("01io"), kernel("o01i"), {3, 0, 1, 2}, {1, 2, 3, 0}},
      Example{kernel("i01o"), kernel("io01"), {0, 3, 1, 2}, {0, 2, 3, 1}},
      Example{kernel("01oi"), kernel("io10"), {3, 2, 1, 0}, {3, 2, 1, 0}},
  };
  for (const Example& example : examples) {
    EXPECT_EQ(input_bridge(example.current, example.target), example.input);
    EXPECT_EQ(output_bridge(example.current, example.target), example.output);
  }
}

// The formula as the source prints it, kept to pin where it parts from the right one: it agrees on
// 120 of the 576 pairs of permutations of four axes, among them every pair of the common layouts.
TEST(Bridges, the_printed_formula_is_right_on_120_of_576_pairs) {
  const auto printed_bridge = [](const Perm& current, const Perm& target) {
    return compose(invert(current), target);
  };
  int agree = 0;
  std::array<std::int64_t, 4> a{0, 1, 2, 3};
  do {
    std::array<std::int64_t, 4> b{0, 1, 2, 3};
    do {
      const Perm current{std::span<const std::int64_t>(a)};
      const Perm target{std::span<const std::int64_t>(b)};
      agree += printed_bridge(current, target) == input_bridge(current, target) ? 1 : 0;
    } while (std::ranges::next_permutation(b).found);
  } while (std::ranges::next_permutation(a).found);
  EXPECT_EQ(agree, 120);
  for (const auto a_label : {"bf01", "fb01", "fb10", "01bf"}) {
    for (const auto b_label : {"bf01", "fb01", "fb10", "01bf"}) {
      EXPECT_EQ(printed_bridge(image(a_label), image(b_label)),
                input_bridge(image(a_label), image(b_label)));
    }
  }
  EXPECT_NE(printed_bridge(image("bf01"), image("f01b")),
            input_bridge(image("bf01"), image("f01b")));
}

TEST(Bridges, move_the_extents_of_a_depthwise_operand) {
  const Shape stored{1, 96, 56, 56};
  EXPECT_EQ(apply_dims(stored, input_bridge(image("bf01"), image("f01b"))), (Shape{96, 56, 56, 1}));
  EXPECT_EQ(apply_dims(Shape{96, 1, 3, 3}, input_bridge(kernel("oi01"), kernel("o01i"))),
            (Shape{96, 3, 3, 1}));
}

TEST(Perm, rejects_what_is_no_permutation) {
  EXPECT_TRUE(is_permutation(Perm{2, 0, 1}));
  EXPECT_FALSE(is_permutation(Perm{0, 0, 1}));
  EXPECT_FALSE(is_permutation(Perm{0, 3, 1}));
  EXPECT_FALSE(is_permutation(Perm{-1, 0, 1}));
}

}  // namespace
}  // namespace convproof
