// The command as a new user meets it: what it prints, where, and its exit status.
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "ci/command_fixture.h"

namespace convproof::ci {
namespace {

constexpr std::string_view depthwise_module = R"(HloModule net
ENTRY main {
  image = f32[1,8,12,12] parameter(0)
  filter = f32[8,1,3,3] parameter(1)
  ROOT conv = f32[1,8,12,12] convolution(image, filter), window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01, feature_group_count=8
}
)";

std::string with(std::string_view from, std::string_view to) {
  std::string text(depthwise_module);
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos);
  return text.replace(at, from.size(), to);
}

TEST_F(Cli, checks_a_module) {
  const Outcome result = run("check " + file("net.hlo", depthwise_module));
  EXPECT_EQ(result.status, 0) << result.err;
  EXPECT_NE(result.out.find("equal"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("row conv2d-depthwise -> conv2d_depthwise_f01b_o01i_bf01"),
            std::string::npos)
      << result.out;
  EXPECT_EQ(result.err, "");
}

TEST_F(Cli, a_finding_is_exit_status_1_and_names_the_broken_clause) {
  const Outcome result =
      run("check " + file("net.hlo", with("window={size=3x3 pad=1_1x1_1}",
                                          "window={size=3x3 pad=1_1x1_1 rhs_reversal=1x1}")));
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.out.find("different"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("not any(rhs_reversal)"), std::string::npos) << result.out;
}

TEST_F(Cli, json_has_the_documented_shape) {
  const Outcome result = run("check --format json --seed 9 " + file("net.hlo", depthwise_module));
  ASSERT_EQ(result.status, 0) << result.err;
  const auto document = nlohmann::json::parse(result.out);
  EXPECT_EQ(document["version"], 1);
  EXPECT_EQ(document["seed"], 9);
  EXPECT_EQ(document["registry"], "neuron");
  for (const char* key : {"operations", "equal", "different", "rejected", "raised", "unmatched",
                          "gated", "invalid"}) {
    EXPECT_TRUE(document["summary"][key].is_number_integer()) << key;
  }
  EXPECT_EQ(document["summary"]["golden"]["checked"], 0);
  ASSERT_EQ(document["operations"].size(), 1U);
  for (const char* key : {"name", "file", "line", "op", "class", "row", "kernel", "detail"}) {
    EXPECT_TRUE(document["operations"][0].contains(key)) << key;
  }
  EXPECT_EQ(document["operations"][0]["line"], 5);
}

TEST_F(Cli, select_prints_the_pass_statistics) {
  const Outcome result = run("select " + file("net.hlo", depthwise_module));
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(result.out.find("Percentage of convolution operations matched to kernels: 100.00"),
            std::string::npos)
      << result.out;
}

TEST_F(Cli, explain_shows_every_clause_with_its_values) {
  const Outcome result = run("explain " + file("net.hlo", depthwise_module));
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(result.out.find("taken by row conv2d-depthwise"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("feature_group_count == 1    [8 == 1]"), std::string::npos)
      << result.out;
}

TEST_F(Cli, lower_prints_the_program) {
  const Outcome result = run("lower " + file("net.hlo", depthwise_module));
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(result.out.find("%image = transpose(image), permutation={1,2,3,0}"), std::string::npos)
      << result.out;
  EXPECT_NE(result.out.find("func_name=conv2d_depthwise_f01b_o01i_bf01"), std::string::npos)
      << result.out;
}

TEST_F(Cli, the_experimental_kernels_run_by_explicit_name) {
  const std::string dense = file("net.hlo", R"(HloModule net
ENTRY main {
  image = f32[1,4,6,6] parameter(0)
  filter = f32[5,4,3,3] parameter(1)
  ROOT conv = f32[1,5,6,6] convolution(image, filter), window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01
}
)");
  for (const char* kernel :
       {"Conv2d_pbp_0f1b_0i1o_01fb_experimental_1", "Conv2d_pbp_fb01_io01_01bf_experimental_1"}) {
    const Outcome result = run("check --kernel " + std::string(kernel) + " " + dense);
    EXPECT_EQ(result.status, 0) << result.out << result.err;
    EXPECT_NE(result.out.find(kernel), std::string::npos);
  }
  const Outcome unknown = run("check --kernel nothing " + dense);
  EXPECT_EQ(unknown.status, 2);
  EXPECT_NE(unknown.err.find("kernel = nothing: no row of neuron names it"), std::string::npos)
      << unknown.err;
}

TEST_F(Cli, the_same_seed_gives_the_same_output) {
  const Outcome first = run("check --generate 300 --seed 5 --format json");
  const Outcome second = run("check --generate 300 --seed 5 --format json");
  const Outcome other = run("check --generate 300 --seed 6 --format json");
  EXPECT_EQ(first.out, second.out);
  EXPECT_NE(first.out, other.out);
}

// What a new user does wrong: exit status 2, and a message with place, value and rule.
TEST_F(Cli, wrong_input_is_named) {
  struct Wrong {
    std::string arguments;
    std::string_view message;
  };
  const std::string good = file("net.hlo", depthwise_module);
  const std::string typo = file(
      "table.json", R"({"version": 1, "name": "t", "schema": "convolution", "policy": "first_match",
 "kernels": "neuron-kernels", "lists": [{"name": "l", "rows": [
  {"id": "one", "kernel": "conv2d_column_packing", "match": ["stride == [1, 1] and paddin[0][0] == 0"], "confidence": "certain"}]}]})");
  const std::array wrongs{
      Wrong{"check /nonexistent/model.hlo", "/nonexistent/model.hlo"},
      Wrong{"check " + file("empty.hlo", ""), "is empty"},
      Wrong{"check " + file("binary.hlo", std::string_view("\x7f"
                                                           "ELF\0\0\x01\xff\xfe\0",
                                                           10)),
            "binary.hlo"},
      Wrong{"check " + file("cut.hlo", depthwise_module.substr(0, 170)), "cut.hlo"},
      Wrong{"check --registry neurom " + good, "did you mean `neuron`?"},
      Wrong{"check --registry " + typo + " " + good, "unknown name, did you mean `padding`?"},
      Wrong{"check " + file("huge.hlo", with("f32[1,8,12,12] parameter",
                                             "f32[1,8,12,1099511627776] parameter")),
            "1099511627776"},
      Wrong{"check " + file("stride.hlo", with("size=3x3 pad", "size=3x3 stride=-1x1 pad")), "-1"},
      Wrong{"check " + file("rank.hlo", with("bf01_oi01->bf01", "bf0123_oi0123->bf0123")),
            "spatial dimensions"},
      Wrong{"check " + file("perm.hlo", with("bf01_oi01->bf01", "bf00_oi01->bf01")),
            "occurs twice"},
      Wrong{"check " + file("groups.hlo", with("feature_group_count=8", "feature_group_count=3")),
            "feature_group_count"},
      Wrong{"check --set alt_shape " + good, "NAME=true"},
      Wrong{"check --set alt_shap=true " + good, "did you mean `alt_shape`?"},
      Wrong{"check", "give either files or --generate"},
      Wrong{"chekc " + good, "command = chekc: unknown, did you mean `check`?"},
      Wrong{"check --format yaml " + good, "yaml"},
  };
  for (const Wrong& wrong : wrongs) {
    const Outcome result = run(wrong.arguments);
    EXPECT_EQ(result.status, 2) << wrong.arguments << "\n" << result.out << result.err;
    EXPECT_NE((result.out + result.err).find(wrong.message), std::string::npos)
        << wrong.arguments << "\n"
        << result.out << result.err;
  }
}

TEST_F(Cli, a_bad_operation_does_not_stop_the_file) {
  const Outcome result = run("check " + file("net.hlo", R"(HloModule net
ENTRY main {
  image = f32[1,8,12,12] parameter(0)
  filter = f32[8,1,3,3] parameter(1)
  bad = f32[1,8,12,12] convolution(image, filter), window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01, feature_group_count=5
  ROOT good = f32[1,8,12,12] convolution(image, filter), window={size=3x3 pad=1_1x1_1}, dim_labels=bf01_oi01->bf01, feature_group_count=8
}
)"));
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.out.find("2 operations, 1 equal, 1 invalid"), std::string::npos) << result.out;
}

TEST_F(Cli, more_work_than_the_limit_is_said) {
  const Outcome result = run("check --max-work 10 " + file("net.hlo", depthwise_module));
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(result.out.find("skipped"), std::string::npos) << result.out;
  EXPECT_NE(result.out.find("10368 multiply-adds, more than the limit of 10"), std::string::npos)
      << result.out;
}

TEST_F(Cli, a_report_that_cannot_be_written_is_an_internal_failure) {
  const Outcome result =
      run("check --report /nonexistent/report.json " + file("net.hlo", depthwise_module));
  EXPECT_EQ(result.status, 3);
  EXPECT_NE(result.err.find("/nonexistent/report.json: cannot be written"), std::string::npos)
      << result.err;
}

// The README's table for a made-up accelerator: one dead row, one unsound one, from the files
// alone.
TEST_F(Cli, proves_a_users_own_table) {
  const Outcome result =
      run("prove " CONVPROOF_SOURCE_DIR
          "/ci/examples/accelerator.json --kind shadowed --kind unsound --format json");
  EXPECT_EQ(result.status, 1) << result.err;
  std::set<std::string> found;
  const auto document = nlohmann::json::parse(result.out);
  for (const auto& finding : document["findings"]) {
    if (finding["kind"] == "shadowed" || finding["kind"] == "unsound") {
      found.insert(finding["kind"].get<std::string>() + " " + finding["row"].get<std::string>());
    }
  }
  EXPECT_EQ(found, (std::set<std::string>{"shadowed depthwise-3x3", "unsound dense"}));
}

// Real inputs, where the build was given some.
TEST_F(Cli, checks_every_convolution_of_the_extra_cases) {
  const std::string cases = CONVPROOF_EXTRA_CASES;
  if (cases.empty()) GTEST_SKIP() << "CONVPROOF_EXTRA_CASES is not set";
  const auto summary = [&](const std::string& path) {
    return nlohmann::json::parse(
        run("check --max-work 20000000 --format json " + cases + path).out)["summary"];
  };
  const auto stablehlo = summary("/files/stablehlo");
  EXPECT_EQ(stablehlo["golden"]["checked"], 32);
  EXPECT_EQ(stablehlo["golden"]["equal"], 32);
  const auto iree = summary("/files/iree");
  EXPECT_EQ(iree["golden"]["checked"], 10);
  EXPECT_EQ(iree["golden"]["equal"], 10);
  const auto nodes = summary("/files/onnx-node");
  EXPECT_EQ(nodes["golden"]["checked"], 12);
  EXPECT_EQ(nodes["golden"]["equal"], 12);
  EXPECT_EQ(nodes["invalid"], 1);  // with zero points
  const auto converted = summary("/files/onnx-pytorch-converted");
  EXPECT_EQ(converted["golden"]["checked"], 19);
  EXPECT_EQ(converted["golden"]["equal"], 19);
  const auto benchdnn = summary("/files/benchdnn");
  EXPECT_EQ(benchdnn["operations"], 1161);
  EXPECT_EQ(benchdnn["invalid"], 3);  // extents beyond 2^31
  const auto hlo = summary("/files/hlo");
  EXPECT_EQ(hlo["operations"], 21);
  EXPECT_EQ(hlo["invalid"], 2);  // none and four spatial dimensions
  const auto bugs = summary("/bugs.json");
  EXPECT_EQ(bugs["expectations"]["checked"], 27);
  EXPECT_EQ(bugs["expectations"]["met"], 27);
}

TEST_F(Cli, help_has_an_example_for_each_command) {
  for (const char* command : {"select", "explain", "check", "lower"}) {
    const Outcome result = run(std::string(command) + " --help");
    EXPECT_EQ(result.status, 0);
    EXPECT_NE(result.out.find("example: convproof " + std::string(command)), std::string::npos)
        << result.out;
  }
}

}  // namespace
}  // namespace convproof::ci
