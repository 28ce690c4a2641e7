#include "selector/frontends/padded_convolution.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "selector/frontends/aten.h"
#include "selector/frontends/direct_convolution.h"
#include "selector/op/tensor.h"

namespace convproof {
namespace {

std::vector<double> numbers(std::mt19937_64& random, const Shape& shape) {
  std::vector<double> values(static_cast<std::size_t>(element_count(shape)));
  for (double& value : values) value = static_cast<double>(random() % 19) - 9;
  return values;
}

double inner(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

PaddedConvolution arbitrary(std::mt19937_64& random) {
  const auto draw = [&](std::int64_t least, std::int64_t most) {
    return least +
           static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(most - least + 1));
  };
  PaddedConvolution conv{.transposed = draw(0, 1) == 1, .groups = draw(1, 3)};
  const std::int64_t inputs = draw(1, 2);
  const std::int64_t outputs = draw(1, 2);
  conv.input = {draw(1, 2), inputs * conv.groups};
  conv.weight =
      conv.transposed ? Shape{inputs * conv.groups, outputs} : Shape{outputs * conv.groups, inputs};
  for (std::int64_t dims = draw(1, 3); dims > 0; --dims) {
    conv.input.push_back(draw(1, 6));
    conv.weight.push_back(draw(1, 3));
    conv.stride.push_back(draw(1, 3));
    conv.dilation.push_back(draw(1, 2));
    conv.pad_low.push_back(draw(-2, 4));
    conv.pad_high.push_back(draw(-2, 4));
  }
  return conv;
}

// A bilinear map, its two gradients and the inner product belong together; the plain form is the
// window's own definition, so that the forms that run against the weight are right as well.
TEST(PaddedConvolution, gradients_are_adjoint_to_the_result) {
  std::mt19937_64 random(1);
  int valid = 0;
  int uneven = 0;
  while (valid < 400) {
    const PaddedConvolution conv = arbitrary(random);
    const auto result = padded_output_shape(conv);
    if (!result) {
      EXPECT_FALSE(padded_forward(conv));
      continue;
    }
    ++valid;
    uneven += conv.pad_low != conv.pad_high ? 1 : 0;
    const auto forward = padded_forward(conv);
    const auto input_gradient = padded_input_gradient(conv);
    const auto weight_gradient = padded_weight_gradient(conv);
    ASSERT_TRUE(forward && input_gradient && weight_gradient);
    const auto x = numbers(random, conv.input);
    const auto w = numbers(random, conv.weight);
    const auto dy = numbers(random, *result);
    const auto turned = regrouped(w, conv.weight, conv.groups);
    const auto y = direct_convolution(*forward, x, conv.transposed ? turned : w);
    const auto dx = direct_convolution(*input_gradient, dy, conv.transposed ? w : turned);
    const auto dw = conv.transposed ? direct_convolution(*weight_gradient, dy, x)
                                    : direct_convolution(*weight_gradient, x, dy);
    EXPECT_EQ(inner(y, dy), inner(dx, x)) << *input_gradient;
    EXPECT_EQ(inner(y, dy), inner(dw, w)) << *weight_gradient;
  }
  EXPECT_GT(uneven, 200);
}

TEST(PaddedConvolution, a_call_of_aten_computes_the_same) {
  std::mt19937_64 random(2);
  int plain = 0;
  int transposed = 0;
  for (int i = 0; i < 20000; ++i) {
    const PaddedConvolution conv = arbitrary(random);
    const auto aten = as_aten(conv);
    if (!aten) continue;
    const auto ours = padded_forward(conv);
    const auto theirs = aten_forward(*aten);
    ASSERT_TRUE(ours && theirs);
    ++(conv.transposed ? transposed : plain);
    if (i % 20 != 0) continue;
    const auto x = numbers(random, conv.input);
    const auto w = numbers(random, ours->kern_shape);
    EXPECT_EQ(direct_convolution(*ours, x, w), direct_convolution(*theirs, x, w)) << *ours;
    EXPECT_EQ(padded_input_gradient(conv), aten_input_gradient(*aten));
    EXPECT_EQ(padded_weight_gradient(conv), aten_weight_gradient(*aten));
  }
  EXPECT_GT(plain, 500);
  EXPECT_GT(transposed, 500);
}

TEST(PaddedConvolution, padding_that_no_symmetric_one_replaces_has_no_call) {
  PaddedConvolution conv{.input = {1, 1, 8},
                         .weight = {1, 1, 3},
                         .stride = {1},
                         .pad_low = {1},
                         .pad_high = {0},
                         .dilation = {1}};
  EXPECT_FALSE(as_aten(conv));
  conv.stride = {2};
  EXPECT_TRUE(as_aten(conv));
  conv.pad_low = {-1};
  EXPECT_FALSE(as_aten(conv));
  // One more element at the far side is an output padding of 1, which a stride of 1 forbids.
  conv = {.input = {1, 1, 8},
          .weight = {1, 1, 3},
          .stride = {1},
          .pad_low = {1},
          .pad_high = {0},
          .dilation = {1},
          .transposed = true};
  EXPECT_FALSE(as_aten(conv));
  conv.stride = {2};
  const auto aten = as_aten(conv);
  ASSERT_TRUE(aten);
  EXPECT_EQ(aten->output_padding, (SpatialList{1}));
}

TEST(PaddedConvolution, lists_are_checked_before_they_are_used) {
  PaddedConvolution conv{.input = {1, 1, 8},
                         .weight = {1, 1, 3},
                         .stride = {1},
                         .pad_low = {0},
                         .pad_high = {0},
                         .dilation = {1}};
  const auto failure = [&] {
    const auto shape = padded_output_shape(conv);
    return shape ? "valid" : to_string(shape.error());
  };
  EXPECT_EQ(failure(), "valid");
  conv.pad_high = {};
  EXPECT_EQ(failure(), "pad_high length = 0: must be 1");
  conv.pad_high = {-max_extent - 1};
  EXPECT_EQ(failure(), "pad_high[0] = -2147483648: must be between -2147483647 and 2147483647");
  conv.pad_high = {-8};
  EXPECT_EQ(failure(), "input[2] padded = 0: must hold the dilated kernel (3)");
}

}  // namespace
}  // namespace convproof
