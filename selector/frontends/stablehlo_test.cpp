#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "selector/frontends/direct_convolution.h"
#include "selector/frontends/document.h"

namespace convproof {
namespace {

Document read(std::string_view text) {
  auto document = read_stablehlo(text, "m.mlir");
  EXPECT_TRUE(document);
  return document ? *document : Document{};
}

std::string text_of(const FoundOp& found) {
  return found.op ? to_string(*found.op) : to_string(found.op.error());
}

std::string first(const Document& document) {
  return document.ops.empty() ? "none" : text_of(document.ops.front());
}

// One convolution in the short form; the name of its operation is at 2:8.
std::string short_form(std::string_view window, std::string_view dictionary, std::string_view types,
                       std::string_view labels = "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]") {
  return "func.func @f(%a: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x16xf32>) {\n  %r = "
         "stablehlo.convolution(%a, %k) dim_numbers = " +
         std::string(labels) + ",\n  window = {" + std::string(window) + "}\n  {" +
         std::string(dictionary) + "}\n  : " + std::string(types) + "\n  return\n}\n";
}
constexpr std::string_view plain_types =
    "(tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x6x6x16xf32>";

// The same in the generic form.
std::string generic_form(std::string_view attributes, std::string_view types,
                         bool properties = false) {
  const std::string open = properties ? "<{" : "{";
  const std::string close = properties ? "}> {note = \"x\"}" : "}";
  return "func.func @f(%a: tensor<1x8x8x4xf32>, %k: tensor<3x3x4x16xf32>) {\n  %r = "
         "\"mhlo.convolution\"(%a, %k) " +
         open + std::string(attributes) + close + " : " + std::string(types) +
         "\n  \"func.return\"() : () -> ()\n}\n";
}

TEST(Stablehlo, the_short_form_reads_every_part) {
  const Document document = read(short_form(
      "stride = [2, 1], pad = [[0, 1], [-1, 2]], lhs_dilate = [1, 2], rhs_dilate = [2, 1], "
      "reverse = [true, false]",
      "batch_group_count = 1 : i64, feature_group_count = 2 : i64, precision_config = "
      "[#stablehlo<precision DEFAULT>, #stablehlo<precision HIGHEST>]",
      "(tensor<1x8x8x4xf32>, tensor<3x3x2x16xf32>) -> tensor<1x3x14x16xf32>"));
  EXPECT_TRUE(document.errors.empty());
  EXPECT_EQ(first(document),
            "f32[1,8,8,4] x f32[3,3,2,16] -> f32[1,3,14,16], b01f_01io->b01f, stride=2x1, "
            "pad=0_1x-1_2, lhs_dilate=1x2, rhs_dilate=2x1, rhs_reversal=1x0, "
            "feature_group_count=2");
  ASSERT_EQ(document.ops.size(), 1U);
  EXPECT_EQ(document.ops[0].name, "@f:%r");
  EXPECT_EQ(to_string(document.ops[0].place), "m.mlir:2:3");
}

TEST(Stablehlo, the_generic_form_reads_every_part) {
  const std::string types = "(tensor<1x8x8x4xf32>, tensor<3x3x2x16xf32>) -> tensor<1x3x14x16xf32>";
  const std::string expected =
      "f32[1,8,8,4] x f32[3,3,2,16] -> f32[1,3,14,16], b01f_01io->b01f, stride=2x1, "
      "pad=0_1x-1_2, lhs_dilate=1x2, rhs_dilate=2x1, rhs_reversal=1x0, feature_group_count=2";
  EXPECT_EQ(
      first(read(generic_form(
          "dimension_numbers = #mhlo.conv<raw input_batch_dimension = 0, "
          "input_feature_dimension = 3, input_spatial_dimensions = [1, 2], "
          "kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, "
          "kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, "
          "output_feature_dimension = 3, output_spatial_dimensions = [1, 2]>, "
          "feature_group_count = 2 : i64, window_strides = dense<[2, 1]> : tensor<2xi64>, "
          "padding = dense<[[0, 1], [-1, 2]]> : tensor<2x2xi64>, lhs_dilation = array<i64: 1, 2>, "
          "rhs_dilation = array<i64: 2, 1>, window_reversal = dense<[true, false]> : "
          "tensor<2xi1>, unit, other = affine_map<(d0, d1) -> (d1)>, text = \"a } b\"",
          types))),
      expected);
  EXPECT_EQ(first(read(generic_form(
                "dimension_numbers = #mhlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, "
                "batch_group_count = 1 : i64, feature_group_count = 2 : i64, window_strides = "
                "array<i64: 2, 1>, padding = dense<[[0, 1], [-1, 2]]> : tensor<2x2xi64>, "
                "lhs_dilation = array<i64: 1, 2>, rhs_dilation = array<i64: 2, 1>, "
                "window_reversal = array<i1: true, false>",
                types, true))),
            expected);
}

TEST(Stablehlo, element_types_have_their_own_names) {
  const auto op_of = [](const std::string& operand, const std::string& result) {
    return first(
        read("%r = stablehlo.convolution(%a, %k) dim_numbers = [b, f]x[i, o]->[b, f], "
             "window = {} {} : (tensor<2x3x" +
             operand + ">, tensor<3x4x" + operand + ">) -> tensor<2x4x" + result + ">"));
  };
  const std::string graph = ", kernel=intermediate, image=intermediate";
  EXPECT_EQ(op_of("f8E4M3FN", "f32"),
            "f8e4m3fn[2,3] x f8e4m3fn[3,4] -> f32[2,4], bf_io->bf" + graph);
  EXPECT_EQ(op_of("f8E5M2", "bf16"), "f8e5m2[2,3] x f8e5m2[3,4] -> bf16[2,4], bf_io->bf" + graph);
  EXPECT_EQ(op_of("ui8", "si32"), "u8[2,3] x u8[3,4] -> s32[2,4], bf_io->bf" + graph);
  EXPECT_EQ(op_of("i16", "i64"), "s16[2,3] x s16[3,4] -> s64[2,4], bf_io->bf" + graph);
  EXPECT_EQ(op_of("complex<f32>", "f32"),
            "m.mlir:1:91 = tensor<2x3xcomplex<f32>>: is not of a known element type (f64, f32, "
            "bf16, f16, f8e4m3fn, f8e5m2, s8, u8, s16, s32, s64)");
  EXPECT_EQ(op_of("f32, #stablehlo.bounds<?, 5>", "f32"),
            "f32[2,3] x f32[3,4] -> f32[2,4], bf_io->bf" + graph);
}

TEST(Stablehlo, arguments_of_a_function_that_nobody_calls_are_graph_inputs) {
  const std::string callee = short_form("", "", plain_types);
  EXPECT_TRUE(read(callee).ops.at(0).op->kernel_is_graph_input);
  const Document called =
      read(callee + "func.func @main() {\n  %x = call @f(%p, %q) : () -> ()\n  return\n}");
  EXPECT_FALSE(called.ops.at(0).op->kernel_is_graph_input);
}

struct Refused {
  std::string text;
  std::string error;
};

TEST(Stablehlo, a_bad_convolution_names_place_value_and_rule) {
  const std::string raw =
      "input_feature_dimension = 3, input_spatial_dimensions = [1, 2], "
      "kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, "
      "kernel_spatial_dimensions = [0, 1], output_batch_dimension = 0, output_feature_dimension = "
      "3, output_spatial_dimensions = [1, 2]>";
  const Refused cases[] = {
      {short_form("stide = [1, 1]", "", plain_types),
       "m.mlir:3:13 = stide: must be one of stride, pad, lhs_dilate, rhs_dilate, reverse"},
      {short_form("stride = [1]", "", plain_types),
       "m.mlir:3:13 = stride of 1 entries: must have 2, one for each spatial dimension"},
      {short_form("stride = [1, b]", "", plain_types), "m.mlir:3:26 = b: must be an integer"},
      {short_form("stride = [0, 1]", "", plain_types),
       "m.mlir:3:13 = stride[0] = 0: must be at least 1"},
      {short_form("pad = [[1, 1], [1]]", "", plain_types),
       "m.mlir:3:28 = [1]: must be a pair of low and high padding"},
      {short_form("stride = [1, 1], stride = [1, 1]", "", plain_types),
       "m.mlir:3:30 = stride: must occur once in the window"},
      {short_form("", "feature_group_count = 0 : i64", plain_types),
       "m.mlir:4:4 = feature_group_count = 0: must be at least 1"},
      {short_form("", "feature_group_count = 3 : i64", plain_types),
       "m.mlir:2:8 = feature_group_count = 3: must divide the input features (4)"},
      {short_form("", "batch_group_count = 2 : i64", plain_types),
       "m.mlir:2:8 = batch_group_count = 2: must divide the input batch (1)"},
      {short_form("", "", "(tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x6x7x16xf32>"),
       "m.mlir:5:52 = res_shape = [1, 6, 7, 16]: must be [1, 6, 6, 16], which operands, window "
       "and group counts imply"},
      {short_form("", "", "(tensor<?x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<?x6x6x16xf32>"),
       "m.mlir:5:6 = tensor<?x8x8x4xf32>: extents must be static"},
      {short_form("", "", "(tensor<*xf32>, tensor<3x3x4x16xf32>) -> tensor<*xf32>"),
       "m.mlir:5:6 = tensor<*xf32>: must be ranked"},
      {short_form("", "", "(tensor<1x8x8x4xf32>, tensor<3x3x4x16xf16>) -> tensor<1x6x6x16xf32>"),
       "m.mlir:5:27 = tensor<3x3x4x16xf16>: must have the image's element type f32"},
      {short_form("", "", plain_types, "[b, 0, 1, g]x[0, 1, i, o]->[b, 0, 1, f]"),
       "m.mlir:2:62 = g: must be one of b, f and the spatial dimensions 0 to 2"},
      {short_form("", "", plain_types, "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, f]"),
       "m.mlir:2:52 = b01f_01io->b0f: must have as many spatial dimensions for the input, the "
       "kernel and the output"},
      {short_form("", "", plain_types, "[b, 0, 2, f]x[0, 1, i, o]->[b, 0, 1, f]"),
       "m.mlir:2:52 = [: begins a group without spatial dimension 1"},
      {generic_form("padding = dense<0> : tensor<2x3xi64>", plain_types),
       "m.mlir:2:46 = padding of shape [2, 3]: must have the shape [N, 2]"},
      {generic_form("padding = dense<[0, 1]> : tensor<3xi64>", plain_types),
       "m.mlir:2:62 = tensor<3xi64>: must have 2 elements, as its constant has"},
      {generic_form("feature_group_count = 1 : i64", plain_types),
       "m.mlir:2:8 = dimension_numbers: must be given"},
      {generic_form("dimension_numbers = #mhlo.conv<raw input_batch_dimension = 3, " + raw,
                    plain_types),
       "m.mlir:2:127 = input dimensions [3, 3, 1, 2]: must be a permutation of 0 to 3"},
      {generic_form("dimension_numbers = 4", plain_types),
       "m.mlir:2:56 = 4: must be #stablehlo.conv<...>"},
  };
  for (const Refused& one : cases) {
    const Document document = read(one.text);
    EXPECT_EQ(first(document), one.error) << one.text;
    EXPECT_TRUE(document.errors.empty()) << to_string(document.errors.front());
  }
}

TEST(Stablehlo, a_bad_operation_does_not_stop_the_rest) {
  const Document document =
      read(short_form("stride = [", "", plain_types) + short_form("", "", plain_types) +
           "// -----\n" + short_form("", "", plain_types));
  ASSERT_EQ(document.ops.size(), 3U);
  EXPECT_FALSE(document.ops[0].op);
  EXPECT_TRUE(document.ops[1].op);
  EXPECT_TRUE(document.ops[2].op);
  EXPECT_EQ(document.ops[2].place.line, 17);
}

// As the exporters write it: operands and expectation come from functions further down.
TEST(Stablehlo, values_are_followed_through_calls_and_barriers) {
  const Document document = read(R"(module @m {
  func.func public @main() -> tensor<i1> {
    %0:2 = call @inputs() : () -> (tensor<1x4x1xf32>, tensor<2x1x1xf32>)
    %1 = func.call @expected() : () -> tensor<1x3x1xf32>
    %2 = stablehlo.optimization_barrier %0#0 : tensor<1x4x1xf32>
    %3 = stablehlo.convolution(%2, %0#1) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {} : (tensor<1x4x1xf32>, tensor<2x1x1xf32>) -> tensor<1x3x1xf32>
    %4 = stablehlo.custom_call @check.expect_almost_eq(%3, %1) {has_side_effect = true} : (tensor<1x3x1xf32>, tensor<1x3x1xf32>) -> tensor<i1> loc("stablehlo.convolution"("a.py":1:2))
    return %4 : tensor<i1>
  }
  func.func private @inputs() -> (tensor<1x4x1xf32> {mhlo.layout_mode = "default"}, tensor<2x1x1xf32>) {
    %cst = stablehlo.constant dense<[[[1.0], [2.0], [3.5], [-4.0]]]> : tensor<1x4x1xf32>
    %cst_0 = "stablehlo.constant"() <{value = dense<"0x0000803F000000C0"> : tensor<2x1x1xf32>}> : () -> tensor<2x1x1xf32>
    return %cst, %cst_0 : tensor<1x4x1xf32>, tensor<2x1x1xf32>
  }
  func.func private @expected() -> tensor<1x3x1xf32> {
    %cst = stablehlo.constant dense<[[[-3.0], [-5.0], [1.15e+01]]]> : tensor<1x3x1xf32>
    return %cst : tensor<1x3x1xf32>
  }
})");
  EXPECT_TRUE(document.errors.empty());
  ASSERT_EQ(document.ops.size(), 1U);
  ASSERT_TRUE(document.ops[0].op);
  EXPECT_FALSE(document.ops[0].op->input_is_graph_input);
  ASSERT_TRUE(document.ops[0].golden);
  const Golden& golden = *document.ops[0].golden;
  EXPECT_EQ(golden.image.elements, (std::vector<double>{1, 2, 3.5, -4}));
  EXPECT_EQ(golden.kernel.elements, (std::vector<double>{1, -2}));
  EXPECT_EQ(golden.expected.elements, (std::vector<double>{-3, -5, 11.5}));
  EXPECT_EQ(direct_convolution(*document.ops[0].op, golden.image.elements, golden.kernel.elements),
            golden.expected.elements);
}

// A product of a row and a column, checked against a constant in one of the two spellings.
Document product(const std::string& image, const std::string& kernel, const std::string& expected,
                 const std::string& type = "f32", bool parentheses = true) {
  const std::string result = "tensor<1x1x" + type + ">";
  const std::string check = "%r, dense<" + expected + "> : " + result;
  return read("func.func @f() {\n  %a = util.unfoldable_constant dense<" + image +
              "> : tensor<1x2x" + type + ">\n  %k = arith.constant dense<" + kernel +
              "> : tensor<2x1x" + type +
              ">\n  %r = stablehlo.convolution(%a, %k) dim_numbers = [b, f]x[i, o]->[b, f], "
              "window = {} {} : (tensor<1x2x" +
              type + ">, tensor<2x1x" + type + ">) -> " + result + "\n  check.expect_eq_const" +
              (parentheses ? "(" + check + ") : " + result : " " + check) + "\n  return\n}\n");
}

TEST(Stablehlo, checks_against_constants_give_golden_values_in_both_spellings) {
  for (const bool parentheses : {false, true}) {
    const Document document = product("[[3.0, 4.0]]", "[[5.0], [6.0]]", "39.0", "f32", parentheses);
    ASSERT_TRUE(document.ops.at(0).golden);
    EXPECT_EQ(document.ops[0].golden->expected.elements, std::vector<double>{39});
  }
}

TEST(Stablehlo, constants_are_read_in_every_spelling) {
  const auto image = [](const std::string& literal, const std::string& type) {
    const Document document = product(literal, "1", "0", type);
    if (!document.ops.at(0).golden) return std::vector<double>{};
    return document.ops[0].golden->image.elements;
  };
  EXPECT_EQ(image("7", "i32"), (std::vector<double>{7, 7}));
  EXPECT_EQ(image("[[-1, 127]]", "i8"), (std::vector<double>{-1, 127}));
  EXPECT_EQ(image("\"0xFE7F\"", "i8"), (std::vector<double>{-2, 127}));
  EXPECT_EQ(image("\"0xFE\"", "i8"), (std::vector<double>{-2, -2}));
  EXPECT_EQ(image("\"0xFE\"", "ui8"), (std::vector<double>{254, 254}));
  EXPECT_EQ(image("\"0x0080FF7F\"", "i16"), (std::vector<double>{-32768, 32767}));
  EXPECT_EQ(image("\"0x803F0040\"", "bf16"), (std::vector<double>{1, 2}));
  EXPECT_EQ(image("\"0x003C00C0\"", "f16"), (std::vector<double>{1, -2}));
  EXPECT_EQ(image("\"0x000000000000F03F\"", "f64"), (std::vector<double>{1, 1}));
  EXPECT_EQ(image("\"0x0100000000000000FFFFFFFFFFFFFFFF\"", "i64"), (std::vector<double>{1, -1}));
  EXPECT_EQ(image("[[0x3F800000, 1.5e+00]]", "f32"), (std::vector<double>{1, 1.5}));
  EXPECT_EQ(image("[[0.1, 1.0]]", "f32"), (std::vector<double>{static_cast<double>(0.1F), 1}));
  EXPECT_EQ(image("[[1.001, 1.0]]", "bf16"), (std::vector<double>{1, 1}));  // rounded
}

TEST(Stablehlo, a_constant_that_does_not_fit_its_type_is_told_once) {
  const auto error = [](const std::string& literal, const std::string& type) {
    const Document document = product(literal, "1", "0", type);
    EXPECT_TRUE(document.ops.at(0).op);
    EXPECT_FALSE(document.ops[0].golden);
    return document.errors.size() == 1 ? to_string(document.errors[0]) : "no single error";
  };
  EXPECT_EQ(error("[[1, 2, 3]]", "i32"), "m.mlir:2:47 = 3: is beyond the 2 entries of the type");
  EXPECT_EQ(error("[[1]]", "i32"),
            "m.mlir:2:42 = ]: closes a list of 1 entries where the type has 2");
  EXPECT_EQ(error("[1, 2]", "i32"), "m.mlir:2:40 = 1: stands at depth 1 of 2 dimensions");
  EXPECT_EQ(error("[[[1], [2]]]", "i32"), "m.mlir:2:41 = [: nests deeper than the 2 dimensions");
  EXPECT_EQ(error("[[1 2]]", "i32"), "m.mlir:2:43 = 2: must follow a comma");
  EXPECT_EQ(error("[[1, 128]]", "i8"), "m.mlir:2:44 = 128: must be an element of s8");
  EXPECT_EQ(error("[[1, x]]", "f32"), "m.mlir:2:44 = x: must be an element of f32");
  EXPECT_EQ(error("\"0x01\"", "f32"),
            "m.mlir:2:39 = 0x01: must be 0x and 16 digits for tensor<1x2xf32>");
  EXPECT_EQ(error("\"0x0102030G\"", "f32"), "m.mlir:2:48 = 0G: must be hexadecimal digits");
  EXPECT_EQ(error("9007199254740993", "i64"),
            "m.mlir:2:39 = tensor<1x2xi64>: must hold integers below 2^53");
}

TEST(Stablehlo, constants_of_another_type_give_no_golden_values) {
  const Document document = read(
      "%a = stablehlo.constant dense<1> : tensor<1x2xi32>\n%k = stablehlo.constant dense<1> "
      ": tensor<2x1xf32>\n%r = stablehlo.convolution(%a, %k) dim_numbers = [b, f]x[i, "
      "o]->[b, f], window = {} {} : (tensor<1x2xf32>, tensor<2x1xf32>) -> tensor<1x1xf32>\n"
      "check.expect_eq_const %r, dense<1.0> : tensor<1x1xf32>");
  ASSERT_EQ(document.ops.size(), 1U);
  EXPECT_FALSE(document.ops[0].golden);
  EXPECT_EQ(document.ops[0].note,
            "golden values left out: a constant is not of the operation's type");
}

TEST(Stablehlo, a_splat_of_an_enormous_type_is_not_unfolded) {
  const std::string big = "tensor<32768x32768xf32>";
  const Document document =
      read("%a = stablehlo.constant dense<1.0> : " + big +
           "\n%r = stablehlo.convolution(%a, %a) dim_numbers = [b, f]x[i, o]->[b, f], window = {} "
           "{} : (" +
           big + ", " + big + ") -> " + big + "\ncheck.expect_eq_const %r, dense<1.0> : " + big);
  ASSERT_EQ(document.ops.size(), 1U);
  EXPECT_TRUE(document.ops[0].op);
  EXPECT_FALSE(document.ops[0].golden);
  EXPECT_EQ(document.ops[0].note,
            "golden values left out: more than 67108864 elements in one document");
}

TEST(Stablehlo, elements_held_elsewhere_and_unknown_operations_are_passed_over) {
  const Document document = read(R"(#map = affine_map<(d0, d1) -> (d0)>
func.func @f(%a: tensor<1x8x8x4xf32>) -> !x.y<"stablehlo.convolution"> {
  %k = stablehlo.constant dense_resource<blob> : tensor<3x3x4x16xf32>
  %q:2 = "stablehlo.reduce_window"(%a, %k) ({
  ^bb0(%l: tensor<f32>, %m: tensor<f32>):
    %s = stablehlo.add %l, %m : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {window_dimensions = array<i64: 1, 2>} : (tensor<1xf32>) -> tensor<1xf32>
  %r = stablehlo.convolution(%a, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {} : (tensor<1x8x8x4xf32>, tensor<3x3x4x16xf32>) -> tensor<1x6x6x16xf32>
  return %r : tensor<1x6x6x16xf32>
}
{-#
  dialect_resources: { builtin: { blob: "0x04000000" } }
#-})");
  EXPECT_TRUE(document.errors.empty());
  ASSERT_EQ(document.ops.size(), 1U);
  EXPECT_EQ(first(document),
            "f32[1,8,8,4] x f32[3,3,4,16] -> f32[1,6,6,16], b01f_01io->b01f, "
            "kernel=intermediate");
}

TEST(Stablehlo, dimension_numbers_of_a_module_are_checked_too) {
  const Document document = read(
      "module attributes {stablehlo.conv = #stablehlo.conv<[c, 0, f]x[0, i, o]->[b, 0, "
      "f]>} {}");
  ASSERT_EQ(document.errors.size(), 1U);
  EXPECT_EQ(to_string(document.errors[0]),
            "m.mlir:1:54 = c: must be one of b, f and the spatial dimensions 0 to 2");
}

TEST(Stablehlo, a_module_that_is_cut_keeps_what_came_before) {
  const std::string text = short_form("", "", plain_types);
  const Document document = read(text + text.substr(0, text.find("window")));
  ASSERT_EQ(document.ops.size(), 2U);
  EXPECT_TRUE(document.ops[0].op);
  EXPECT_EQ(text_of(document.ops[1]), "m.mlir:10:3: must be 'window'");
  ASSERT_EQ(document.errors.size(), 1U);
  EXPECT_EQ(to_string(document.errors[0]), "m.mlir:8:65 = {: is never closed");
  const Document string = read("%a = stablehlo.constant dense<\"0x00");
  ASSERT_EQ(string.errors.size(), 1U);
  EXPECT_EQ(to_string(string.errors[0]), "m.mlir:1:31 = \"0x00: is a string never closed");
}

TEST(Stablehlo, calls_in_a_circle_end) {
  const Document document = read(
      "func.func @a() {\n%0 = call @b() : () -> tensor<1x1xf32>\nreturn %0 : "
      "tensor<1x1xf32>\n}\nfunc.func @b() {\n%0 = call @a() : () -> tensor<1x1xf32>\n%r = "
      "stablehlo.convolution(%0, %0) dim_numbers = [b, f]x[i, o]->[b, f], window = {} {} : "
      "(tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>\nreturn %0 : "
      "tensor<1x1xf32>\n}");
  ASSERT_EQ(document.ops.size(), 1U);
  EXPECT_TRUE(document.ops[0].op);
}

TEST(Stablehlo, every_prefix_and_every_damaged_byte_is_read_without_harm) {
  const std::string texts[] = {
      short_form("stride = [1, 1], pad = [[0, 0], [0, 0]]", "a = dense<1> : tensor<1xi8>",
                 plain_types),
      generic_form("dimension_numbers = #mhlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, "
                   "padding = dense<[[0, 0], [0, 0]]> : tensor<2x2xi64>",
                   plain_types),
      "func.func @f() {\n%a = stablehlo.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>\n%k = "
      "stablehlo.constant dense<\"0x0000803F\"> : tensor<2x1xf32>\n%r = "
      "stablehlo.convolution(%a, %k) dim_numbers = [b, f]x[i, o]->[b, f], window = {} {} : "
      "(tensor<1x2xf32>, tensor<2x1xf32>) -> tensor<1x1xf32>\ncheck.expect_eq_const %r, "
      "dense<3.0> : tensor<1x1xf32>\nreturn\n}"};
  for (const std::string& text : texts) {
    for (std::size_t length = 0; length <= text.size(); ++length)
      EXPECT_TRUE(read_stablehlo(std::string_view(text).substr(0, length), "m"));
    for (std::size_t at = 0; at < text.size(); ++at) {
      for (const char damage : {'(', '}', '"', '/', '\0', '9', '\n', ',', '<', '%', '\xff', 'x'}) {
        std::string damaged = text;
        damaged[at] = damage;
        EXPECT_TRUE(read_stablehlo(damaged, "m"));
      }
    }
  }
}

TEST(Stablehlo, nested_attempts_and_long_lists_stay_linear) {
  std::string nested;
  for (int i = 0; i < 20000; ++i)
    nested +=
        "stablehlo.convolution(%a, %k) dim_numbers = [b, f]x[i, o]->[b, f], window = {} {a = ";
  EXPECT_GT(read(nested).ops.size(), 0U);
  std::string list = "return %a";
  for (int i = 0; i < 200000; ++i) list += ", %a";
  EXPECT_TRUE(read(list).errors.empty());
  EXPECT_EQ(read(std::string(1 << 20, '[')).errors.size(), 1U);
}

}  // namespace
}  // namespace convproof
