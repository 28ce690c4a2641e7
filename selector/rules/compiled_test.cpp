#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "selector/registries/embedded.h"
#include "selector/rules/neuron_rows.h"
#include "selector/rules/predicate.h"
#include "selector/rules/program.h"
#include "selector/rules/random_expression.h"
#include "selector/rules/reference.h"
#include "selector/rules/schema.h"
#include "selector/rules/test_schema.h"

namespace convproof {
namespace {

const Schema& schema() {
  static const Schema instance = load_schema(test_schema_text, "test.json").value();
  return instance;
}

RandomExpression generator(std::uint64_t seed) {
  return {schema(), [engine = std::mt19937_64(seed)](std::uint32_t bound) mutable {
            return static_cast<std::uint32_t>(engine() % bound);
          }};
}

Predicate predicate_of(const std::vector<std::string>& texts) {
  std::vector<ClauseSource> clauses;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    ClauseSource clause{.text = texts[i], .place = fmt::format("match[{}]", i)};
    if (i % 4 == 3) clause.message = "must hold";
    clauses.push_back(std::move(clause));
  }
  auto predicate = parse_predicate(clauses, schema(), {{"on", Type::boolean(), 1}});
  EXPECT_TRUE(predicate) << to_string(predicate.error());
  return predicate ? std::move(*predicate) : Predicate{};
}

std::string joined(const std::vector<std::string>& texts) {
  std::string all;
  for (const std::string& text : texts) all += text + "\n";
  return all;
}

TEST(Compiled, agrees_with_the_reference_on_random_tables_and_records) {
  int kinds[3] = {0, 0, 0};
  for (std::uint64_t seed = 0; seed < 1500; ++seed) {
    RandomExpression random = generator(seed);
    std::vector<Predicate> rows;
    std::string texts;
    for (int row = 0; row < 4; ++row) {
      std::vector<std::string> clauses;
      for (int clause = 0; clause < 1 + row; ++clause)
        clauses.push_back(random.condition(static_cast<std::uint32_t>(seed % 4)));
      texts += joined(clauses) + "--\n";
      rows.push_back(predicate_of(clauses));
      if (HasFailure()) FAIL() << texts;
    }
    const auto program = compile_table(rows, schema());
    ASSERT_TRUE(program) << to_string(program.error()) << "\n" << texts;
    Workspace workspace = program->make_workspace();
    for (int draw = 0; draw < 30; ++draw) {
      const std::vector<std::int64_t> record = random.record();
      const TableOutcome expected = evaluate(rows, schema(), record);
      ASSERT_EQ(program->first_match(record, workspace), expected) << "seed " << seed << "\n"
                                                                   << texts;
      ++kinds[static_cast<int>(expected.kind)];
      for (std::size_t row = 0; row < rows.size(); ++row) {
        ASSERT_EQ(program->run_row(row, record, workspace), evaluate(rows[row], schema(), record))
            << "seed " << seed << " row " << row << "\n"
            << texts;
      }
    }
  }
  // The comparison is empty unless each outcome occurs often.
  for (const int count : kinds) EXPECT_GT(count, 1000);
}

TEST(Compiled, computes_the_values_of_a_row_that_matches_as_the_reference_does) {
  int computed = 0;
  for (std::uint64_t seed = 0; seed < 600; ++seed) {
    RandomExpression random = generator(seed);
    std::vector<Predicate> rows;
    std::vector<std::vector<Expression>> values;
    std::string texts;
    for (int row = 0; row < 3; ++row) {
      const std::vector<std::string> clauses(static_cast<std::size_t>(row % 2), "on");
      rows.push_back(predicate_of(clauses));
      values.emplace_back();
      for (int i = 0; i < 3; ++i) {
        const std::string text = random.condition(static_cast<std::uint32_t>(1 + seed % 3));
        const std::string number = fmt::format("3 + (5 if ({}) else 7) * 2", text);
        auto value = parse_expression(i == 0 ? text : number, schema(), rows.back().parameters, "");
        ASSERT_TRUE(value) << to_string(value.error());
        values.back().push_back(std::move(*value));
        texts += number + "\n";
      }
    }
    const auto program = compile_table(rows, schema(), values);
    ASSERT_TRUE(program) << to_string(program.error()) << "\n" << texts;
    Workspace workspace = program->make_workspace();
    for (int draw = 0; draw < 20; ++draw) {
      const std::vector<std::int64_t> record = random.record();
      for (std::size_t row = 0; row < rows.size(); ++row) {
        const PredicateOutcome outcome = program->run_row(row, record, workspace);
        bool raised = false;
        for (std::size_t i = 0; i < values[row].size() && !raised; ++i) {
          const auto expected = evaluate(values[row][i], schema(), record);
          raised = !expected;
          if (raised || outcome.kind != PredicateOutcome::Kind::matched) continue;
          ASSERT_EQ(program->value(row, i, workspace), expected->number) << texts;
          ++computed;
        }
        ASSERT_EQ(outcome.kind == PredicateOutcome::Kind::raised, raised) << texts;
        if (raised) {
          ASSERT_EQ(outcome.clause, rows[row].clauses.size());
        }
      }
    }
  }
  EXPECT_GT(computed, 10'000);
}

TEST(Compiled, agrees_with_the_reference_on_the_neuron_rows) {
  const Schema convolution =
      load_schema(embedded_file("convolution.schema.json").value(), "convolution.schema.json")
          .value();
  const std::vector<Predicate> rows = neuron_rows(convolution);
  const auto program = compile_table(rows, convolution);
  ASSERT_TRUE(program);
  Workspace workspace = program->make_workspace();
  RandomExpression random(convolution, [engine = std::mt19937_64(3)](std::uint32_t bound) mutable {
    return static_cast<std::uint32_t>(engine() % bound);
  });
  int matched = 0;
  for (int draw = 0; draw < 20000; ++draw) {
    std::vector<std::int64_t> record = random.record();
    // Of independent draws nearly none gets past the guards: two spatial dimensions, perms that are
    // permutations, and mostly no dilation of the image and no batch groups.
    for (const Attribute& attribute : convolution.attributes) {
      const std::size_t at = attribute.slot;
      if (attribute.max_length > 0) record[at] = attribute.max_length - 1;
      if (attribute.name.ends_with("_perm")) {
        std::iota(record.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                  record.begin() + static_cast<std::ptrdiff_t>(at) + 5, 0);
        std::rotate(record.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                    record.begin() + static_cast<std::ptrdiff_t>(at) + 1 + draw % 4,
                    record.begin() + static_cast<std::ptrdiff_t>(at) + 5);
      }
      if (attribute.name == "lhs_dilation" && draw % 5 > 0) record[at + 1] = record[at + 2] = 1;
      if (attribute.name == "batch_group_count" && draw % 3 > 0) record[at] = 1;
    }
    const TableOutcome expected = evaluate(rows, convolution, record);
    ASSERT_EQ(program->first_match(record, workspace), expected) << draw;
    matched += expected.kind == TableOutcome::Kind::matched ? 1 : 0;
  }
  EXPECT_GT(matched, 100);
}

TEST(Compiled, folds_parameters) {
  const Predicate predicate = predicate_of({"count == 3 or on", "flag or not on"});
  const auto program = compile_predicate(predicate, schema());
  ASSERT_TRUE(program);
  // `on` is true: the first clause is, and `count` is never read.
  std::vector<bool> read(schema().attributes.size(), false);
  for (std::size_t i = 0; i < read.size(); ++i) read[i] = schema().attributes[i].name == "flag";
  EXPECT_EQ(program->attributes_read(), read);
}

TEST(Compiled, an_empty_table_matches_nothing_and_an_empty_row_everything) {
  const auto none = compile_table({}, schema());
  ASSERT_TRUE(none);
  Workspace workspace = none->make_workspace();
  EXPECT_EQ(none->first_match(workspace), TableOutcome{});
  const auto all = compile_predicate({}, schema());
  ASSERT_TRUE(all);
  workspace = all->make_workspace();
  EXPECT_EQ(all->first_match(workspace).kind, TableOutcome::Kind::matched);
}

TEST(Compiled, a_raise_in_an_earlier_row_stops_the_table) {
  const std::vector<Predicate> rows{predicate_of({"count == 0", "shape[3] == 1"}),
                                    predicate_of({"True"})};
  const auto program = compile_table(rows, schema());
  ASSERT_TRUE(program);
  Workspace workspace = program->make_workspace();
  const std::vector<std::int64_t> record(schema().record_size, 0);
  EXPECT_EQ(program->first_match(record, workspace),
            (TableOutcome{TableOutcome::Kind::raised, 0, 1, RaiseCause::index_out_of_range}));
}

TEST(Compiled, a_table_that_doubles_at_each_definition_is_refused) {
  std::string text = R"({"version": 1, "name": "doubling",
    "attributes": [{"name": "a", "type": "int", "bounds": [0, 9]}],
    "definitions": {"d0": "a")";
  for (int i = 1; i < 80; ++i)
    text += fmt::format(R"(, "d{0}": "d{1} + 1 if a > {0} else d{1} * 2")", i, i - 1);
  text += "}}";
  const auto doubling = load_schema(text, "doubling.json");
  ASSERT_TRUE(doubling) << to_string(doubling.error());
  const std::vector<ClauseSource> clauses{{.text = "d79 > 0", .place = "match[0]"}};
  const auto predicate = parse_predicate(clauses, *doubling, {});
  ASSERT_TRUE(predicate);
  const auto program = compile_predicate(*predicate, *doubling);
  ASSERT_FALSE(program);
  EXPECT_EQ(program.error().error.rule, "the table is too large once it is expanded");
}

}  // namespace
}  // namespace convproof
