#include "selector/frontends/aten.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "selector/frontends/direct_convolution.h"
#include "selector/op/tensor.h"

namespace convproof {
namespace {

AtenConvolution grouped_transposed() {  // row A8 of the sheet's worked translations
  return {.input = {1, 4, 5, 5},
          .weight = {4, 3, 3, 3},
          .stride = {2},
          .padding = {1},
          .dilation = {1},
          .output_padding = {1},
          .transposed = true,
          .groups = 2};
}

AtenConvolution strided() {  // row A1
  return {.input = {2, 33, 34, 41},
          .weight = {34, 33, 3, 3},
          .stride = {2, 3},
          .padding = {4, 5},
          .dilation = {1},
          .output_padding = {0}};
}

std::string text_of(const std::expected<ConvOp, Error>& op) {
  return op ? to_string(*op) : to_string(op.error());
}

TEST(Aten, the_worked_translations_come_out) {
  EXPECT_EQ(text_of(aten_forward(strided())),
            "f32[2,33,34,41] x f32[34,33,3,3] -> f32[2,34,20,17], bf01_oi01->bf01, stride=2x3, "
            "pad=4_4x5_5");
  EXPECT_EQ(text_of(aten_input_gradient(strided())),
            "f32[2,34,20,17] x f32[34,33,3,3] -> f32[2,33,34,41], bf01_io01->bf01, "
            "pad=-2_-1x-3_-3, lhs_dilate=2x3, rhs_reversal=1x1");
  EXPECT_EQ(text_of(aten_weight_gradient(strided())),
            "f32[2,33,34,41] x f32[2,34,20,17] -> f32[34,33,3,3], fb01_io01->fb01, pad=4_3x5_5, "
            "rhs_dilate=2x3");
  EXPECT_EQ(text_of(aten_forward(grouped_transposed())),
            "f32[1,4,5,5] x f32[2,6,3,3] -> f32[1,6,10,10], bf01_io01->bf01, pad=1_2x1_2, "
            "lhs_dilate=2x2, rhs_reversal=1x1, feature_group_count=2");
  EXPECT_EQ(text_of(aten_input_gradient(grouped_transposed())),
            "f32[1,6,10,10] x f32[4,3,3,3] -> f32[1,4,5,5], bf01_oi01->bf01, stride=2x2, "
            "pad=1_0x1_0, feature_group_count=2");
  EXPECT_EQ(text_of(aten_weight_gradient(grouped_transposed())),
            "f32[1,6,10,10] x f32[1,4,5,5] -> f32[4,3,3,3], fb01_io01->fb01, pad=1_0x1_0, "
            "rhs_dilate=2x2, batch_group_count=2");
}

TEST(Aten, what_eager_execution_refuses_is_refused) {
  const auto error = [](AtenConvolution conv, auto change) {
    change(conv);
    return text_of(aten_forward(conv));
  };
  const AtenConvolution plain{.input = {1, 4, 5, 5},
                              .weight = {6, 2, 3, 3},
                              .stride = {1},
                              .padding = {0},
                              .dilation = {1},
                              .output_padding = {0},
                              .groups = 2};
  EXPECT_TRUE(aten_forward(plain));
  EXPECT_EQ(error(plain, [](auto& c) { c.groups = 0; }),
            "groups = 0: must be between 1 and 2147483647");
  EXPECT_EQ(error(plain, [](auto& c) { c.groups = 4; }),
            "weight[0] = 6: must be a multiple of groups (4)");
  EXPECT_EQ(error(plain, [](auto& c) { c.groups = 1; }),
            "input[1] = 4: must be the 2 input channels of the weight");
  EXPECT_EQ(error(plain, [](auto& c) { c.bias = 5; }),
            "bias length = 5: must be the 6 output channels of the weight");
  EXPECT_EQ(error(plain, [](auto& c) { c.input = {4, 5, 5}; }),
            "input rank = 3: must be the weight's (4)");
  EXPECT_EQ(error(plain, [](auto& c) { c.stride = {1, 0}; }),
            "stride[1] = 0: must be between 1 and 2147483647");
  EXPECT_EQ(error(plain, [](auto& c) { c.padding = {0, 0, 0}; }),
            "padding length = 3: must be 1 or 2");
  EXPECT_EQ(error(plain, [](auto& c) { c.dilation = {3}; }),
            "input[2] padded = 5: must hold the dilated kernel (7)");
  EXPECT_EQ(error(plain, [](auto& c) { c.input[1] = 0; }),
            "input[1] = 0: must be between 1 and 2147483647");
  EXPECT_EQ(error(grouped_transposed(), [](auto& c) { c.output_padding = {2}; }),
            "output_padding[0] = 2: must be less than stride or dilation (2)");
  EXPECT_EQ(error(grouped_transposed(), [](auto& c) { c.padding = {7}; }),
            "output extent[0] = -2: must be at least 1");
  AtenConvolution padded = plain;
  padded.output_padding = {1};
  EXPECT_TRUE(aten_forward(padded));  // ignored there
  EXPECT_EQ(text_of(aten_input_gradient(padded)),
            "output_padding[0] = 1: must be 0 for a gradient that is not transposed");
  AtenConvolution empty = plain;
  empty.input[0] = 0;
  EXPECT_TRUE(aten_forward(empty));
}

TEST(Aten, extreme_arguments_do_not_overflow) {
  AtenConvolution conv{.input = {1, 1, max_extent},
                       .weight = {1, 1, max_extent},
                       .stride = {max_extent},
                       .padding = {max_extent},
                       .dilation = {max_extent},
                       .output_padding = {0},
                       .transposed = true};
  EXPECT_FALSE(aten_forward(conv));
  EXPECT_FALSE(aten_weight_gradient(conv));
  conv.transposed = false;
  EXPECT_FALSE(aten_forward(conv));
}

TEST(Aten, regrouping_exchanges_groups_and_rows) {
  EXPECT_EQ(regrouped_shape({4, 3, 2}, 2), (Shape{2, 6, 2}));
  // Rows 0..3 of two elements, two groups: each new row holds row a of group 0, then of group 1.
  const std::vector<double> rows{0, 1, 10, 11, 20, 21, 30, 31};
  EXPECT_EQ(regrouped(rows, {4, 2, 1}, 2), (std::vector<double>{0, 1, 20, 21, 10, 11, 30, 31}));
  EXPECT_EQ(regrouped(rows, {4, 2, 1}, 1), rows);
}

// The three products of a convolution, straight from the definition: every term input * weight *
// grad_output adds to each of them. Both directions have the same terms with the roles of the two
// images exchanged.
struct Products {
  std::vector<double> result, input_gradient, weight_gradient;
};

Products by_definition(const AtenConvolution& conv, const Shape& result_shape,
                       const std::vector<double>& input, const std::vector<double>& weight,
                       const std::vector<double>& gradient) {
  Products products{std::vector<double>(gradient.size()), std::vector<double>(input.size()),
                    std::vector<double>(weight.size())};
  // The strided side has the small extents: the result, or the input where transposed.
  const Shape& large = conv.transposed ? result_shape : conv.input;
  const Shape& small = conv.transposed ? conv.input : result_shape;
  const auto at = [](const Shape& shape, std::int64_t a, std::int64_t b, std::int64_t c,
                     std::int64_t d) {
    return static_cast<std::size_t>(((a * shape[1] + b) * shape[2] + c) * shape[3] + d);
  };
  const std::int64_t rows = conv.weight[0] / conv.groups;  // of small channels, in a group
  for (std::int64_t n = 0; n < small[0]; ++n) {
    for (std::int64_t s = 0; s < small[1]; ++s) {
      for (std::int64_t b = 0; b < conv.weight[1]; ++b) {
        const std::int64_t l = s / rows * conv.weight[1] + b;
        for (std::int64_t p = 0; p < small[2]; ++p) {
          for (std::int64_t q = 0; q < small[3]; ++q) {
            for (std::int64_t i = 0; i < conv.weight[2]; ++i) {
              for (std::int64_t j = 0; j < conv.weight[3]; ++j) {
                const std::int64_t y = p * conv.stride[0] - conv.padding[0] + i * conv.dilation[0];
                const std::int64_t x = q * conv.stride[1] - conv.padding[1] + j * conv.dilation[1];
                if (y < 0 || x < 0 || y >= large[2] || x >= large[3]) continue;
                const std::size_t in_small = at(small, n, s, p, q);
                const std::size_t in_large = at(large, n, l, y, x);
                const std::size_t in_weight = at(conv.weight, s, b, i, j);
                const std::size_t from = conv.transposed ? in_small : in_large;
                const std::size_t to = conv.transposed ? in_large : in_small;
                products.result[to] += input[from] * weight[in_weight];
                products.input_gradient[from] += gradient[to] * weight[in_weight];
                products.weight_gradient[in_weight] += gradient[to] * input[from];
              }
            }
          }
        }
      }
    }
  }
  return products;
}

// Small integers, so that every sum is exact in double.
TEST(Aten, the_translations_compute_the_definition) {
  std::mt19937 random(20240607);  // NOLINT: the same cases every time
  const auto draw = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  const auto fill = [&](const Shape& shape) {
    std::vector<double> values(static_cast<std::size_t>(element_count(shape)));
    for (double& value : values) value = static_cast<double>(draw(-4, 4));
    return values;
  };
  int checked = 0;
  int grouped = 0;
  for (int attempt = 0; attempt < 600; ++attempt) {
    AtenConvolution conv;
    conv.groups = draw(1, 3);
    conv.transposed = draw(0, 1) == 1;
    conv.weight = {conv.groups * draw(1, 2), draw(1, 2), draw(1, 3), draw(1, 3)};
    conv.input = {draw(1, 2), conv.transposed ? conv.weight[0] : conv.weight[1] * conv.groups,
                  draw(1, 6), draw(1, 6)};
    conv.stride = {draw(1, 3), draw(1, 3)};
    conv.padding = {draw(0, 2), draw(0, 2)};
    conv.dilation = {draw(1, 2), draw(1, 2)};
    conv.output_padding = {0, 0};
    if (conv.transposed) conv.output_padding = {draw(0, 1), draw(0, 1)};
    const auto shape = aten_output_shape(conv);
    if (!shape) continue;
    ++checked;
    grouped += conv.groups > 1 ? 1 : 0;
    const auto input = fill(conv.input);
    const auto weight = fill(conv.weight);
    const auto gradient = fill(*shape);
    const Products expected = by_definition(conv, *shape, input, weight, gradient);
    const auto against_weight = regrouped(weight, conv.weight, conv.groups);
    const auto forward = aten_forward(conv);
    const auto input_gradient = aten_input_gradient(conv);
    const auto weight_gradient = aten_weight_gradient(conv);
    ASSERT_TRUE(forward && input_gradient && weight_gradient);
    ASSERT_EQ(infer_result_shape(*forward), *shape);
    ASSERT_EQ(infer_result_shape(*input_gradient), conv.input);
    ASSERT_EQ(infer_result_shape(*weight_gradient), conv.weight);
    EXPECT_EQ(direct_convolution(*forward, input, conv.transposed ? against_weight : weight),
              expected.result)
        << to_string(*forward);
    EXPECT_EQ(
        direct_convolution(*input_gradient, gradient, conv.transposed ? weight : against_weight),
        expected.input_gradient)
        << to_string(*input_gradient);
    EXPECT_EQ(direct_convolution(*weight_gradient, conv.transposed ? gradient : input,
                                 conv.transposed ? input : gradient),
              expected.weight_gradient)
        << to_string(*weight_gradient);
  }
  EXPECT_GT(checked, 300);
  EXPECT_GT(grouped, 150);
}

}  // namespace
}  // namespace convproof
