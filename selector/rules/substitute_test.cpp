#include "selector/rules/substitute.h"

#include <optional>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "selector/rules/predicate.h"
#include "selector/rules/schema.h"
#include "selector/rules/test_schema.h"

namespace convproof {
namespace {

const Schema& schema() {
  static const Schema instance = load_schema(test_schema_text, "test.json").value();
  return instance;
}

Expression parsed(std::string_view text) {
  const std::vector<Parameter> parameters{{"block", Type::integer(), 16},
                                          {"warps", Type::integer(), 4}};
  auto expression = parse_expression(text, schema(), parameters, "test");
  EXPECT_TRUE(expression) << to_string(expression.error());
  return expression ? *expression : Expression{};
}

TEST(Substitute, replaces_the_parameters_that_have_a_value) {
  const std::vector<std::optional<Expression>> values{parsed("groups + 1"), std::nullopt};
  EXPECT_EQ(to_string(substitute(parsed("block * warps == block"), values)),
            "(groups + 1) * warps == groups + 1");
}

TEST(Substitute, keeps_the_binders_of_a_value_apart_from_those_around_it) {
  const std::vector<std::optional<Expression>> values{parsed("sum(a * 2 for a in range(dims))")};
  const Expression whole = substitute(parsed("all(b < block + b for b in range(dims))"), values);
  EXPECT_EQ(whole, parsed("all(b < sum(a * 2 for a in range(dims)) + b for b in range(dims))"));
}

}  // namespace
}  // namespace convproof
