#include "oracle/compare.h"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "oracle/convolution.h"
#include "oracle/random.h"
#include "oracle/tensor.h"
#include "selector/op/dim_labels.h"

namespace convproof::oracle {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

// A 1x1 convolution; the result is stored (0, 1, b, f) with shape (2, 3, 2, 2).
ConvOp pointwise(std::int64_t features = 1) {
  const DimNumbers numbers = *parse_dim_labels("bf01_oi01->01bf");
  ConvOp op{.in_shape = {2, features, 2, 3},
            .kern_shape = {2, features, 1, 1},
            .in_perm = numbers.in,
            .kern_perm = numbers.kern,
            .out_perm = numbers.out,
            .window = {WindowDim{}, WindowDim{}}};
  op.res_shape = infer_result_shape(op);
  return op;
}

TEST(ResultElement, names_every_place_in_storage_once) {
  const ConvOp op = pointwise();
  for (std::int64_t index = 0; index < element_count(op.res_shape); ++index) {
    EXPECT_EQ(storage_index(op, result_element(op, index)), index);
  }
  EXPECT_EQ(to_string(result_element(op, 5)), "n=0 o=1 y=0 x=1");
}

TEST(CompareExact, names_the_logically_first_difference) {
  const ConvOp op = pointwise();
  auto expected = zeros<std::int64_t>(op.res_shape);
  auto actual = expected;
  actual.elements[1] = 7;   // n=0 o=1 y=0 x=0
  actual.elements[20] = 8;  // n=0 o=0 y=1 x=2: later in storage, earlier by name
  const auto difference = compare_exact(op, expected.view(), actual.view());
  ASSERT_TRUE(difference);
  EXPECT_EQ(to_string(*difference),
            "2 of 24 elements differ, first n=0 o=0 y=1 x=2: expected 0, got 8");
}

TEST(CompareExact, equal_results_have_no_difference) {
  const ConvOp op = pointwise();
  const auto result = zeros<Field61>(op.res_shape);
  EXPECT_EQ(compare_exact(op, result.view(), result.view()), std::nullopt);
}

TEST(CompareExact, zeros_have_no_sign_and_nan_is_itself_only) {
  const ConvOp op = pointwise();
  auto expected = zeros<double>(op.res_shape);
  auto actual = expected;
  expected.elements[0] = -0.0;
  expected.elements[1] = actual.elements[1] = nan;
  EXPECT_FALSE(compare_exact(op, expected.view(), actual.view()));
  actual.elements[1] = 0;
  EXPECT_EQ(compare_exact(op, expected.view(), actual.view())->expected, "NaN");
  actual.elements[1] = nan;
  actual.elements[0] = infinity;
  EXPECT_EQ(compare_exact(op, expected.view(), actual.view())->actual, "inf");
}

TEST(CompareExact, the_last_bit_of_a_float_counts) {
  const ConvOp op = pointwise();
  auto expected = zeros<float>(op.res_shape);
  expected.elements[3] = 1;
  auto actual = expected;
  actual.elements[3] = std::nextafter(1.0F, 2.0F);
  EXPECT_TRUE(compare_exact(op, expected.view(), actual.view()));
}

struct RealCase {
  ConvOp op = pointwise(50);
  Tensor<double> image = zeros<double>(op.in_shape);
  Tensor<double> kernel = zeros<double>(op.kern_shape);
  Tensor<double> result = zeros<double>(op.res_shape);
};

// Operands in [-1, 1) that float holds, and the result as a float program makes it.
RealCase float_case() {
  RealCase real;
  SplitMix64 random(11);
  for (auto* tensor : {&real.image, &real.kernel}) {
    for (double& element : tensor->elements) {
      element = static_cast<double>(random.between(-(1 << 23), (1 << 23) - 1)) / (1 << 23);
    }
  }
  const std::vector<float> image(real.image.elements.begin(), real.image.elements.end());
  const std::vector<float> kernel(real.kernel.elements.begin(), real.kernel.elements.end());
  std::vector<float> result(real.result.elements.size());
  convolve<float>(real.op, {image, real.op.in_shape}, {kernel, real.op.kern_shape},
                  {result, real.op.res_shape});
  real.result.elements.assign(result.begin(), result.end());
  return real;
}

std::optional<Difference> judge(const RealCase& real, const RoundedBound& model) {
  return compare_rounded(real.op, real.image.view(), real.kernel.view(), real.result.view(), model);
}

TEST(CompareRounded, a_float_result_is_within_the_float_bound_and_not_the_double_one) {
  const RealCase real = float_case();
  EXPECT_FALSE(judge(real, {ElementType::f32, ElementType::f32}));
  EXPECT_TRUE(judge(real, {ElementType::f64, ElementType::f64}));
  EXPECT_FALSE(judge(real, rounded_bound(real.op)));
}

TEST(CompareRounded, the_bound_is_tight_enough_to_see_one_lost_term) {
  RealCase real = float_case();
  real.result.elements[7] -= real.image.elements[0] * real.kernel.elements[0];
  const auto difference = judge(real, {});
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->differing, 1);
  ASSERT_TRUE(difference->allowed);
  EXPECT_LT(*difference->allowed, 1e-3);
  EXPECT_GT(*difference->allowed, 0);
}

TEST(CompareRounded, elements_that_meet_no_image_are_exactly_zero) {
  RealCase real;
  real.op.window[0].pad_low = 5;
  real.op.window[0].pad_high = -2;  // positions 0 to 4: all padding
  real.op.res_shape = infer_result_shape(real.op);
  real.result = zeros<double>(real.op.res_shape);
  EXPECT_FALSE(judge(real, {}));
  real.result.elements[0] = 1e-30;
  EXPECT_TRUE(judge(real, {}));
}

TEST(CompareRounded, nan_and_infinity_must_match) {
  RealCase real = float_case();
  real.result.elements[0] = nan;
  EXPECT_EQ(judge(real, {})->actual, "NaN");
  real = float_case();
  real.image.elements[0] = infinity;
  EXPECT_TRUE(judge(real, {}));  // the result is finite where infinity is due
  real = float_case();
  real.result.elements[0] = infinity;
  EXPECT_EQ(judge(real, {})->actual, "inf");
}

TEST(CompareRounded, a_sum_past_the_largest_value_may_come_out_infinite) {
  RealCase real;
  for (double& element : real.image.elements) element = 300;
  for (double& element : real.kernel.elements) element = 300;
  for (double& element : real.result.elements) element = infinity;
  EXPECT_FALSE(judge(real, {ElementType::f16, ElementType::f16}));
  EXPECT_TRUE(judge(real, {ElementType::f32, ElementType::f32}));
}

}  // namespace
}  // namespace convproof::oracle
