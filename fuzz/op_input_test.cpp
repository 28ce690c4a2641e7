#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "fuzz/byte_draw.h"
#include "fuzz/mutate_op.h"
#include "fuzz/op_bytes.h"
#include "fuzz/repair_op.h"
#include "oracle/arbitrary_conv_op.h"
#include "oracle/draw.h"
#include "oracle/random.h"
#include "selector/registry/conv_subject.h"

namespace convproof::fuzz {
namespace {

constexpr std::uint64_t rounds = 3000;

std::string why_not(const ConvOp& op) {
  const auto valid = validate(op);
  return valid ? "" : to_string(valid.error()) + " in " + to_string(op);
}

ConvOp generated(std::uint64_t seed) {
  oracle::SplitMixDraw source(seed);
  return oracle::arbitrary_conv_op(source,
                                   {.size = static_cast<int>(seed % 3), .empty_results = true});
}

// A value with nothing to rely on.
ConvOp wild_op(std::uint64_t seed) {
  oracle::SplitMix64 random(seed);
  const auto wild = [&]() -> std::int64_t {
    const auto word = static_cast<std::int64_t>(random.next());
    return word >> random.below(64);
  };
  ConvOp op = generated(seed);
  const auto scramble = [&](auto& list) {
    if (random.below(4) == 0) list.push_back(wild() % 100);
    if (!list.empty() && random.below(4) == 0) list.pop_back();
    for (std::int64_t& value : list) {
      if (random.below(4) == 0) value = wild();
    }
  };
  if (op.in_shape.size() < max_rank) scramble(op.in_shape);
  if (op.kern_perm.size() < max_rank) scramble(op.kern_perm);
  if (op.res_shape.size() < max_rank) scramble(op.res_shape);
  if (random.below(8) == 0) op.window = {};
  for (WindowDim& window : op.window) {
    for (std::int64_t* value : {&window.stride, &window.pad_low, &window.pad_high,
                                &window.lhs_dilation, &window.rhs_dilation}) {
      if (random.below(4) == 0) *value = wild();
    }
  }
  if (random.below(3) == 0) op.feature_group_count = wild();
  if (random.below(3) == 0) op.batch_group_count = wild();
  return op;
}

TEST(Repair, a_well_formed_operation_stays_as_it_is) {
  for (std::uint64_t seed = 0; seed < rounds; ++seed) {
    const ConvOp op = generated(seed);
    ASSERT_EQ(repair(op), op);
  }
}

TEST(Repair, anything_becomes_well_formed) {
  for (std::uint64_t seed = 0; seed < rounds; ++seed) {
    const ConvOp op = repair(wild_op(seed));
    ASSERT_EQ(why_not(op), "");
    ASSERT_EQ(repair(op), op);
    const ConvOp small = repair(op, fuzz_budget);
    ASSERT_EQ(why_not(small), "");
    ASSERT_LE(multiply_adds(small), fuzz_budget.max_multiply_adds) << small;
  }
}

TEST(OpBytes, an_operation_comes_back_from_its_bytes) {
  for (std::uint64_t seed = 0; seed < rounds; ++seed) {
    const ConvOp op = seed % 2 == 0 ? generated(seed) : repair(wild_op(seed));
    const auto bytes = encode_op(op);
    ASSERT_LE(bytes.size(), max_op_bytes);
    ASSERT_EQ(decode_op(bytes, Budget{}), op);
    ASSERT_EQ(decode_declared_op(bytes, Budget{}), op);
  }
}

TEST(OpBytes, a_declared_result_comes_back_where_it_is_asked_for) {
  ConvOp op = generated(1);
  op.res_shape[0] += 3;
  EXPECT_EQ(decode_declared_op(encode_op(op)), op);
  EXPECT_EQ(decode_op(encode_op(op)), repair(op));
}

TEST(OpBytes, any_bytes_are_a_well_formed_operation_within_the_budget) {
  oracle::SplitMix64 random(7);
  std::set<std::string> seen;
  for (std::uint64_t round = 0; round < rounds; ++round) {
    std::vector<std::uint8_t> bytes(random.below(60));
    for (std::uint8_t& byte : bytes) byte = static_cast<std::uint8_t>(random.next());
    const ConvOp op = decode_op(bytes);
    ASSERT_EQ(why_not(op), "");
    ASSERT_LE(multiply_adds(op), fuzz_budget.max_multiply_adds) << op;
    ASSERT_EQ(decode_op(encode_op(op)), op);
    seen.insert(to_string(op));
  }
  EXPECT_GT(seen.size(), rounds * 9 / 10);
}

TEST(OpBytes, no_bytes_are_the_plainest_operation) {
  EXPECT_EQ(to_string(decode_op({})),
            "f32[1,1,1,1] x f32[1,1,1,1] -> f32[1,1,1,1], bf01_oi01->bf01");
}

TEST(MutateOp, neighbours_are_well_formed_and_differ) {
  ConvOp op = decode_op({});
  std::size_t changed = 0;
  std::size_t edges = 0;
  for (std::uint64_t seed = 0; seed < rounds; ++seed) {
    oracle::SplitMixDraw source(seed);
    const ConvOp next = mutate_op(op, source);
    ASSERT_EQ(why_not(next), "");
    ASSERT_LE(multiply_adds(next), fuzz_budget.max_multiply_adds) << next;
    changed += next == op ? 0 : 1;
    for (const std::int64_t extent : next.in_shape) {
      edges += extent >= 127 && extent <= 129 ? 1 : 0;
    }
    op = next;
  }
  EXPECT_GT(changed, rounds * 7 / 10);
  EXPECT_GT(edges, rounds / 20);
}

TEST(MutateOp, a_splice_is_well_formed_and_takes_from_both) {
  std::size_t from_second = 0;
  for (std::uint64_t seed = 0; seed < rounds; ++seed) {
    oracle::SplitMixDraw source(seed);
    const ConvOp first = generated(seed);
    const ConvOp second = generated(seed + rounds);
    const ConvOp spliced = splice_ops(first, second, source);
    ASSERT_EQ(why_not(spliced), "");
    from_second += spliced == first ? 0 : 1;
  }
  EXPECT_GT(from_second, rounds / 2);
}

TEST(MutateOp, a_declared_result_is_another_one_at_times) {
  const ConvOp op = generated(3);
  std::size_t declared = 0;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    oracle::SplitMixDraw source(seed);
    const ConvOp next = mutate_op(op, source, {.declared_results = true});
    declared += validate(next) ? 0 : 1;
    EXPECT_TRUE(check_structure(next));
  }
  EXPECT_GT(declared, 20U);
}

TEST(ByteDraw, takes_only_the_bytes_that_a_range_needs) {
  const std::vector<std::uint8_t> bytes{5, 1, 1, 200};
  ByteDraw draw(bytes);
  EXPECT_EQ(draw.between(0, 9), 5);
  EXPECT_EQ(draw.between(-1, 998), 256);
  EXPECT_EQ(draw.between(7, 7), 7);
  EXPECT_EQ(draw.between(0, 3), 0);
  EXPECT_EQ(draw.between(3, 9), 3) << "no bytes are left";
}

}  // namespace
}  // namespace convproof::fuzz
