#include <cstdint>
#include <random>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "selector/rules/expression.h"
#include "selector/rules/predicate.h"
#include "selector/rules/random_expression.h"
#include "selector/rules/schema.h"
#include "selector/rules/test_schema.h"

namespace convproof {
namespace {

const Schema& schema() {
  static const Schema instance = load_schema(test_schema_text, "test.json").value();
  return instance;
}

std::string canonical(std::string_view text) {
  const auto expression = parse_expression(text, schema(), {}, "t");
  return expression ? to_string(*expression) : to_string(expression.error());
}

TEST(ExpressionText, keeps_only_the_parentheses_that_matter) {
  EXPECT_EQ(canonical("((count) + (2*3))"), "count + 2 * 3");
  EXPECT_EQ(canonical("count - (2 - 3)"), "count - (2 - 3)");
  EXPECT_EQ(canonical("(count-2)-3"), "count - 2 - 3");
  EXPECT_EQ(canonical("not (flag and (flag or flag))"), "not (flag and (flag or flag))");
  EXPECT_EQ(canonical("flag and (flag and flag)"), "flag and (flag and flag)");
  EXPECT_EQ(canonical("(not flag) == flag"), "(not flag) == flag");
  EXPECT_EQ(canonical("not (count == 1)"), "not count == 1");
  EXPECT_EQ(canonical("(1 if flag else 2) + 3"), "(1 if flag else 2) + 3");
  EXPECT_EQ(canonical("1 if flag else (2 if flag else 3)"), "1 if flag else 2 if flag else 3");
  EXPECT_EQ(canonical("(1 if flag else 2) if flag else 3"), "(1 if flag else 2) if flag else 3");
  EXPECT_EQ(canonical("-(count * 2)"), "-(count * 2)");
  EXPECT_EQ(canonical("(-count) * 2"), "-count * 2");
  EXPECT_EQ(canonical("- -1"), "--1");
  EXPECT_EQ(canonical("(shape if flag else perm)[0]"), "(shape if flag else perm)[0]");
  EXPECT_EQ(canonical("paint=='red'or(1<2)==true"), "paint == \"red\" or (1 < 2) == True");
  EXPECT_EQ(canonical("all(s>=1 for s in (shape))"), "all(s >= 1 for s in shape)");
  EXPECT_EQ(canonical("perm in [image_labels('bf01'),kernel_labels('io01'),]"),
            "perm in [image_labels(\"bf01\"), kernel_labels(\"io01\")]");
}

TEST(ExpressionText, parsing_what_was_printed_gives_the_same_tree_and_text) {
  std::size_t read = 0;
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    RandomExpression random(schema(),
                            [engine = std::mt19937_64(seed)](std::uint32_t bound) mutable {
                              return static_cast<std::uint32_t>(engine() % bound);
                            });
    const std::string text = random.condition(static_cast<std::uint32_t>(seed % 5));
    if (text.size() > 2000) continue;  // printing may need more room than was written
    const auto first = parse_expression(text, schema(), {}, "t");
    ASSERT_TRUE(first) << text << "\n" << to_string(first.error());
    const std::string printed = to_string(*first);
    const auto second = parse_expression(printed, schema(), {}, "t");
    ASSERT_TRUE(second) << text << "\n" << printed << "\n" << to_string(second.error());
    ASSERT_EQ(*first, *second) << text << "\n" << printed;
    ASSERT_EQ(to_string(*second), printed) << text;
    ++read;
  }
  EXPECT_GT(read, 2000U);
}

TEST(ExpressionText, integers_built_by_hand_print_as_they_parse) {
  for (const std::int64_t value : {std::int64_t{0}, std::int64_t{-5}, INT64_MAX, INT64_MIN}) {
    const Expression built = integer_literal(value);
    const auto parsed = parse_expression(to_string(built), schema(), {}, "t");
    ASSERT_TRUE(parsed);
    EXPECT_EQ(*parsed, built);
  }
}

}  // namespace
}  // namespace convproof
