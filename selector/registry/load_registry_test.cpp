#include <cstddef>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "selector/registries/embedded.h"
#include "selector/registry/registry.h"

namespace convproof {
namespace {

constexpr std::string_view small_table = R"({
  "version": 1, "name": "small", "schema": "convolution", "policy": "first_match",
  "kernels": "neuron-kernels",
  "gate": "spatial_dims == 2",
  "options": {"wide": {"default": false}},
  "lists": [{"name": "only", "rows": [
    {"id": "one", "kernel": "conv2d_column_packing",
     "match": ["feature_group_count == 1",
               {"assert": "N == NR", "message": "batches differ"}],
     "layout": {"in": "fb01", "kern": "io01", "out": "01bf"}, "confidence": "certain"}
  ]}]
})";

std::string replaced(std::string_view from, std::string_view to) {
  std::string text(small_table);
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string problem(const std::string& text) {
  const auto registry = load_registry(text, "small.json");
  return registry ? std::string() : to_string(registry.error());
}

TEST(LoadRegistry, reads_a_whole_table) {
  const auto registry = load_registry(small_table, "small.json");
  ASSERT_TRUE(registry) << to_string(registry.error());
  ASSERT_EQ(registry->rows.size(), 1U);
  EXPECT_EQ(registry->rows[0].line, 7);
  EXPECT_EQ(registry->rows[0].facts[1].confidence, "certain");
  EXPECT_EQ(registry->rows[0].facts[1].line, 9);
  EXPECT_EQ(registry->rows[0].predicate.clauses[1].message, "batches differ");
}

TEST(LoadRegistry, every_built_in_table_loads_and_keeps_its_confidence) {
  const auto names = registry_names();
  EXPECT_GE(names.size(), 3U);
  for (const std::string& name : names) {
    const auto registry = find_registry(name);
    ASSERT_TRUE(registry) << to_string(registry.error());
    EXPECT_EQ(registry->name, name);
    for (const Row& row : registry->rows) {
      EXPECT_FALSE(row.confidence.empty()) << row.id;
      for (const ClauseFacts& facts : row.facts) EXPECT_FALSE(facts.confidence.empty()) << row.id;
    }
    for (const KernelInfo& kernel : registry->kernels.kernels) {
      for (const ContractClause& clause : kernel.contract)
        EXPECT_FALSE(clause.confidence.empty()) << clause.id;
    }
  }
}

TEST(LoadRegistry, a_misspelt_attribute_is_shown_with_a_caret_and_the_nearest_name) {
  EXPECT_EQ(problem(replaced("feature_group_count == 1", "feature_group_cout == 1")),
            "small.json:8: row one, match[0]:1 = feature_group_cout: unknown name, did you mean "
            "`feature_group_count`?\n"
            "  feature_group_cout == 1\n"
            "  ^~~~~~~~~~~~~~~~~~");
}

TEST(LoadRegistry, names_file_line_path_value_and_rule) {
  EXPECT_EQ(problem(replaced("\"kernel\": \"conv2d_column_packing\"",
                             "\"kernel\": \"conv2d_column_paking\"")),
            "small.json:7: lists[0].rows[0].kernel = conv2d_column_paking: is no kernel of the set "
            "`neuron-kernels`, did you mean "
            "`conv2d_column_packing`?");
  EXPECT_EQ(problem(replaced("\"layout\"", "\"layuot\"")),
            "small.json:10: lists[0].rows[0].layuot: unknown key, did you mean `layout`?");
  EXPECT_EQ(problem(replaced("\"fb01\"", "\"fb02\"")),
            "small.json:10: lists[0].rows[0].layout.in = fb02: '2' is not one of b, f and the "
            "spatial dimensions 0 to 1");
  EXPECT_EQ(problem(replaced("\"id\": \"one\"", "\"id\": 1")),
            "small.json:7: lists[0].rows[0].id = 1: must be a string");
  EXPECT_EQ(problem(replaced("\"policy\": \"first_match\"", "\"policy\": \"best\"")),
            "small.json:2: policy = best: must be first_match or collect_all");
  EXPECT_EQ(problem(replaced("\"version\": 1, ", "")), "small.json:1: `version` is missing");
  EXPECT_EQ(problem(replaced("\"name\": \"only\"", "\"name\": \"only\", \"when\": \"narrow\"")),
            "small.json:6: lists[0].when = narrow: is none of the options");
}

TEST(LoadRegistry, refuses_what_is_no_table) {
  EXPECT_EQ(problem(""), "small.json: is empty");
  EXPECT_EQ(problem("[]"), "small.json:1: must be a JSON object");
  EXPECT_EQ(problem("{\n  \"version\": 1,\n  oops\n}"), "small.json:3:3: is no valid JSON here");
  EXPECT_EQ(problem("{\"version\": 1e999}"), "small.json: holds a number that is out of range");
  EXPECT_EQ(problem(std::string(100, '[')), "small.json: must not nest deeper than 64 levels");
}

TEST(LoadRegistry, refuses_unknown_options_and_registries) {
  const OptionValue unknown{.name = "wiide", .value = 1};
  const auto registry = load_registry(small_table, "small.json", std::span(&unknown, 1));
  ASSERT_FALSE(registry);
  EXPECT_EQ(to_string(registry.error()), "option = wiide: unknown, did you mean `wide`?");

  const auto misspelt = find_registry("neuron-repared");
  ASSERT_FALSE(misspelt);
  EXPECT_NE(to_string(misspelt.error()).find("did you mean `neuron-repaired`?"), std::string::npos);
  const auto missing = find_registry("nowhere/table.json");
  ASSERT_FALSE(missing);
  EXPECT_EQ(to_string(missing.error()), "nowhere/table.json: cannot be opened");
}

TEST(KernelSet, clauses_of_a_switch_belong_to_the_contract_only_while_it_is_on) {
  const auto plain = find_registry("neuron");
  const OptionValue on{.name = "onchip_replication", .value = 1};
  const auto replicated = find_registry("neuron", std::span(&on, 1));
  ASSERT_TRUE(plain && replicated);
  EXPECT_FALSE(plain->kernels.device.onchip_replication);
  EXPECT_TRUE(replicated->kernels.device.onchip_replication);
  const std::size_t dense = *plain->kernels.find("Conv2d_dw_fb01_io01_01bf_rep_nhwc_Pcinh");
  EXPECT_EQ(plain->kernels.kernels[dense].contract.size() + 1,
            replicated->kernels.kernels[dense].contract.size());
}

}  // namespace
}  // namespace convproof
