#include "selector/op/conv_op.h"

#include <cstdint>
#include <limits>
#include <string>

#include <gtest/gtest.h>

namespace convproof {
namespace {

ConvOp plain() {
  return {.in_shape = {1, 32, 28, 28},
          .kern_shape = {48, 32, 3, 3},
          .res_shape = {1, 48, 28, 28},
          .in_perm = identity_perm(4),
          .kern_perm = identity_perm(4),
          .out_perm = identity_perm(4),
          .window = {{.pad_low = 1, .pad_high = 1}, {.pad_low = 1, .pad_high = 1}}};
}

std::string problem(const ConvOp& op) {
  const auto checked = check_structure(op);
  return checked ? std::string() : to_string(checked.error());
}

TEST(ConvOp, infers_the_declared_result) {
  EXPECT_EQ(infer_result_shape(plain()), plain().res_shape);
  EXPECT_EQ(multiply_adds(plain()), 48LL * 28 * 28 * 32 * 9);
}

TEST(ConvOp, prints_only_what_is_not_neutral) {
  EXPECT_EQ(to_string(plain()),
            "f32[1,32,28,28] x f32[48,32,3,3] -> f32[1,48,28,28], bf01_oi01->bf01, pad=1_1x1_1");
  ConvOp op = plain();
  op.window[1].stride = 2;
  op.window[0].reversal = true;
  op.feature_group_count = 4;
  op.kernel_is_graph_input = false;
  EXPECT_EQ(to_string(op),
            "f32[1,32,28,28] x f32[48,32,3,3] -> f32[1,48,28,28], bf01_oi01->bf01, stride=1x2, "
            "pad=1_1x1_1, rhs_reversal=1x0, feature_group_count=4, kernel=intermediate");
}

TEST(ConvOp, one_error_per_cause_names_place_value_and_rule) {
  EXPECT_EQ(problem(plain()), "");
  ConvOp op = plain();
  op.in_shape[1] = std::int64_t{1} << 40;
  EXPECT_EQ(problem(op), "in_shape[1] = 1099511627776: must be at most 2147483647");
  op = plain();
  op.in_shape = {1, 1 << 30, 1 << 30, 1};
  EXPECT_EQ(problem(op),
            "in_shape = [1, 1073741824, 1073741824, 1]: must hold at most 70368744177664 elements");
  op = plain();
  op.window[0].stride = -2;
  EXPECT_EQ(problem(op), "window[0].stride = -2: must be between 1 and 2147483647");
  op = plain();
  op.kern_perm = {0, 1, 1, 3};
  EXPECT_EQ(problem(op), "kern_perm = [0, 1, 1, 3]: must be a permutation of 0 to 3");
  op = plain();
  op.res_shape = {1, 48, 28};
  EXPECT_EQ(problem(op), "res_shape = [1, 48, 28]: must have 4 extents for 2 spatial dimensions");
  op = plain();
  op.batch_group_count = 0;
  EXPECT_EQ(problem(op), "batch_group_count = 0: must be between 1 and 2147483647");
}

TEST(ConvOp, work_saturates_instead_of_overflowing) {
  ConvOp op = plain();
  op.res_shape = {1 << 20, 1 << 20, 1 << 6, 1};
  op.kern_shape = {1 << 20, 1 << 20, 64, 1};
  EXPECT_EQ(multiply_adds(op), std::numeric_limits<std::int64_t>::max());
}

}  // namespace
}  // namespace convproof
