// The worked translations of the design sheet of Inductor's convolution lowering, section A.6.
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "selector/frontends/aten.h"
#include "selector/op/conv_op.h"

namespace convproof {
namespace {

struct Worked {
  std::string_view id{};
  AtenConvolution arguments{};
  Shape result{};
  std::string_view forward{};
  std::string_view input_gradient{};
  std::string_view weight_gradient{};
};

// In the sheet's notation: size, stride, padding, lhs and rhs dilation and reversal of each
// dimension, then the group counts; what is neutral is left out.
std::string window_text(const std::expected<ConvOp, Error>& op) {
  if (!op) return to_string(op.error());
  const LogicalSizes sizes = logical_sizes(*op);
  std::string text;
  const auto field = [&](std::string_view name, std::int64_t value) {
    text.append(name).append(std::to_string(value));
  };
  for (std::size_t axis = 0; axis < op->window.size(); ++axis) {
    const WindowDim& window = op->window[axis];
    field(axis == 0 ? "k" : "; k", sizes.kernel[axis]);
    if (window.stride != 1) field(" s", window.stride);
    field(" ", window.pad_low);
    field("/", window.pad_high);
    if (window.lhs_dilation != 1) field(" ld", window.lhs_dilation);
    if (window.rhs_dilation != 1) field(" rd", window.rhs_dilation);
    if (window.reversal) text.append(" rev");
  }
  if (op->feature_group_count != 1) field(" fgc", op->feature_group_count);
  if (op->batch_group_count != 1) field(" bgc", op->batch_group_count);
  return text;
}

AtenConvolution arguments(const Shape& input, const Shape& weight, const SpatialList& stride,
                          const SpatialList& padding, const SpatialList& dilation,
                          std::int64_t groups = 1) {
  return {.input = input,
          .weight = weight,
          .stride = stride,
          .padding = padding,
          .dilation = dilation,
          .output_padding = {0},
          .groups = groups};
}

AtenConvolution transposed(AtenConvolution conv, std::int64_t output_padding) {
  conv.transposed = true;
  conv.output_padding = {output_padding};
  return conv;
}

std::vector<Worked> worked() {
  return {
      {"A1",
       arguments({2, 33, 34, 41}, {34, 33, 3, 3}, {2, 3}, {4, 5}, {1}),
       {2, 34, 20, 17},
       "k3 s2 4/4; k3 s3 5/5",
       "k3 -2/-1 ld2 rev; k3 -3/-3 ld3 rev",
       "k20 4/3 rd2; k17 5/5 rd3"},
      {"A2",
       arguments({1, 3, 224, 224}, {64, 3, 7, 7}, {2}, {3}, {1}),
       {1, 64, 112, 112},
       "k7 s2 3/3; k7 s2 3/3",
       "k7 3/4 ld2 rev; k7 3/4 ld2 rev",
       "k112 3/2 rd2; k112 3/2 rd2"},
      {"A3",
       arguments({1, 4, 8, 8}, {4, 4, 3, 3}, {3}, {0}, {1}),
       {1, 4, 2, 2},
       "k3 s3 0/0; k3 s3 0/0",
       "k3 2/4 ld3 rev; k3 2/4 ld3 rev",
       "k2 0/-2 rd3; k2 0/-2 rd3"},
      {"A4",
       arguments({1, 6, 5, 5}, {4, 3, 1, 1}, {1}, {2}, {1}, 2),
       {1, 4, 9, 9},
       "k1 2/2; k1 2/2 fgc2",
       "k1 -2/-2 rev; k1 -2/-2 rev fgc2",
       "k9 2/2; k9 2/2 bgc2"},
      {"A5",
       arguments({2, 8, 9, 7}, {8, 8, 3, 2}, {1, 2}, {2, 1}, {2, 3}),
       {2, 8, 9, 3},
       "k3 2/2 rd2; k2 s2 1/1 rd3",
       "k3 2/2 rd2 rev; k2 2/3 ld2 rd3 rev",
       "k9 s2 2/2; k3 s3 1/0 rd2"},
      {"A6",
       arguments({3, 5, 10}, {5, 1, 4}, {2}, {3}, {1}, 5),
       {3, 5, 7},
       "k4 s2 3/3 fgc5",
       "k4 0/0 ld2 rev fgc5",
       "k7 3/3 rd2 bgc5"},
      {"A7",
       arguments({1, 2, 3, 4, 5}, {3, 2, 2, 2, 3}, {1, 2, 1}, {0, 1, 1}, {1, 1, 2}),
       {1, 3, 2, 3, 3},
       "k2 0/0; k2 s2 1/1; k3 1/1 rd2",
       "k2 1/1 rev; k2 0/0 ld2 rev; k3 3/3 rd2 rev",
       "k2 0/0; k3 1/1 rd2; k3 s2 1/1"},
      {"A8",
       transposed(arguments({1, 4, 5, 5}, {4, 3, 3, 3}, {2}, {1}, {1}, 2), 1),
       {1, 6, 10, 10},
       "k3 1/2 ld2 rev; k3 1/2 ld2 rev fgc2",
       "k3 s2 1/0; k3 s2 1/0 fgc2",
       "k5 1/0 rd2; k5 1/0 rd2 bgc2"},
      {"A9",
       transposed(arguments({1, 4, 5, 5}, {4, 2, 3, 3}, {1}, {0}, {2}), 1),
       {1, 2, 10, 10},
       "k3 4/5 rd2 rev; k3 4/5 rd2 rev",
       "k3 0/-1 rd2; k3 0/-1 rd2",
       "k5 s2 0/-1; k5 s2 0/-1"},
      {"A10",
       transposed(arguments({1, 2, 6}, {2, 2, 2}, {2}, {3}, {1}), 0),
       {1, 2, 6},
       "k2 -2/-2 ld2 rev",
       "k2 s2 3/3",
       "k6 3/3 rd2"},
      {"A11",
       transposed(arguments({2, 64, 128, 256}, {64, 128, 3, 5}, {1}, {0}, {1}), 0),
       {2, 128, 130, 260},
       "k3 2/2 rev; k5 4/4 rev",
       "k3 0/0; k5 0/0",
       "k128 0/0; k256 0/0"},
      {"A12",
       arguments({1, 1, 16, 16}, {1, 1, 1, 1}, {1}, {1}, {2}),
       {1, 1, 18, 18},
       "k1 1/1 rd2; k1 1/1 rd2",
       "k1 -1/-1 rd2 rev; k1 -1/-1 rd2 rev",
       "k18 s2 1/1; k18 s2 1/1"},
  };
}

TEST(AtenTranslations, the_worked_examples_come_out) {
  for (const Worked& example : worked()) {
    EXPECT_EQ(aten_output_shape(example.arguments).value(), example.result) << example.id;
    EXPECT_EQ(window_text(aten_forward(example.arguments)), example.forward) << example.id;
    EXPECT_EQ(window_text(aten_input_gradient(example.arguments)), example.input_gradient)
        << example.id;
    EXPECT_EQ(window_text(aten_weight_gradient(example.arguments)), example.weight_gradient)
        << example.id;
  }
}

}  // namespace
}  // namespace convproof
