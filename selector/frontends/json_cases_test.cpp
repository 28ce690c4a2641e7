#include "selector/frontends/json_cases.h"

#include <cstddef>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "selector/frontends/document.h"

namespace convproof {
namespace {

Document read(std::string_view text) {
  auto document = read_json_cases(text, "c.json");
  EXPECT_TRUE(document) << to_string(document.error());
  return document ? *document : Document{};
}

std::string failure(std::string_view text) {
  const auto document = read_json_cases(text, "c.json");
  return document ? "read" : to_string(document.error());
}

std::string text_of(const FoundOp& found) {
  return found.op ? to_string(*found.op) : to_string(found.op.error());
}

// One case of the form `hlo`, with `extra` before its closing brace.
std::string hlo_case(const std::string& extra) {
  return R"([
  {"id": "one", "frontend": "hlo", "lhs": [1, 8, 8, 4], "rhs": [3, 3, 2, 16],
   "dim_labels": "b01f_01io->b01f", "dtype": "f32", "feature_group_count": 2)" +
         extra + "}]";
}

TEST(JsonCases, the_hlo_form_is_read) {
  const Document document = read(hlo_case(
      R"(, "window": {"size": [3, 3], "stride": [2, 1], "pad": [[0, 1], [-1, 2]],
      "lhs_dilate": [1, 2], "rhs_dilate": [2, 1], "rhs_reversal": [1, 0]},
      "expect": {"out_shape": [1, 3, 14, 16]}, "why": "w", "class": "x", "run": "full")"));
  ASSERT_EQ(document.ops.size(), 1U);
  EXPECT_EQ(document.ops[0].name, "one");
  EXPECT_EQ(to_string(document.ops[0].place), "c.json:2:3");
  EXPECT_EQ(text_of(document.ops[0]),
            "f32[1,8,8,4] x f32[3,3,2,16] -> f32[1,3,14,16], b01f_01io->b01f, stride=2x1, "
            "pad=0_1x-1_2, lhs_dilate=1x2, rhs_dilate=2x1, rhs_reversal=1x0, "
            "feature_group_count=2");
  ASSERT_TRUE(document.ops[0].expectation);
  EXPECT_EQ(document.ops[0].expectation->out_shape, (Shape{1, 3, 14, 16}));
  EXPECT_FALSE(document.ops[0].expectation->error);
}

TEST(JsonCases, missing_parts_are_neutral_and_flags_are_kept) {
  const Document document =
      read(hlo_case(R"(, "result_dtype": "f64", "is_pglt": true, "kernel_is_graph_input": false)"));
  EXPECT_EQ(text_of(document.ops.at(0)),
            "f32[1,8,8,4] x f32[3,3,2,16] -> f64[1,6,6,16], b01f_01io->b01f, "
            "feature_group_count=2, kernel=intermediate, is_pglt");
}

TEST(JsonCases, a_bad_case_names_place_field_value_and_rule) {
  const auto error = [](const std::string& extra) {
    return text_of(read(hlo_case(extra)).ops.at(0));
  };
  EXPECT_EQ(error(R"(, "batch_group_count": 1.5)"),
            "c.json:2:3 = batch_group_count = 1.5: must be an integer");
  EXPECT_EQ(error(R"(, "batch_group_count": 18446744073709551615)"),
            "c.json:2:3 = batch_group_count = 18446744073709551615: must be an integer");
  EXPECT_EQ(error(R"(, "window": {"strid": [1, 1]})"),
            "c.json:2:3 = strid = [1,1]: is not a known key; stride is");
  EXPECT_EQ(error(R"(, "window": {"stride": [1]})"),
            "c.json:2:3 = window.stride = [1]: must be an array of 2 entries");
  EXPECT_EQ(error(R"(, "window": {"pad": [[1, 1], [1]]})"),
            "c.json:2:3 = window.pad[1] = [1]: must be a pair");
  EXPECT_EQ(error(R"(, "window": {"size": [3, 2]})"),
            "c.json:2:3 = window.size[1] = 2: must be the kernel's extent 3");
  EXPECT_EQ(error(R"(, "window": {"stride": [0, 1]})"),
            "c.json:2:3 = window[0].stride = 0: must be between 1 and 2147483647");
  EXPECT_EQ(error(R"(, "window": {"pad": [[-9, 0], [0, 0]]})"),
            "c.json:2:3 = window[0] = -1: padded extent must not be negative");
  EXPECT_EQ(error(R"(, "bach_group_count": 2)"),
            "c.json:2:3 = bach_group_count = 2: is not a known key; batch_group_count is");
  EXPECT_EQ(error(R"(, "dtype": "f33")"),
            "c.json:2:3 = dtype = f33: is not a known element type (f64, f32, bf16, f16, "
            "f8e4m3fn, f8e5m2, s8, u8, s16, s32, s64)");
  EXPECT_EQ(error(R"(, "lhs": [1, 2])"),
            "c.json:2:3 = dim_labels = b01f_01io->b01f: must name the 2 dimensions of lhs and the "
            "4 of rhs");
  EXPECT_EQ(error(R"(, "frontend": "onnx")"), "c.json:2:3 = frontend = onnx: must be hlo or aten");
  EXPECT_EQ(error(R"(, "run": 3)").substr(0, 17), "c.json:2:3 = case");
}

std::string aten_case(const std::string& extra) {
  return R"([{"id": "a", "frontend": "aten", "op": "convolution", "input": [1, 4, 9, 9],
  "weight": [6, 4, 3, 3], "bias": [6], "stride": [2, 2], "padding": [1, 1], "dilation": [1, 1],
  "transposed": false, "output_padding": [0, 0], "groups": 1, "dtype": "f16")" +
         extra + "}]";
}

TEST(JsonCases, the_aten_form_is_translated) {
  EXPECT_EQ(text_of(read(aten_case("")).ops.at(0)),
            "f16[1,4,9,9] x f16[6,4,3,3] -> f16[1,6,5,5], bf01_oi01->bf01, stride=2x2, "
            "pad=1_1x1_1");
  const std::string backward = R"(, "op": "convolution_backward", "grad_output": [1, 6, 5, 5], )";
  EXPECT_EQ(text_of(read(aten_case(backward + R"("output_mask": [1, 0, 0],
                                                "expect": {"of": "grad_input"})"))
                        .ops.at(0)),
            "f16[1,6,5,5] x f16[6,4,3,3] -> f16[1,4,9,9], bf01_io01->bf01, pad=1_1x1_1, "
            "lhs_dilate=2x2, rhs_reversal=1x1");
  EXPECT_EQ(text_of(read(aten_case(backward + R"("output_mask": [0, 1, 0])")).ops.at(0)),
            "f16[1,4,9,9] x f16[1,6,5,5] -> f16[6,4,3,3], fb01_io01->fb01, pad=1_1x1_1, "
            "rhs_dilate=2x2");
  EXPECT_EQ(text_of(read(aten_case(backward + R"("output_mask": [0, 0, 1],
                                                "expect": {"of": "grad_bias"})"))
                        .ops.at(0)),
            "c.json:1:2 = expect.of = grad_bias: must be grad_input or grad_weight");
  EXPECT_EQ(text_of(read(aten_case(R"(, "op": "convolution_backward",
                                      "grad_output": [1, 6, 5, 4])"))
                        .ops.at(0)),
            "c.json:1:2 = grad_output = [1,6,5,4]: must have the shape of the forward result");
  EXPECT_EQ(text_of(read(aten_case(R"(, "bias": [5])")).ops.at(0)),
            "c.json:1:2 = bias length = 5: must be the 6 output channels of the weight");
}

TEST(JsonCases, reduced_sizes_stand_in_where_the_case_says_so) {
  const std::string reduced =
      R"(, "reduced": {"input": [1, 2, 9, 9], "weight": [3, 2, 3, 3], "bias": [3],
      "out_shape": [1, 3, 5, 5], "macs": 7}, "expect": {"out_shape": [1, 6, 5, 5]}, "run": )";
  const Document small = read(aten_case(reduced + "\"reduced\""));
  EXPECT_EQ(small.ops.at(0).op->in_shape, (Shape{1, 2, 9, 9}));
  EXPECT_EQ(small.ops[0].expectation->out_shape, (Shape{1, 3, 5, 5}));
  EXPECT_EQ(small.ops[0].note, "reduced sizes stand in for the full ones");
  const Document full = read(aten_case(reduced + "\"shape-only\", \"memory_format\": \"nhwc\""));
  EXPECT_EQ(full.ops.at(0).op->in_shape, (Shape{1, 4, 9, 9}));
  EXPECT_EQ(full.ops[0].note, "shape only: too large to run; memory_format is not applied");
}

TEST(JsonCases, what_is_no_file_of_cases_is_refused_with_its_place) {
  EXPECT_EQ(
      failure("[1, 2,\n }"),
      "c.json:2:2: syntax error while parsing value - unexpected '}'; expected '[', '{', or a "
      "liter...");
  EXPECT_EQ(failure("{\"cases\": []}"), "c.json:1:1 = version: must be 1");
  EXPECT_EQ(failure("{\"version\": 2, \"cases\": []}"), "c.json:1:1 = version = 2: must be 1");
  EXPECT_EQ(failure("{}"),
            "c.json:1:1 = {}: must be an array of cases or an object with one in `cases`");
  EXPECT_EQ(failure(std::string(100000, '[')), "c.json:1:65: must nest at most 64 deep");
  EXPECT_EQ(failure("[\"\xff\"]").substr(0, 11), "c.json:1:3:");
  const Document document = read("{\"version\": 1, \"cases\": [3,\n {\"id\": 4}]}");
  ASSERT_EQ(document.errors.size(), 1U);
  EXPECT_EQ(to_string(document.errors[0]), "c.json:1:26 = 3: must be a case, an object");
  EXPECT_EQ(document.ops.at(0).name, "4");
  EXPECT_EQ(text_of(document.ops[0]), "c.json:2:2 = frontend: must be given");
}

TEST(JsonCases, what_is_written_reads_back) {
  ConvOp op{.element_type = ElementType::s8,
            .result_element_type = ElementType::s32,
            .in_shape = {3, 7, 8, 2},
            .kern_shape = {3, 3, 5, 3},
            .res_shape = {9, 9, 9, 9},  // declared wrongly, and kept
            .in_perm = {3, 0, 1, 2},
            .kern_perm = {2, 3, 1, 0},
            .out_perm = {0, 1, 2, 3},
            .feature_group_count = 2,
            .batch_group_count = 3,
            .is_pglt = true,
            .input_is_graph_input = false,
            .kernel_is_graph_input = false};
  op.window = {{.stride = 2, .pad_low = -20, .pad_high = 3, .reversal = true},
               {.lhs_dilation = 3, .rhs_dilation = 4}};
  const ConvOp flat{.in_shape = {2, 3},
                    .kern_shape = {3, 4},
                    .res_shape = {2, 4},
                    .in_perm = {0, 1},
                    .kern_perm = {1, 0},
                    .out_perm = {0, 1}};
  for (const ConvOp& one : {op, flat}) {
    const Document document = read(write_json_case("a \"quoted\" name", one));
    ASSERT_EQ(document.ops.size(), 1U);
    EXPECT_EQ(document.ops[0].name, "a \"quoted\" name");
    EXPECT_EQ(to_string(document.ops[0].place), "c.json:4:5");
    ASSERT_TRUE(document.ops[0].op) << to_string(document.ops[0].op.error());
    EXPECT_EQ(*document.ops[0].op, one);
  }
  const JsonCase cases[] = {{.id = "1", .op = op, .why = "w"}, {.id = "2", .op = flat}};
  const Document both = read(write_json_cases(cases));
  ASSERT_EQ(both.ops.size(), 2U);
  EXPECT_EQ(*both.ops[1].op, flat);
  EXPECT_TRUE(read(write_json_cases({})).ops.empty());
}

TEST(JsonCases, every_damaged_byte_is_read_without_harm) {
  for (const std::string& text :
       {hlo_case(R"(, "window": {"stride": [1, 1], "pad": [[0, 0], [0, 0]]})"), aten_case("")}) {
    for (std::size_t at = 0; at < text.size(); ++at) {
      for (const char damage : {'(', '}', '"', '9', '\n', ',', '\\', '-', ']', '\xff'}) {
        std::string damaged = text;
        damaged[at] = damage;
        const auto document = read_json_cases(damaged, "m");
        EXPECT_TRUE(document || !document.error().rule.empty());
      }
    }
  }
}

}  // namespace
}  // namespace convproof
