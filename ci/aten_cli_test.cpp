// The command on tables of candidates, as a new user meets it.
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "ci/command_fixture.h"

namespace convproof::ci {
namespace {

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

constexpr std::string_view biased = R"({"version": 1, "cases": [
  {"id": "biased", "aten": {"input": [2, 64, 56, 56], "weight": [64, 64, 3, 3], "bias": 64,
   "padding": [1, 1], "stride": [1, 1], "dilation": [1, 1], "output_padding": [0, 0],
   "dtype": "f16"}}]})";

TEST_F(Cli, selects_every_candidate_with_its_tunings) {
  const Outcome result =
      run("select --format json --registry inductor-forward " + file("case.json", biased));
  EXPECT_EQ(result.status, 0) << result.err;
  const auto operation = nlohmann::json::parse(result.out)["operations"][0];
  EXPECT_EQ(operation["rewrites"], nlohmann::json::array({"bias"}));
  ASSERT_EQ(operation["candidates"].size(), 13U);
  EXPECT_EQ(operation["candidates"][0]["row"], "aten");
  EXPECT_EQ(operation["candidates"][1]["parameters"]["BLOCK_M"], 64);
}

TEST_F(Cli, explains_rewrites_and_rows_of_candidates) {
  const Outcome result = run("explain --registry inductor-forward " + file("case.json", biased));
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_TRUE(contains(result.out, "rewritten by bias")) << result.out;
  EXPECT_TRUE(contains(result.out, "conv2d")) << result.out;
  EXPECT_TRUE(contains(result.out, "12 candidates")) << result.out;
}

TEST_F(Cli, the_environment_decides_which_candidates_there_are) {
  const std::string path = file("case.json", biased);
  const Outcome missing =
      run("select --registry inductor-forward --env conv_aten=false --env autotune=false " + path);
  EXPECT_EQ(missing.status, 1);
  EXPECT_TRUE(contains(missing.out, "no candidate computes the output")) << missing.out;
  const Outcome typo = run("select --registry inductor-forward --env autotun=false " + path);
  EXPECT_EQ(typo.status, 2);
  EXPECT_TRUE(contains(typo.err, "did you mean `autotune`")) << typo.err;
  EXPECT_EQ(run("select --registry inductor-forward --env device=tpu " + path).status, 2);
}

TEST_F(Cli, checks_each_candidate_and_names_the_broken_clause) {
  const std::string path = file("case.json", R"({"version": 1, "cases": [
      {"id": "small", "aten": {"input": [1, 2, 4, 4], "weight": [3, 2, 3, 3], "bias": 3,
       "dtype": "f32"}}]})");
  EXPECT_EQ(run("check --registry inductor-forward " + path).status, 0);
  const Outcome cpu =
      run("check --registry inductor-forward --env device=cpu --env cpu_triton=true " + path);
  EXPECT_EQ(cpu.status, 1);
  EXPECT_TRUE(contains(cpu.out, "breaks the contract, no_bias: not has_bias")) << cpu.out;
  EXPECT_EQ(run("check --registry inductor-forward-repaired --env device=cpu --env "
                "cpu_triton=true " +
                path)
                .status,
            0);
}

TEST_F(Cli, generated_calls_of_the_repaired_tables_are_all_equal) {
  for (const char* table : {"inductor-forward-repaired", "inductor-backward-repaired"}) {
    const Outcome result = run(std::string("check --generate 3000 --registry ") + table);
    EXPECT_EQ(result.status, 0) << result.out;
  }
}

// In the corpus stand calls of both directions and convolutions: each table takes its own.
TEST_F(Cli, the_corpus_holds_what_the_cases_state_of_every_table) {
  for (const char* table :
       {"inductor-forward", "inductor-forward-repaired", "inductor-forward-2.11",
        "inductor-backward", "inductor-backward-repaired", "neuron"}) {
    const Outcome result =
        run(std::string("check --explained-ok --max-work 20000000 " CONVPROOF_SOURCE_DIR
                        "/corpus/inductor --registry ") +
            table);
    EXPECT_EQ(result.status, 0) << table << result.out << result.err;
  }
}

// Finding F11: the gradient of a strided call's input multiplies what it masks.
constexpr std::string_view strided_gradient = R"({"version": 1, "cases": [
  {"id": "strided", "aten": {"input": [1, 1, 4, 4], "weight": [1, 1, 3, 3], "stride": [2, 2],
   "padding": [1, 1], "backward": true, "output_mask": [true, false, false],
   "environment": {"input_triton": true}}}]})";

// Finding F29: the templates multiply masked elements of the input.
constexpr std::string_view padded = R"({"version": 1, "cases": [
  {"id": "padded", "aten": {"input": [1, 1, 4, 4], "weight": [1, 1, 3, 3], "padding": [1, 1]}}]})";

TEST_F(Cli, special_values_show_the_spread_of_nan_in_the_gradient_of_the_input) {
  const std::string path = file("case.json", strided_gradient);
  EXPECT_EQ(run("check --registry inductor-backward " + path).status, 0);
  const Outcome special = run("check --values special --registry inductor-backward " + path);
  EXPECT_EQ(special.status, 1) << special.err;
  EXPECT_TRUE(contains(special.out, "row input-triton -> convolution_backward_input"))
      << special.out;
  EXPECT_TRUE(contains(special.out,
                       "NaN in 15 elements that have none by definition, the first is element 0 "
                       "of the input gradient; element 0 of the weight, as stored, is infinite"))
      << special.out;
}

TEST_F(Cli, special_values_show_the_spread_of_nan_in_padded_calls) {
  const std::string path = file("case.json", padded);
  EXPECT_EQ(run("check --registry inductor-forward " + path).status, 0);
  const Outcome special =
      run("check --values special --format json --registry inductor-forward " + path);
  EXPECT_EQ(special.status, 1) << special.err;
  std::set<std::string> different;
  const auto report = nlohmann::json::parse(special.out);
  for (const auto& operation : report["operations"]) {
    if (operation["class"] != "different") continue;
    different.insert(operation["row"]);
    EXPECT_TRUE(contains(operation["detail"].get<std::string>(), "NaN in 7 elements"));
  }
  EXPECT_EQ(different, std::set<std::string>{"conv2d"});
  EXPECT_EQ(
      run("check --values special --registry inductor-forward --env conv_triton=false " + path)
          .status,
      0);
}

// The clauses that repair the tables are about shapes, which say nothing of the data: masked
// elements are multiplied as before. What masks nothing, and eager execution, shows nothing.
TEST_F(Cli, special_values_show_of_the_repaired_tables_what_masks_multiply) {
  const std::string gradient = file("gradient.json", strided_gradient);
  const std::string forward = file("forward.json", padded);
  const std::string unpadded = file("unpadded.json", R"({"version": 1, "cases": [
      {"id": "unpadded", "aten": {"input": [1, 1, 4, 4], "weight": [1, 1, 3, 3]}}]})");
  const std::string check = "check --values special --registry inductor-";
  EXPECT_EQ(run(check + "forward-repaired " + forward).status, 1);
  EXPECT_EQ(run(check + "forward-repaired " + unpadded).status, 0);
  EXPECT_EQ(run(check + "backward-repaired " + gradient).status, 1);
  EXPECT_EQ(run(check + "backward-repaired --env input_triton=false " + gradient).status, 0);
  EXPECT_EQ(run(check + "forward-repaired --env conv_triton=false --env gemm_triton=false "
                        "--generate 500")
                .status,
            0);
}

TEST_F(Cli, special_values_are_for_calls_of_aten) {
  const Outcome result = run("check --values special --generate 1 --registry neuron");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.err,
            "convproof: --values = special: is for tables about calls of aten, and neuron is about "
            "convolutions\n");
  EXPECT_EQ(run("check --values none --generate 1 --registry inductor-forward").status, 2);
  EXPECT_TRUE(contains(run("check --help").out, "one infinity"));
}

TEST_F(Cli, lower_is_for_tables_of_general_convolutions) {
  const Outcome result = run("lower --registry inductor-forward " + file("case.json", biased));
  EXPECT_EQ(result.status, 2);
  EXPECT_TRUE(contains(result.err, "`select` shows the candidates")) << result.err;
}

TEST_F(Cli, replays_a_saved_call) {
  const std::string path = file("case.json", R"({"version": 1, "cases": [
      {"id": "pointwise", "aten": {"input": [1, 1, 1], "weight": [1, 1, 1], "dtype": "f32"}}]})");
  const Outcome found = run("replay " + path + " --registry inductor-forward --known /dev/null");
  EXPECT_EQ(found.status, 2) << "an empty ledger is refused";
  const Outcome known = run("replay " + path + " --registry inductor-forward");
  EXPECT_TRUE(contains(known.out, "inductor-forward/rejected/mm1x1/conv1x1_via_mm/spatial_dims"))
      << known.out << known.err;
}

}  // namespace
}  // namespace convproof::ci
