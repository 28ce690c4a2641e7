#include "selector/registry/collector.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "selector/op/conv_op.h"
#include "selector/registry/conv_subject.h"
#include "selector/registry/registry.h"

namespace convproof {
namespace {

// Candidates for general convolutions: nothing of the policy belongs to one schema.
std::string table(std::string_view steps, std::string_view row_steps = "[]") {
  return fmt::format(R"json({{
  "version": 1, "name": "tiles", "schema": "convolution", "policy": "collect_all",
  "kernels": "neuron-kernels",
  "results": [{{"name": "output", "requested": "True"}}],
  "configurations": {{"tiles": {{
    "parameters": ["rows", "warps"],
    "entries": [[64, 8], [128, 8], [256, 2]],
    "steps": {}}}}},
  "lists": [
    {{"name": "first", "policy": "rewrite", "rows": [
      {{"id": "pointwise", "kernel": "conv2d_column_packing", "match": ["HF == 1", "WF == 1"]}}]}},
    {{"name": "candidates", "rows": [
      {{"id": "plain", "kernel": "conv2d_column_packing", "match": ["feature_group_count == 1"],
        "append": ["NR > 1"], "results": ["output"]}},
      {{"id": "tiled", "kernel": "conv2d_column_packing", "match": ["spatial_dims == 2"],
        "configurations": "tiles", "steps": {}, "results": ["output"]}}]}}]}})json",
                     steps, row_steps);
}

ConvOp convolution(std::int64_t batch, std::int64_t window) {
  ConvOp op;
  op.in_shape = {batch, 4, 9, 9};
  op.kern_shape = {6, 4, window, window};
  op.in_perm = op.kern_perm = op.out_perm = identity_perm(4);
  op.window = {WindowDim{}, WindowDim{}};
  op.res_shape = infer_result_shape(op);
  return op;
}

std::string collected(const Registry& registry, const ConvOp& op) {
  auto collector = Collector::compile(registry);
  EXPECT_TRUE(collector) << to_string(collector.error());
  if (!collector) return "";
  fill_record(op, convolution_binding(), collector->record());
  std::string text;
  const TableOutcome rewrite = collector->rewrite();
  if (rewrite.kind == TableOutcome::Kind::matched) text += registry.rows[rewrite.row].id + "!";
  std::vector<Candidate> candidates;
  EXPECT_TRUE(collector->collect(candidates));
  for (const Candidate& candidate : candidates) {
    text += " " + registry.rows[candidate.row].id;
    for (const std::int64_t value : candidate.values) text += fmt::format(":{}", value);
  }
  return text;
}

std::string collected(const std::string& text, const ConvOp& op) {
  auto registry = load_registry(text, "tiles.json");
  EXPECT_TRUE(registry) << to_string(registry.error());
  return registry ? collected(*registry, op) : "";
}

std::string refusal(const std::string& text) {
  const auto registry = load_registry(text, "tiles.json");
  return registry ? "" : to_string(registry.error());
}

TEST(Collector, offers_every_row_that_matches_with_each_of_its_tunings) {
  EXPECT_EQ(collected(table("[]"), convolution(2, 3)), " plain tiled:64:8 tiled:128:8 tiled:256:2");
}

TEST(Collector, a_row_whose_append_filter_fails_is_not_offered) {
  EXPECT_EQ(collected(table("[]"), convolution(1, 3)), " tiled:64:8 tiled:128:8 tiled:256:2");
}

TEST(Collector, names_the_first_rewrite_that_matches) {
  EXPECT_EQ(collected(table("[]"), convolution(1, 1)).substr(0, 10), "pointwise!");
}

TEST(Collector, steps_see_the_values_of_the_steps_before_them) {
  // 2 samples of 7x7 positions: 98 rows.
  const std::string text =
      table(R"json([{"set": {"rows": "min(rows, NR * K0 * K1)", "warps": "rows // 32"}
},
                {"keep": "warps * rows < 500"}])json");
  EXPECT_EQ(collected(text, convolution(2, 3)), " plain tiled:64:2 tiled:98:4");
}

TEST(Collector, of_equal_tunings_the_first_is_kept_and_steps_of_the_row_come_after_that) {
  const std::string clamp = R"json([{"set": {"rows": "min(rows, NR * 16)"}
}, {"unique": true}])json";
  EXPECT_EQ(collected(table(clamp), convolution(2, 3)), " plain tiled:32:8 tiled:32:2");
  const std::string cap = R"json([{"set": {"warps": "min(warps, 2)"
}
}])json";
  EXPECT_EQ(collected(table(clamp, cap), convolution(2, 3)), " plain tiled:32:2 tiled:32:2");
}

TEST(Collector, refuses_steps_that_say_nothing_or_name_what_is_not_there) {
  EXPECT_NE(refusal(table(R"json([{"sett": {"rows": "1"}}])json")).find("did you mean `set`"),
            std::string::npos);
  EXPECT_NE(refusal(table(R"json([{"set": {"row": "1"}}])json")).find("did you mean `rows`"),
            std::string::npos);
  EXPECT_NE(refusal(table(R"json([{"set": {"rows": "warp"}}])json")).find("warps"),
            std::string::npos);
  EXPECT_NE(refusal(table(R"json([{"keep": "rows"}])json")).find("configurations.tiles.steps[0]"),
            std::string::npos);
  EXPECT_NE(refusal(table("[{}]")).find("must have `set`, `keep` or `unique`"), std::string::npos);
}

// The inner `warps` is the constant of the entry, which keeps its name.
TEST(Collector, a_contract_reads_what_a_tuning_makes_of_its_parameters) {
  const auto registry = load_registry(table(R"json([{"set": {"warps": "min(warps, NR)"}
}])json"),
                                      "tiles.json");
  ASSERT_TRUE(registry) << to_string(registry.error());
  const std::vector<Parameter> scope{{"warps", Type::integer(), 0}};
  const auto condition = parse_condition("warps * 2 <= NR", registry->schema, scope, "contract");
  ASSERT_TRUE(condition) << to_string(condition.error());
  const Row& row = registry->rows[2];
  const auto clause =
      tuned_clause({*condition, {}}, {"warps"}, registry->configurations[*row.configuration_index],
                   row.tunings[1]);
  ASSERT_TRUE(clause);
  EXPECT_EQ(to_string(*clause), "min(warps, NR) * 2 <= NR");
}

}  // namespace
}  // namespace convproof
