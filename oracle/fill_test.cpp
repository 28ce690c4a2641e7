#include "oracle/fill.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include <gtest/gtest.h>

#include "oracle/convolution.h"
#include "oracle/number_format.h"
#include "oracle/tensor.h"

namespace convproof::oracle {
namespace {

ConvOp dense(ElementType type, std::int64_t features, std::int64_t window) {
  ConvOp op{.element_type = type,
            .result_element_type = type,
            .in_shape = {1, features, window + 1},
            .kern_shape = {2, features, window},
            .window = {WindowDim{}}};
  op.in_perm = op.kern_perm = op.out_perm = identity_perm(3);
  op.res_shape = infer_result_shape(op);
  return op;
}

TEST(ExactRange, is_as_wide_as_the_mantissa_allows) {
  // 16 terms of at most 1024 * 1024 reach 2^24.
  EXPECT_EQ(exact_range(dense(ElementType::f32, 4, 4)),
            (ExactRange{.low = -1024, .high = 1024, .kernel_terms = 16, .terms = 16}));
  // 4 terms of at most 8 * 8 reach 2^8.
  EXPECT_EQ(exact_range(dense(ElementType::bf16, 2, 2)).high, 8);
  EXPECT_EQ(exact_range(dense(ElementType::u8, 1, 2)).low, 0);
}

TEST(ExactRange, many_terms_make_the_kernel_sparse) {
  EXPECT_EQ(exact_range(dense(ElementType::bf16, 100, 3)),
            (ExactRange{.low = -1, .high = 1, .kernel_terms = 256, .terms = 300}));
}

TEST(ExactRange, a_wider_result_type_bounds_the_sum) {
  ConvOp op = dense(ElementType::s8, 4, 4);
  op.result_element_type = ElementType::s32;
  EXPECT_EQ(exact_range(op).high, 127);
}

// The sum of all magnitudes bounds every partial sum in any order.
TEST(FillExact, no_sum_leaves_the_exact_integers_of_any_type) {
  for (const ElementTypeInfo& entry : element_types) {
    for (const std::int64_t features : {1, 7, 300}) {
      const ConvOp op = dense(entry.type, features, 3);
      auto image = zeros<std::int64_t>(op.in_shape);
      auto kernel = zeros<std::int64_t>(op.kern_shape);
      SplitMix64 random(3);
      fill_exact<std::int64_t>(op, random, image.elements, kernel.elements);
      const NumberFormat format = number_format(entry.type);
      bool any = false;
      for (auto* elements : {&image.elements, &kernel.elements}) {
        for (std::int64_t& element : *elements) {
          EXPECT_TRUE(format.is_signed || element >= 0);
          any |= element != 0;
          element = std::abs(element);
        }
      }
      EXPECT_TRUE(any);
      auto magnitudes = zeros<std::int64_t>(op.res_shape);
      convolve(op, image.view(), kernel.view(), magnitudes.view());
      for (const std::int64_t magnitude : magnitudes.elements) {
        EXPECT_LE(magnitude, format.exact_integers) << entry.name << ' ' << features;
      }
    }
  }
}

TEST(FillExact, one_seed_fills_every_scalar_alike) {
  const ConvOp op = dense(ElementType::f32, 3, 2);
  auto image = zeros<std::int64_t>(op.in_shape);
  auto kernel = zeros<std::int64_t>(op.kern_shape);
  auto float_image = zeros<float>(op.in_shape);
  auto float_kernel = zeros<float>(op.kern_shape);
  SplitMix64 random(5);
  fill_exact<std::int64_t>(op, random, image.elements, kernel.elements);
  SplitMix64 again(5);
  fill_exact<float>(op, again, float_image.elements, float_kernel.elements);
  for (std::size_t i = 0; i < image.elements.size(); ++i) {
    EXPECT_EQ(static_cast<float>(image.elements[i]), float_image.elements[i]);
  }
}

TEST(FillUniform, reaches_past_half_the_field) {
  auto tensor = zeros<Field61>({64});
  SplitMix64 random(4);
  fill_uniform(random, tensor.elements);
  EXPECT_TRUE(std::any_of(tensor.elements.begin(), tensor.elements.end(),
                          [](Field61 e) { return e.value() > Field61::modulus / 2; }));
}

}  // namespace
}  // namespace convproof::oracle
