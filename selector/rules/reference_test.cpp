#include "selector/rules/reference.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "selector/rules/outcome.h"
#include "selector/rules/predicate.h"
#include "selector/rules/schema.h"
#include "selector/rules/test_schema.h"

namespace convproof {
namespace {

const Schema& schema() {
  static const Schema instance = load_schema(test_schema_text, "test.json").value();
  return instance;
}

std::int64_t& slot(std::vector<std::int64_t>& record, std::string_view name) {
  return record[schema().find_attribute(name)->slot];
}

void set_list(std::vector<std::int64_t>& record, std::string_view name,
              std::initializer_list<std::int64_t> cells, std::int64_t length) {
  const std::size_t at = schema().find_attribute(name)->slot;
  record[at] = length;
  std::copy(cells.begin(), cells.end(), record.begin() + static_cast<std::ptrdiff_t>(at) + 1);
}

std::vector<std::int64_t> sample() {
  std::vector<std::int64_t> record(schema().record_size, 0);
  slot(record, "count") = -7;
  slot(record, "groups") = 4;
  slot(record, "dims") = 2;
  slot(record, "paint") = 2;
  set_list(record, "shape", {5, 6, 7}, 3);
  set_list(record, "perm", {2, 0}, 2);
  set_list(record, "flags", {1, 0}, 2);
  set_list(record, "paints", {2, 0}, 2);
  set_list(record, "pads", {0, 0, 1, -2}, 2);
  return record;
}

// The value as text, or `raises: ...`, or the error of a text that does not check.
std::string value(std::string_view text) {
  const auto expression = parse_expression(text, schema(), {}, "t");
  if (!expression) return to_string(expression.error().error);
  const auto result = evaluate(*expression, schema(), sample());
  if (!result) return "raises: " + std::string(message_of(result.error().cause));
  return to_string(*result, expression->type, schema());
}

TEST(Reference, operators_bind_as_in_python) {
  EXPECT_EQ(value("2 + 3 * 4"), "14");
  EXPECT_EQ(value("(2 + 3) * 4"), "20");
  EXPECT_EQ(value("10 - 3 - 2"), "5");
  EXPECT_EQ(value("100 // 7 // 2"), "7");
  EXPECT_EQ(value("2 * 7 % 5"), "4");
  EXPECT_EQ(value("-3 * 2 + 1"), "-5");
  EXPECT_EQ(value("-shape[0]"), "-5");
  EXPECT_EQ(value("not flag and True"), "True");
  EXPECT_EQ(value("not 1 == 2"), "True");
  EXPECT_EQ(value("True or False and False"), "True");
  EXPECT_EQ(value("1 if False else 2 if False else 3"), "3");
  EXPECT_EQ(value("1 + 1 == 2 and 2 in shape or False"), "False");
  EXPECT_EQ(value("not 5 in shape"), "False");
}

TEST(Reference, floor_division_rounds_down_and_modulo_has_the_divisors_sign) {
  for (const auto& [text, expected] :
       std::initializer_list<std::pair<std::string_view, int>>{{"7 // 2", 3},
                                                               {"-7 // 2", -4},
                                                               {"7 // -2", -4},
                                                               {"-7 // -2", 3},
                                                               {"7 % 2", 1},
                                                               {"-7 % 2", 1},
                                                               {"7 % -2", -1},
                                                               {"-7 % -2", -1},
                                                               {"-6 // 3", -2},
                                                               {"-6 % 3", 0},
                                                               {"6 % -3", 0},
                                                               {"ceil_div(7, 2)", 4},
                                                               {"ceil_div(-7, 2)", -3},
                                                               {"ceil_div(6, 3)", 2}}) {
    EXPECT_EQ(value(text), std::to_string(expected)) << text;
  }
}

TEST(Reference, comparisons_chain) {
  EXPECT_EQ(value("0 <= groups < 5"), "True");
  EXPECT_EQ(value("0 <= groups < 4"), "False");
  EXPECT_EQ(value("1 < 3 > 2"), "True");
  EXPECT_EQ(value("4 == groups in [4, 5]"), "True");
  EXPECT_EQ(value("(1 < 2) == True"), "True");
}

TEST(Reference, lists_compare_by_value_and_length) {
  EXPECT_EQ(value("shape == [5, 6, 7]"), "True");
  EXPECT_EQ(value("shape == [5, 6]"), "False");
  EXPECT_EQ(value("shape != [5, 6, 8]"), "True");
  EXPECT_EQ(value("pads == [[0, 0], [1, -2]]"), "True");
  EXPECT_EQ(value("pads[1] == [1, -2]"), "True");
  EXPECT_EQ(value("flags == [True, False]"), "True");
  EXPECT_EQ(value("paints == ['blue', \"red\"]"), "True");
  EXPECT_EQ(value("perm in [[0, 1], [2, 0], [1]]"), "True");
  EXPECT_EQ(value("[1, -2] in pads"), "True");
  EXPECT_EQ(value("shape == []"), "False");
  EXPECT_EQ(value("6 not in shape"), "False");
}

TEST(Reference, indices_count_from_the_end_when_negative_and_raise_outside) {
  EXPECT_EQ(value("shape[-1]"), "7");
  EXPECT_EQ(value("shape[-3]"), "5");
  EXPECT_EQ(value("shape[-4]"), "raises: list index out of range");
  EXPECT_EQ(value("shape[3]"), "raises: list index out of range");
  EXPECT_EQ(value("[1, 2][2]"), "raises: list index out of range");
  EXPECT_EQ(value("pads[1][-1]"), "-2");
}

TEST(Reference, every_cause_raises) {
  EXPECT_EQ(value("1 // (groups - 4)"), "raises: division or modulo by zero");
  EXPECT_EQ(value("1 % (groups - 4)"), "raises: division or modulo by zero");
  EXPECT_EQ(value("9223372036854775807 + groups"), "raises: value outside the 64-bit integers");
  EXPECT_EQ(value("-9223372036854775807 - groups"), "raises: value outside the 64-bit integers");
  EXPECT_EQ(value("(-9223372036854775807 - 1) // -1"), "raises: value outside the 64-bit integers");
  EXPECT_EQ(value("abs(-9223372036854775807 - 1)"), "raises: value outside the 64-bit integers");
  EXPECT_EQ(value("(-9223372036854775807 - 1) % -1"), "0");
  EXPECT_EQ(value("min(x for x in [])"), "raises: min or max of nothing");
  EXPECT_EQ(value("max([])"), "raises: min or max of nothing");
}

TEST(Reference, evaluation_is_strict_from_left_to_right_and_stops_when_decided) {
  EXPECT_EQ(value("False and shape[9] == 1"), "False");
  EXPECT_EQ(value("True or shape[9] == 1"), "True");
  EXPECT_EQ(value("shape[9] == 1 and False"), "raises: list index out of range");
  EXPECT_EQ(value("shape[9] + 1 // 0"), "raises: list index out of range");
  EXPECT_EQ(value("1 // 0 + shape[9]"), "raises: division or modulo by zero");
  EXPECT_EQ(value("2 < 1 < shape[9]"), "False");
  EXPECT_EQ(value("1 if True else shape[9]"), "1");
  EXPECT_EQ(value("[1, 1 // 0][0]"), "raises: division or modulo by zero");
  EXPECT_EQ(value("any(s // (s - 6) < 0 for s in shape)"), "True");
  EXPECT_EQ(value("all(s // (s - 6) < 0 for s in shape)"), "raises: division or modulo by zero");
  EXPECT_EQ(value("first(1, 1 // 0)"), "raises: division or modulo by zero");
}

TEST(Reference, aggregates_and_functions) {
  EXPECT_EQ(value("sum(shape)"), "18");
  EXPECT_EQ(value("sum(s * s for s in perm)"), "4");
  EXPECT_EQ(value("min(shape) + max(4, 2, 9)"), "14");
  EXPECT_EQ(value("len(pads)"), "2");
  EXPECT_EQ(value("all(flags)"), "False");
  EXPECT_EQ(value("any(flags[i] for i in range(dims))"), "True");
  EXPECT_EQ(value("sum(low + high for low in [1] for high in [2])"),
            "t:31 = for: expected `,` or `)`");
  EXPECT_EQ(value("sum(pad[0] - pad[1] for pad in pads)"), "3");
  EXPECT_EQ(value("clamp(twice(count), -10, 10)"), "-10");
  EXPECT_EQ(value("triangle(4)"), "6");
  EXPECT_EQ(value("sum(triangle(i) for i in range(1, 4))"), "4");
  EXPECT_EQ(value("image_labels('f01b')"), "[3, 0, 1, 2]");
  EXPECT_EQ(value("kernel_labels('o01i')"), "[0, 3, 1, 2]");
  EXPECT_EQ(value("area + pair[0]"), "42");
  EXPECT_EQ(value("is_red"), "False");
}

TEST(Reference, a_range_beyond_the_schemas_bound_raises) {
  std::vector<std::int64_t> record = sample();
  slot(record, "dims") = 5;  // the schema says at most 4
  const auto expression = parse_expression("sum(i for i in range(dims))", schema(), {}, "t");
  ASSERT_TRUE(expression);
  const auto result = evaluate(*expression, schema(), record);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().cause, RaiseCause::range_too_long);
}

TEST(Reference, an_assert_clause_raises_only_where_it_is_reached) {
  const std::vector<ClauseSource> clauses{{.text = "groups == 4", .place = "m[0]"},
                                          {"count == 0", "counts nothing", "m[1]"},
                                          {.text = "shape[9] == 0", .place = "m[2]"}};
  const auto predicate = parse_predicate(clauses, schema(), {});
  ASSERT_TRUE(predicate);
  std::vector<std::int64_t> record = sample();
  using Kind = PredicateOutcome::Kind;
  EXPECT_EQ(evaluate(*predicate, schema(), record),
            (PredicateOutcome{Kind::raised, 1, RaiseCause::assertion}));
  slot(record, "groups") = 5;
  EXPECT_EQ(evaluate(*predicate, schema(), record),
            (PredicateOutcome{.kind = Kind::not_matched, .clause = 0}));
  slot(record, "groups") = 4;
  slot(record, "count") = 0;
  EXPECT_EQ(evaluate(*predicate, schema(), record),
            (PredicateOutcome{Kind::raised, 2, RaiseCause::index_out_of_range}));
}

}  // namespace
}  // namespace convproof
