#include <cstddef>
#include <iterator>
#include <random>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "selector/rules/located_error.h"
#include "selector/rules/predicate.h"
#include "selector/rules/schema.h"
#include "selector/rules/test_schema.h"

namespace convproof {
namespace {

const Schema& schema() {
  static const Schema instance = load_schema(test_schema_text, "test.json").value();
  return instance;
}

std::string error_of(std::string_view text) {
  const auto expression = parse_condition(text, schema(), {}, "rows[3].match[0]");
  return expression ? "no error" : to_string(expression.error());
}

TEST(ErrorText, points_at_the_cause) {
  EXPECT_EQ(error_of("cuont == 1"),
            "rows[3].match[0]:1 = cuont: unknown name, did you mean `count`?\n"
            "  cuont == 1\n"
            "  ^~~~~");
  EXPECT_EQ(error_of("count == 1 and groups = 2"),
            "rows[3].match[0]:23 = =: compare with `==`\n"
            "  count == 1 and groups = 2\n"
            "                        ^");
  EXPECT_EQ(error_of("count =="),
            "rows[3].match[0]:9 = end of the expression: expected a value\n"
            "  count ==\n"
            "          ^");
}

struct Case {
  std::string_view text;
  std::string_view expected;  // the first line, without the place's path
};

TEST(ErrorText, one_rule_per_cause) {
  for (const Case& c : {
           Case{"", "1 = end of the expression: expected a value"},
           Case{"(1 < 2", "7 = end of the expression: expected `)`"},
           Case{"shape[0 == 1", "13 = end of the expression: expected `]`"},
           Case{"1 < 2 3", "7 = 3: expected an operator or the end of the expression"},
           Case{"4 / 2 == 2", "3 = /: divide with `//`"},
           Case{"flag not shape", "10 = shape: expected `in`"},
           Case{"1 if flag", "10 = end of the expression: expected `else`"},
           Case{"paint == 'red", "10 = 'red: the closing quote is missing"},
           Case{"count == 1.5", "10 = 1.5: not a decimal integer"},
           Case{"count == 012", "10 = 012: an integer does not start with 0"},
           Case{"count == 9223372036854775808",
                "10 = 9223372036854775808: outside the 64-bit integers"},
           Case{"count == 1 ? 2", "12 = ?: unexpected character"},
           Case{"count & 1", "7 = &: unexpected character"},
           Case{"count", "1 = count: a condition is a bool, this is int"},
           Case{"flag == 1", "1 = flag == 1: `==` between bool and int"},
           Case{"shape == flags", "1 = shape == flags: `==` between list[int] and list[bool]"},
           Case{"shape < 1",
                "1 = shape < 1: `<` between list[int] and int: only ints have an order"},
           Case{"count in 3",
                "1 = count in 3: `in` between int and int: the right side must be a list"},
           Case{"flag in shape", "1 = flag in shape: `in` between bool and list[int]"},
           Case{"count + flag > 0", "9 = flag: `+` wants int, this is bool"},
           Case{"not count", "5 = count: `not` wants bool, this is int"},
           Case{"count and flag", "1 = count: `and` wants bool, this is int"},
           Case{"count[0] == 1", "1 = count: `[...]` wants a list, this is int"},
           Case{"paint == 'gren'", "10 = 'gren': no value of colour, did you mean \"green\"?"},
           Case{"'a' == 'b'", "1 = 'a': a text is compared with an enumeration only"},
           Case{"count == 'red'", "10 = 'red': a text is compared with an enumeration only"},
           Case{"paint == count", "1 = paint == count: `==` between colour and int"},
           Case{"[1, flag] == shape", "5 = flag: a list of int holds no bool"},
           Case{"pads == [[1, 2], [3]]",
                "1 = pads == [[1, 2], [3]]: the lists in a list must have one length, but on the "
                "right of `in`"},
           Case{"[[[1]]] == pads", "2 = [[1]]: lists nest two levels at most"},
           Case{"maxx(1, 2) == 2", "1 = maxx: unknown function, did you mean `max`?"},
           Case{"twice(1, 2) == 2", "1 = twice(1, 2): twice takes 1 arguments, not 2"},
           Case{"len(shape, perm) == 2", "1 = len(shape, perm): len takes one list"},
           Case{"all(count)", "5 = count: all wants list[bool], this is int"},
           Case{"all(s for s in shape)", "5 = s: all wants bool, this is int"},
           Case{"all(count > 0 for count in shape)",
                "19 = count: a variable needs a name that nothing else has"},
           Case{"sum(i for i in range(count * count)) == 1",
                "16 = range(count * count): the schema does not bound this range to 64 values"},
           Case{"len(range(3)) == 3",
                "5 = range(3): range stands only after `in` of a comprehension"},
           Case{"twice(x for x in shape) == 1",
                "7 = x for x in shape: a comprehension stands alone in all, any, min, max or sum"},
           Case{"perm == image_labels('bf0x')",
                "22 = 'bf0x': 'x' is not one of b, f and the spatial dimensions 0 to 1"},
           Case{"flag if flag else 3",
                "1 = flag if flag else 3: gives bool or int: both sides must "
                "be of one type"},
       }) {
    const std::string whole = error_of(c.text);
    const std::string first = whole.substr(0, whole.find('\n'));
    EXPECT_EQ(first, fmt::format("rows[3].match[0]:{}", c.expected)) << c.text;
  }
}

TEST(ErrorText, hostile_depth_and_length_are_refused) {
  EXPECT_NE(error_of(std::string(4000, '(')).find("nests deeper"), std::string::npos);
  EXPECT_NE(error_of(std::string(4000, '-')).find("nests deeper"), std::string::npos);
  EXPECT_NE(error_of(std::string(4000, '[')).find("nests deeper"), std::string::npos);
  EXPECT_NE(error_of(std::string(5000, ' ')).find("at most 4096 bytes"), std::string::npos);
  std::string sum = "count";
  for (int i = 0; i < 200; ++i) sum += "+1";
  EXPECT_NE(error_of(sum + " > 0").find("nests deeper"), std::string::npos);
  std::string nots;
  for (int i = 0; i < 500; ++i) nots += "not ";
  EXPECT_NE(error_of(nots + "flag").find("nests deeper"), std::string::npos);
  std::string chain = "'red'";
  for (int i = 0; i < 60; ++i) chain = fmt::format("[{}]", chain);
  EXPECT_NE(error_of(chain + " == 1"), "no error");
  std::string choice = "count";
  for (int i = 0; i < 55; ++i) choice = fmt::format("'red' if flag else ({})", choice);
  EXPECT_NE(error_of(choice + " == paint"), "no error");
}

TEST(ErrorText, a_comprehension_that_multiplies_is_refused) {
  std::string text = "count > 0";
  for (const char* name : {"a", "b", "c", "d", "e", "f"})
    text = fmt::format("all({} for {} in range(40))", text, name);
  EXPECT_NE(error_of(text).find("expands to more than 10000 operations"), std::string::npos);
}

TEST(ErrorText, arbitrary_bytes_give_an_error_or_an_expression) {
  std::mt19937_64 engine(7);
  static constexpr std::string_view pieces[] = {
      "count", "shape", "[",   "]",   "(",    ")",     ",",     "==", "<",   "in ",
      "not ",  "and ",  "or ", "if ", "for ", "else ", "1",     "-",  "//",  "'",
      "red",   "all",   "min", "x",   "\xc3", "\0",    "range", "%",  "True"};
  for (int round = 0; round < 20000; ++round) {
    std::string text;
    const std::size_t length = engine() % 24;
    for (std::size_t i = 0; i < length; ++i) text += pieces[engine() % std::size(pieces)];
    const auto parsed = parse_expression(text, schema(), {}, "t");
    if (parsed) continue;
    EXPECT_LE(parsed.error().column, text.size() + 1);
    EXPECT_FALSE(to_string(parsed.error()).empty());
  }
}

}  // namespace
}  // namespace convproof
