#include "selector/rules/explain.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "selector/rules/predicate.h"
#include "selector/rules/schema.h"
#include "selector/rules/test_schema.h"

namespace convproof {
namespace {

TEST(Explain, gives_each_clause_its_outcome_and_the_values_it_reads) {
  const Schema schema = load_schema(test_schema_text, "test.json").value();
  std::vector<std::int64_t> record(schema.record_size, 0);
  const auto set = [&](const char* name, std::vector<std::int64_t> cells) {
    std::ranges::copy(cells, record.begin() + schema.find_attribute(name)->slot);
  };
  set("count", {-3});
  set("groups", {64});
  set("shape", {2, 5, 6});
  set("perm", {2, 1, 0});
  const std::vector<ClauseSource> clauses{{.text = "groups > limit", .place = "m[0]"},
                                          {.text = "rows == count", .place = "m[1]"},
                                          {.text = "columns // count == 0", .place = "m[2]"}};
  const auto predicate = parse_predicate(clauses, schema, {{"limit", Type::integer(), 7}});
  ASSERT_TRUE(predicate);
  const auto explained = explain(*predicate, schema, record);
  ASSERT_EQ(explained.size(), 3U);
  using Kind = ClauseExplanation::Kind;
  EXPECT_EQ(explained[0],
            (ClauseExplanation{
                Kind::holds, "groups > limit", "64 > 7", "", {{"groups", "64"}, {"limit", "7"}}}));
  EXPECT_EQ(explained[1],
            (ClauseExplanation{
                Kind::fails,
                "rows == count",
                "6 == -3",
                "",
                {{"rows", "6"}, {"shape", "[5, 6]"}, {"perm", "[1, 0]"}, {"count", "-3"}}}));
  EXPECT_EQ(explained[2].kind, Kind::not_reached);
  EXPECT_EQ(explained[2].substituted, "5 // -3 == 0");
}

TEST(Explain, says_what_raised) {
  const Schema schema = load_schema(test_schema_text, "test.json").value();
  const std::vector<std::int64_t> record(schema.record_size, 0);
  const std::vector<ClauseSource> clauses{{.text = "rows == 1", .place = "m[0]"}};
  const auto predicate = parse_predicate(clauses, schema, {});
  ASSERT_TRUE(predicate);
  const auto explained = explain(*predicate, schema, record);
  EXPECT_EQ(explained[0].kind, ClauseExplanation::Kind::raises);
  EXPECT_EQ(explained[0].message, "list index out of range");
  EXPECT_EQ(explained[0].substituted, "rows == 1");
  EXPECT_EQ(explained[0].values[0].value, "raises: list index out of range");
}

}  // namespace
}  // namespace convproof
