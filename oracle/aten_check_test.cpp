#include "oracle/aten_check.h"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "oracle/allocation_counter.h"
#include "oracle/arbitrary_aten_call.h"
#include "oracle/aten_test_calls.h"
#include "oracle/draw.h"
#include "selector/kernels/inductor/inductor_kernels.h"

namespace convproof::oracle {
namespace {

TEST(AtenCheck, a_warm_checker_allocates_nothing) {
  std::vector<AtenCall> calls;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SplitMixDraw draw(seed);
    calls.push_back(candidate_call(arbitrary_aten_call(draw)));
  }
  AtenChecker checker;
  std::int64_t ran = 0;
  const auto check_all = [&] {
    for (const AtenCall& call : calls) {
      for (const auto& kernel : inductor_kernels<Field61>()) {
        const AtenVerdict verdict = checker.check(call, kernel.name, {}, 3);
        ran += verdict.value == CheckClass::equal || verdict.value == CheckClass::different ? 1 : 0;
        static_cast<void>(checker.check_special(call, kernel.name, {}, 3));
      }
    }
  };
  check_all();
  const std::int64_t before = allocation_count();
  check_all();
  EXPECT_EQ(allocation_count(), before);
  EXPECT_GT(ran, 600);
}

TEST(AtenCheck, an_answer_does_not_depend_on_what_was_checked_before) {
  AtenChecker shared;
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    SplitMixDraw draw(seed);
    const AtenCall call = candidate_call(arbitrary_aten_call(draw));
    for (const auto& kernel : inductor_kernels<Field61>()) {
      AtenChecker fresh;
      ASSERT_EQ(shared.check(call, kernel.name, {}, seed), fresh.check(call, kernel.name, {}, seed))
          << kernel.name << " " << to_string(call);
    }
  }
}

TEST(AtenCheck, says_what_it_did_not_execute) {
  const AtenCall call = forward_call({1, 2, 4, 4}, {3, 2, 3, 3});
  AtenChecker checker;
  EXPECT_EQ(checker.check(call, "no such kernel", {}, 1).value, CheckClass::skipped);
  EXPECT_EQ(checker.check(call, "convolution_backward_weight", {}, 1).value, CheckClass::invalid);
  AtenChecker lazy({.max_work = 10});
  EXPECT_EQ(lazy.check(call, "convolution2d", {}, 1).value, CheckClass::skipped);
  AtenChecker small({.max_elements = 10});
  EXPECT_EQ(small.check(call, "convolution2d", {}, 1).value, CheckClass::skipped);
  AtenCall malformed = call;
  malformed.convolution.groups = 2;
  EXPECT_EQ(checker.check(malformed, "aten_convolution", {}, 1).value, CheckClass::invalid);
  AtenCall padded = call;  // ignored by the forward operation, refused by the backward one
  padded.convolution.output_padding = {1, 1};
  EXPECT_EQ(checker.check(padded, "aten_convolution", {}, 1).value, CheckClass::equal);
  padded.backward = true;
  EXPECT_EQ(checker.check(padded, "aten_convolution_backward", {}, 1).value, CheckClass::invalid);
}

TEST(AtenCheck, names_the_first_element_that_differs) {
  // Without a padding of the last column only: the dilated tap is read one column too early.
  AtenCall call = forward_call({1, 1, 1, 4}, {1, 1, 1, 2});
  call.convolution.dilation = {1, 2};
  AtenChecker checker;
  const AtenVerdict verdict = checker.check(call, "convolution2d", {}, 1);
  EXPECT_EQ(verdict.value, CheckClass::different);
  EXPECT_EQ(verdict.first_difference, 0);
  EXPECT_EQ(verdict.differences, 2);
  EXPECT_EQ(first_difference(verdict), "element 0 of the output");
  EXPECT_EQ(to_string(verdict), "2 elements differ, the first is element 0 of the output");
}

TEST(AtenCheck, the_candidate_of_a_call_is_what_the_lowering_hands_on) {
  AtenCall call = forward_call({3, 32, 32}, {16, 3, 3, 3});
  call.convolution.stride = call.convolution.padding = {1};
  call.convolution.dilation = {1};
  call.convolution.output_padding = {0};
  call.convolution.bias = 16;
  const AtenCall cuda = candidate_call(call);
  EXPECT_EQ(cuda.convolution.input, (Shape{1, 3, 32, 32}));
  EXPECT_EQ(cuda.convolution.padding, (SpatialList{1, 1}));
  EXPECT_FALSE(cuda.convolution.bias);
  EXPECT_TRUE(candidate_call(call, true).convolution.bias);
  call.environment.device = AtenDevice::cpu;
  EXPECT_TRUE(candidate_call(call).convolution.bias);
}

}  // namespace
}  // namespace convproof::oracle
