#include "oracle/missing_taps.h"

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "oracle/convolution.h"
#include "selector/op/dim_labels.h"

namespace convproof::oracle {
namespace {

constexpr std::int64_t plenty = std::numeric_limits<std::int64_t>::max();

ConvOp small_op() {
  const DimNumbers numbers = *parse_dim_labels("b01f_o01i->bf01");
  ConvOp op{.in_shape = {1, 5, 5, 3},
            .kern_shape = {2, 3, 2, 3},
            .in_perm = numbers.in,
            .kern_perm = numbers.kern,
            .out_perm = numbers.out,
            .window = {WindowDim{}, WindowDim{}}};
  op.res_shape = infer_result_shape(op);
  return op;
}

// The reference with some kernel elements, given by storage place, multiplied by a factor.
FieldKernel with_factor(const ConvOp& op, std::vector<std::size_t> places, std::int64_t factor) {
  return [op, places, factor](TensorView<const Field61> image, TensorView<const Field61> kernel,
                              TensorView<Field61> result) {
    std::vector<Field61> changed(kernel.elements.begin(), kernel.elements.end());
    for (const std::size_t place : places) changed[place] *= Field61(factor);
    convolve(op, image, {changed, op.kern_shape}, result);
    return true;
  };
}

std::vector<std::string> texts(const std::vector<FaultyTap>& taps) {
  std::vector<std::string> result;
  for (const FaultyTap& tap : taps) result.push_back(to_string(tap));
  return result;
}

const ResultElement second_feature{.n = 0, .o = 1, .at = {2, 1}};

TEST(FaultyTaps, a_right_kernel_has_none) {
  const ConvOp op = small_op();
  EXPECT_EQ(faulty_taps(with_factor(op, {}, 0), op, second_feature, plenty),
            std::vector<FaultyTap>{});
}

TEST(FaultyTaps, names_the_missing_and_the_wrong) {
  const ConvOp op = small_op();
  // Kernel storage (o, u, v, i): place 18 + (u * 2 + v) * 3 + i for o = 1.
  const auto missing = faulty_taps(with_factor(op, {19, 32}, 0), op, second_feature, plenty);
  ASSERT_TRUE(missing);
  EXPECT_EQ(texts(*missing),
            (std::vector<std::string>{"o=1 i=1 u=0 v=0 is missing", "o=1 i=2 u=2 v=0 is missing"}));
  const auto wrong = faulty_taps(with_factor(op, {19}, 2), op, second_feature, plenty);
  ASSERT_TRUE(wrong);
  EXPECT_EQ(texts(*wrong), (std::vector<std::string>{"o=1 i=1 u=0 v=0 is wrong"}));
}

TEST(FaultyTaps, a_fault_of_another_output_feature_is_no_fault_of_this_one) {
  const ConvOp op = small_op();
  EXPECT_EQ(faulty_taps(with_factor(op, {0}, 0), op, second_feature, plenty),
            std::vector<FaultyTap>{});
}

TEST(FaultyTaps, names_what_comes_from_another_output_feature) {
  const ConvOp op = small_op();
  const FieldKernel mixing = [op](TensorView<const Field61> image, TensorView<const Field61> kernel,
                                  TensorView<Field61> result) {
    std::vector<Field61> changed(kernel.elements.begin(), kernel.elements.end());
    changed[18] += changed[0];
    convolve(op, image, {changed, op.kern_shape}, result);
    return true;
  };
  const auto taps = faulty_taps(mixing, op, second_feature, plenty);
  ASSERT_TRUE(taps);
  EXPECT_EQ(texts(*taps), (std::vector<std::string>{"o=0 i=0 u=0 v=0 is foreign"}));
}

TEST(FaultyTaps, gives_up_past_its_budget_or_where_the_kernel_refuses) {
  const ConvOp op = small_op();
  const FieldKernel faulty = with_factor(op, {19}, 0);
  EXPECT_EQ(faulty_taps(faulty, op, second_feature, 3 * multiply_adds(op)), std::nullopt);
  EXPECT_TRUE(faulty_taps(faulty, op, second_feature, 16 * multiply_adds(op)));
  const FieldKernel refusing = [](auto, auto, auto) { return false; };
  EXPECT_EQ(faulty_taps(refusing, op, second_feature, plenty), std::nullopt);
}

}  // namespace
}  // namespace convproof::oracle
