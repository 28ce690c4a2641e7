#include "selector/rules/schema.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "selector/rules/located_error.h"
#include "selector/rules/test_schema.h"

namespace convproof {
namespace {

std::string error_of(std::string_view text) {
  const auto schema = load_schema(text, "s.json");
  return schema ? "no error" : to_string(schema.error());
}

// A schema with one attribute `a` and the given further members.
std::string with(std::string_view members) {
  return R"j({"version": 1, "name": "s", "attributes": [{"name": "a", "type": "int", "bounds": [0, 9]}])j" +
         std::string(members.empty() ? "" : ", ") + std::string(members) + "}";
}

TEST(Schema, lays_attributes_out_one_after_the_other) {
  const Schema schema = load_schema(test_schema_text, "test.json").value();
  std::size_t next = 0;
  for (const Attribute& attribute : schema.attributes) {
    EXPECT_EQ(attribute.slot, next) << attribute.name;
    next += attribute.slot_count;
  }
  EXPECT_EQ(schema.record_size, next);
  EXPECT_EQ(schema.find_attribute("pads")->slot_count, 7U);
  EXPECT_EQ(schema.find_attribute("shape")->slot_count, 5U);
}

TEST(Schema, puts_definitions_after_what_they_use) {
  const Schema schema = load_schema(test_schema_text, "test.json").value();
  ASSERT_EQ(schema.definitions.size(), 6U);
  EXPECT_EQ(schema.definitions[0].name, "rows");
  EXPECT_EQ(schema.definitions[2].name, "area");
}

TEST(Schema, names_the_place_of_each_mistake) {
  EXPECT_EQ(error_of(with("")), "no error");
  EXPECT_EQ(error_of("{\n  \"version\": 1,,\n}"),
            "s.json:2:16: is no JSON\n    \"version\": 1,,\n                 ^");
  EXPECT_EQ(error_of("[]"), "s.json = array: must be an object");
  EXPECT_EQ(error_of(R"j({"version": 2})j"), "s.json: version = 2: must be 1");
  EXPECT_EQ(error_of(with(R"j("axiom": [])j")),
            "s.json: axiom: no member of a schema, did you mean `axioms`?");
  EXPECT_EQ(error_of(with(R"j("definitions": {"b": "c", "c": "b"})j")),
            "s.json: definitions.c:1 = b: is defined through itself\n  b\n  ^");
  EXPECT_EQ(error_of(with(R"j("definitions": {"a": "1"})j")),
            "s.json: definitions.a = a: is a name of the schema already");
  EXPECT_EQ(error_of(with(R"j("definitions": {"if": "1"})j")),
            "s.json: definitions.if = if: is no name that an expression can use");
  EXPECT_EQ(
      error_of(with(R"j("functions": [{"name": "f", "parameters": ["x"], "body": "f(x)"}])j")),
      "s.json: functions[0].body:1 = f: is defined through itself\n  f(x)\n  ^");
  EXPECT_EQ(error_of(with(R"j("functions": [{"name": "f", "parameters": ["x"], "body": "a"}])j")),
            "s.json: functions[0].body:1 = a: unknown name\n  a\n  ^");
  EXPECT_EQ(
      error_of(with(
          R"j("axioms": [{"id": "i", "holds": "a > b", "place": "a", "rule": "must be big"}])j")),
      "s.json: axioms[0].holds:5 = b: unknown name\n  a > b\n      ^");
  EXPECT_EQ(
      error_of(with(
          R"j("axioms": [{"id": "i", "holds": "a > 1", "place": "a", "rule": "{b} is big"}])j")),
      "s.json: axioms[0].rule = b: is no name of the schema");
  EXPECT_EQ(
      error_of(R"j({"version": 1, "name": "s", "attributes": [{"name": "a", "type": "float"}]})j"),
      "s.json: attributes[0].type = float: must be int, bool, an enumeration of the schema, or "
      "a list of these");
  EXPECT_EQ(
      error_of(R"j({"version": 1, "name": "s", "attributes": [{"name": "a", "type": "int"}]})j"),
      "s.json: attributes[0].bounds: an int needs bounds [LOW, HIGH]");
  EXPECT_EQ(
      error_of(
          R"j({"version": 1, "name": "s", "attributes": [{"name": "a", "type": "list[bool]", "max_length": 65}]})j"),
      "s.json: attributes[0].max_length = 65: a list needs a length of 1 to 64");
}

}  // namespace
}  // namespace convproof
