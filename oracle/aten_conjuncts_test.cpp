// What happens where one conjunct of a guard is dropped: the design sheet's conjunct-drop matrix,
// and the conjuncts that are stronger than their kernels need.
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "oracle/aten_check.h"
#include "oracle/aten_test_calls.h"

namespace convproof::oracle {
namespace {

struct Dropped {
  std::string_view kernel{};
  std::string_view conjunct{};
  AtenCall witness{};
  CheckClass outcome = CheckClass::different;
  std::optional<KernelFault> fault{};
};

// Changes the arguments of a call in place.
template <class Change>
AtenCall with(AtenCall call, Change change) {
  change(call.convolution);
  return call;
}

std::vector<Dropped> matrix() {
  const auto dilated = [](AtenConvolution& c) {
    c.dilation = SpatialList::filled(c.dilation.size(), 2);
  };
  const auto transposed = [](AtenConvolution& c) { c.transposed = true; };
  const auto strided = [](AtenConvolution& c) {
    c.stride = SpatialList::filled(c.stride.size(), 2);
  };
  const auto padded = [](AtenConvolution& c) {
    c.padding = SpatialList::filled(c.padding.size(), 1);
  };
  const auto groups = [](std::int64_t count) {
    return [count](AtenConvolution& c) { c.groups = count; };
  };
  const AtenCall pointwise = forward_call({1, 3, 4, 4}, {5, 3, 1, 1});
  using enum CheckClass;
  return {
      {"convolution2d", "ones(D)", with(forward_call({1, 1, 5, 5}, {1, 1, 2, 2}), dilated)},
      {"convolution2d", "ones(D), one tap", with(pointwise, dilated), equal},
      {"convolution2d", "ones(D) along an axis of one tap",
       with(forward_call({1, 2, 5, 5}, {3, 2, 1, 3}),
            [](AtenConvolution& c) { c.dilation = {5, 1}; }),
       equal},
      {"convolution2d", "not T", with(forward_call({1, 1, 2, 2}, {1, 1, 2, 2}), transposed)},
      {"convolution2d", "not T, square one-tap weight",
       with(forward_call({1, 2, 3, 3}, {2, 2, 1, 1}), transposed)},
      {"convolution2d", "not T, one channel and one tap",
       with(forward_call({1, 1, 3, 3}, {1, 1, 1, 1}), transposed), equal},
      {"convolution2d", "not T, fewer rows than results",
       with(forward_call({1, 2, 3, 3}, {2, 9, 1, 1}), transposed), rejected,
       KernelFault::device_limit},
      {"convolution2d", "zeros(OP)",
       with(forward_call({1, 2, 4, 4}, {3, 2, 3, 3}),
            [](AtenConvolution& c) { c.output_padding = {1, 1}; }),
       equal},
      {"convolution2d", "ND == 2", forward_call({1, 2, 4}, {3, 2, 3}), rejected,
       KernelFault::trace},
      {"convolution3d", "ND == 3", pointwise, rejected, KernelFault::trace},
      {"depthwise_conv1d", "ND == 1", with(forward_call({1, 2, 4, 4}, {2, 1, 3, 3}), groups(2)),
       rejected, KernelFault::trace},
      {"depthwise_conv1d", "w0 == G", with(forward_call({2, 2, 6}, {4, 1, 3}), groups(2))},
      {"depthwise_conv1d", "w1 == 1", with(forward_call({2, 4, 6}, {4, 2, 3}), groups(2))},
      {"depthwise_conv1d", "w1 == 1, fewer rows than channels",
       with(forward_call({2, 4, 6}, {2, 2, 3}), groups(2)), rejected, KernelFault::device_limit},
      {"depthwise_conv1d", "G > 1", forward_call({2, 1, 6}, {1, 1, 3}), equal},
      {"depthwise_conv1d", "ones(D)", with(forward_call({1, 1, 6}, {1, 1, 3}), dilated)},
      {"depthwise_conv1d", "ones(D), one tap", with(forward_call({1, 1, 6}, {1, 1, 1}), dilated),
       equal},
      {"depthwise_conv1d", "not T", with(forward_call({1, 1, 6}, {1, 1, 3}), transposed)},
      {"conv1x1_via_mm", "ones(S)", with(pointwise, strided)},
      {"conv1x1_via_mm", "zeros(P)", with(pointwise, padded)},
      {"conv1x1_via_mm", "ones(D)", with(pointwise, dilated), equal},
      {"conv1x1_via_mm", "G == 1", with(forward_call({1, 4, 4, 4}, {6, 2, 1, 1}), groups(2)),
       rejected, KernelFault::assertion},
      {"conv1x1_via_mm", "ones(K)", forward_call({1, 3, 4, 4}, {5, 3, 2, 2}), rejected,
       KernelFault::assertion},
      {"mm", "ones(S)", with(pointwise, strided)},
      {"mm", "zeros(P)", with(pointwise, padded)},
      {"mm", "ones(D)", with(pointwise, dilated), equal},
      {"mm", "not T", with(forward_call({1, 2, 3, 3}, {2, 2, 1, 1}), transposed)},
      {"mm", "G == 1", with(forward_call({1, 4, 4, 4}, {6, 2, 1, 1}), groups(2)), rejected,
       KernelFault::assertion},
      {"mm", "ones(K)", forward_call({1, 3, 4, 4}, {5, 3, 2, 2}), rejected, KernelFault::assertion},
      {"mm", "numel > 0", forward_call({0, 3, 4, 4}, {5, 3, 1, 1}), rejected,
       KernelFault::assertion},
      {"convolution_backward_input", "not T",
       with(backward_call({1, 2, 3, 3}, {2, 2, 2, 2}), transposed)},
      {"convolution_backward_weight", "not T",
       with(backward_call({1, 2, 3, 3}, {2, 2, 2, 2}), transposed)},
      {"convolution_backward_weight", "not T, more results than rows",
       with(backward_call({1, 2, 3, 3}, {2, 17, 1, 1}), transposed), rejected,
       KernelFault::device_limit},
      {"convolution_backward_input", "ND == 2", backward_call({1, 2, 4}, {3, 2, 3}), rejected,
       KernelFault::trace},
      {"convolution_backward_weight", "ND == 2", backward_call({1, 2, 4}, {3, 2, 3}), rejected,
       KernelFault::trace},
      {"ck_grouped_conv_fwd", "not T, a result too small",
       with(forward_call({1, 2, 4, 4}, {2, 2, 1, 1}),
            [](AtenConvolution& c) {
              c.transposed = true;
              c.padding = {1, 1};
            }),
       rejected, KernelFault::device_limit},
      {"ck_grouped_conv_fwd", "ND == 2", forward_call({1, 2, 4}, {3, 2, 3}), rejected,
       KernelFault::trace},
  };
}

TEST(InductorConjuncts, a_dropped_conjunct_shows_as_the_matrix_says) {
  AtenChecker checker;
  for (const Dropped& row : matrix()) {
    const AtenVerdict verdict = checker.check(row.witness, row.kernel, {}, 9);
    const std::string place = std::string(row.kernel) + ", " + std::string(row.conjunct);
    EXPECT_EQ(verdict.value, row.outcome) << place << ": " << name_of(verdict.value) << " "
                                          << (verdict.refusal ? to_string(*verdict.refusal) : "");
    if (row.fault && verdict.refusal) {
      EXPECT_EQ(verdict.refusal->fault, *row.fault) << place;
    }
  }
}

// A channel multiplier leaves half of the results as they were, and swaps the rest.
TEST(InductorConjuncts, results_past_the_inputs_channels_are_never_written) {
  AtenCall call = forward_call({2, 2, 6}, {4, 1, 3});
  call.convolution.groups = 2;
  AtenChecker checker;
  EXPECT_EQ(checker.check(call, "depthwise_conv1d", {}, 9).differences, 2 * 3 * 4);
}

// Three products of two channels in place of two: the result's buffer holds the first four of them,
// channels innermost, and only the very first stands where it belongs.
TEST(InductorConjuncts, a_product_of_other_extents_lies_at_the_beginning_of_the_buffer) {
  AtenCall call = forward_call({1, 1, 1, 3}, {2, 1, 1, 1});
  call.convolution.stride = {1, 2};
  AtenChecker checker;
  const AtenVerdict verdict = checker.check(call, "conv1x1_via_mm", {}, 9);
  EXPECT_EQ(verdict.differences, 3);
  EXPECT_EQ(verdict.first_difference, 1);
}

}  // namespace
}  // namespace convproof::oracle
