#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "selector/frontends/document.h"

namespace convproof {
namespace {

constexpr std::string_view constants = R"(
  %none = torch.constant.none
  %true = torch.constant.bool true
  %false = torch.constant.bool false
  %0 = torch.constant.int 0
  %1 = torch.constant.int 1
  %2 = torch.constant.int 2
  %same = torch.constant.str "same"
  %zeros = torch.prim.ListConstruct %0, %0 : (!torch.int, !torch.int) -> !torch.list<int>
  %ones = torch.prim.ListConstruct %1, %1 : (!torch.int, !torch.int) -> !torch.list<int>
  %one_two = torch.prim.ListConstruct %1, %2 : (!torch.int, !torch.int) -> !torch.list<int>
  %empty = torch.prim.ListConstruct : () -> !torch.list<int>
  %both = torch.prim.ListConstruct %true, %true, %false : (!torch.bool, !torch.bool, !torch.bool) -> !torch.list<bool>
  %second = torch.prim.ListConstruct %false, %true, %false : (!torch.bool, !torch.bool, !torch.bool) -> !torch.list<bool>
)";

Document read(const std::string& line) {
  const std::string text = "func.func @f(%x: !torch.vtensor<[2,8,9,7],f16>, %w: !torch.int) {" +
                           std::string(constants) + "  %r = " + line + "\n}\n";
  auto document = read_stablehlo(text, "t.mlir");
  EXPECT_TRUE(document) << to_string(document.error());
  return document ? *document : Document{};
}

FoundOp only(const std::string& line) {
  Document document = read(line);
  EXPECT_TRUE(document.errors.empty());
  EXPECT_EQ(document.ops.size(), 1U);
  if (document.ops.empty()) return {.op = std::unexpected(Error{"none"})};
  return document.ops[0];
}

std::string text_of(const std::string& line) {
  const FoundOp found = only(line);
  return found.op ? to_string(*found.op) : to_string(found.op.error());
}

const std::string lists = "!torch.list<int>, !torch.list<int>, !torch.list<int>";
const std::string rest = lists + ", !torch.bool, !torch.list<int>, !torch.int -> ";
const std::string image = "!torch.vtensor<[2,8,9,7],f16>";
const std::string weight = "!torch.vtensor<[6, 4, 3, 2],f16>";

TEST(Torch, a_convolution_of_constant_arguments_is_read) {
  const FoundOp found = only(
      "torch.aten.convolution %x, %w, %none, %one_two, %ones, %one_two, %false, %empty, %2 : " +
      image + ", " + weight + ", !torch.none, " + rest + "!torch.vtensor<[2,6,9,?],f16>");
  ASSERT_TRUE(found.op) << to_string(found.op.error());
  EXPECT_EQ(found.name, "@f:%r");
  EXPECT_EQ(to_string(found.place), "t.mlir:15:3");
  EXPECT_EQ(to_string(*found.op),
            "f16[2,8,9,7] x f16[6,4,3,2] -> f16[2,6,9,4], bf01_oi01->bf01, stride=1x2, "
            "pad=1_1x1_1, rhs_dilate=1x2, feature_group_count=2");
  ASSERT_TRUE(found.aten);
  const AtenCall expected{.convolution = {.input = {2, 8, 9, 7},
                                          .weight = {6, 4, 3, 2},
                                          .stride = {1, 2},
                                          .padding = {1, 1},
                                          .dilation = {1, 2},
                                          .output_padding = {0},
                                          .groups = 2,
                                          .element_type = ElementType::f16},
                          .weight_element_type = ElementType::f16};
  EXPECT_EQ(*found.aten, expected);
  EXPECT_EQ(found.note, "");
}

TEST(Torch, the_generic_form_is_read) {
  EXPECT_EQ(text_of("\"torch.aten.conv2d\"(%x, %w, %b, %ones, %zeros, %ones, %2) <{a = 1 : i64}> : "
                    "(" +
                    image + ", " + weight + ", !torch.vtensor<[6],f16>, " + lists +
                    ", !torch.int) -> !torch.vtensor<[2,6,7,6],f16>"),
            "f16[2,8,9,7] x f16[6,4,3,2] -> f16[2,6,7,6], bf01_oi01->bf01, feature_group_count=2");
}

TEST(Torch, a_word_of_padding_keeps_the_extent_with_an_odd_element_at_the_end) {
  const std::string types = image + ", " + weight +
                            ", !torch.none, !torch.list<int>, !torch.str, !torch.list<int>, "
                            "!torch.int -> !torch.vtensor<[2,6,9,7],f16>";
  const FoundOp odd =
      only("torch.aten.conv2d.padding %x, %w, %none, %ones, %same, %ones, %2 : " + types);
  ASSERT_TRUE(odd.op) << to_string(odd.op.error());
  EXPECT_EQ(to_string(*odd.op),
            "f16[2,8,9,7] x f16[6,4,3,2] -> f16[2,6,9,7], bf01_oi01->bf01, pad=1_1x0_1, "
            "feature_group_count=2");
  EXPECT_FALSE(odd.aten);
  const FoundOp even =
      only("torch.aten.conv2d.padding %x, %w, %none, %ones, %same, %one_two, %2 : " + types);
  ASSERT_TRUE(even.aten);
  EXPECT_EQ(even.aten->convolution.padding, (SpatialList{1, 1}));
}

TEST(Torch, a_transposed_convolution_has_its_arguments_in_another_order) {
  EXPECT_EQ(text_of("torch.aten.conv_transpose2d.input %x, %w, %none, %one_two, %zeros, %zeros, "
                    "%2, %ones : " +
                    image + ", !torch.vtensor<[8,3,3,2],f16>, !torch.none, " + lists +
                    ", !torch.int, !torch.list<int> -> !torch.vtensor<[2,6,11,14],f16>"),
            "f16[2,8,9,7] x f16[4,6,3,2] -> f16[2,6,11,14], bf01_io01->bf01, pad=2_2x1_1, "
            "lhs_dilate=1x2, rhs_reversal=1x1, feature_group_count=2");
}

TEST(Torch, a_backward_call_gives_the_first_gradient_it_asks_for) {
  const auto backward = [](const std::string& mask) {
    return only(
        "torch.aten.convolution_backward %x, %w, %k, %none, %ones, %zeros, %ones, %false, "
        "%zeros, %1, " +
        mask + " : " + image +
        ", !torch.vtensor<[2,4,11,8],f16>, !torch.vtensor<[8,4,3,2],f16>, !torch.none, " + lists +
        ", !torch.bool, !torch.list<int>, !torch.int, !torch.list<bool> -> "
        "!torch.vtensor<[2,4,11,8],f16>, !torch.vtensor<[8,4,3,2],f16>, !torch.none");
  };
  const FoundOp both = backward("%both");
  ASSERT_TRUE(both.op) << to_string(both.op.error());
  EXPECT_EQ(both.op->res_shape, (Shape{2, 4, 11, 8}));
  ASSERT_TRUE(both.aten);
  EXPECT_TRUE(both.aten->backward);
  EXPECT_FALSE(both.aten->bias_sizes);
  EXPECT_EQ(both.aten->output_mask, (std::array{true, true, false}));
  EXPECT_EQ(both.note, "");
  const FoundOp second = backward("%second");
  ASSERT_TRUE(second.op) << to_string(second.op.error());
  EXPECT_EQ(second.op->res_shape, (Shape{8, 4, 3, 2}));
  EXPECT_EQ(second.note, "");
}

TEST(Torch, a_declared_result_of_another_shape_is_noted) {
  const FoundOp found =
      only("torch.aten.conv2d %x, %w, %none, %ones, %zeros, %ones, %2 : " + image + ", " + weight +
           ", !torch.none, " + lists + ", !torch.int -> !torch.vtensor<[2,6,7,7],f16>");
  EXPECT_TRUE(found.op);
  EXPECT_EQ(found.note, "declared as !torch.vtensor<[2,6,7,7],f16>, computed as [2, 6, 7, 6]");
}

TEST(Torch, what_cannot_be_read_is_named_with_its_place) {
  const auto line = [](const std::string& operands, const std::string& types) {
    return text_of("torch.aten.conv2d " + operands + " : " + types);
  };
  const std::string types = image + ", " + weight + ", !torch.none, " + lists +
                            ", !torch.int -> !torch.vtensor<[2,6,7,6],f16>";
  EXPECT_EQ(line("%x, %w, %none, %later, %zeros, %ones, %2", types),
            "t.mlir:15:41 = stride = %later: must be a list of at most 3 constant integers");
  EXPECT_EQ(line("%x, %w, %none, %ones, %both, %ones, %2", types),
            "t.mlir:15:48 = padding = %both: must be a list of at most 3 constant integers");
  EXPECT_EQ(line("%x, %w, %none, %ones, %zeros, %ones, %ones", types),
            "t.mlir:15:63 = groups = %ones: must be a constant integer");
  EXPECT_EQ(line("%x, %w, %none, %ones, %zeros, %ones", types),
            "t.mlir:15:8 = 6 operands: torch.aten.conv2d must have 7");
  EXPECT_EQ(line("%x, %w, %none, %ones, %zeros, %ones, %2", image + " -> !torch.none"),
            "t.mlir:15:8 = 1 types: must be those of 7 operands and a result");
  EXPECT_EQ(line("%x, %w, %none, %ones, %zeros, %ones, %2", "tensor<2x8x9x7xf16>"),
            "t.mlir:15:68 = tensor: must be a type of the torch dialect");
  EXPECT_EQ(line("%x, %w, %none, %zeros, %zeros, %ones, %2", types),
            "t.mlir:15:8 = stride[0] = 0: must be between 1 and 2147483647");
  EXPECT_EQ(line("%x, %w, %none, %ones, %zeros, %ones, %2",
                 "!torch.vtensor<[?,8,9,7],f16>, " + types.substr(image.size() + 2)),
            "t.mlir:15:68 = !torch.vtensor<[?,8,9,7],f16>: extents must be static");
  // An argument without a batch is a call of aten that no ConvOp computes.
  const FoundOp found = only(
      "torch.aten.conv2d %x, %w, %none, %ones, %zeros, %ones, %2 : "
      "!torch.vtensor<[8,9,7],f16>, " +
      types.substr(image.size() + 2));
  EXPECT_FALSE(found.op);
  ASSERT_TRUE(found.aten);
  EXPECT_EQ(found.aten->convolution.input, (Shape{8, 9, 7}));
}

TEST(Torch, constants_of_one_function_are_not_those_of_the_next) {
  const std::string conv =
      "  %r = torch.aten.conv2d %x, %w, %none, %ones, %zeros, %ones, %2 : " + image + ", " +
      weight + ", !torch.none, " + lists + ", !torch.int -> !torch.vtensor<[2,6,7,6],f16>\n";
  const auto document = read_stablehlo(
      "func.func @a() {" + std::string(constants) + conv + "}\nfunc.func @b() {\n" + conv + "}\n",
      "t.mlir");
  ASSERT_TRUE(document);
  ASSERT_EQ(document->ops.size(), 2U);
  EXPECT_TRUE(document->ops[0].op);
  EXPECT_FALSE(document->ops[1].op);
}

TEST(Torch, text_cut_at_any_length_is_read_to_its_end) {
  const std::string text =
      std::string(constants) +
      "%r = torch.aten.conv2d %x, %w, %none, %ones, %zeros, %ones, %2 : " + image + ", " + weight +
      ", !torch.none, " + lists + ", !torch.int -> !torch.vtensor<[2,6,7,6],f16>";
  const std::size_t arrow = text.rfind("->");
  for (std::size_t length = 0; length < text.size(); ++length) {
    const auto document = read_stablehlo(std::string_view(text).substr(0, length), "t.mlir");
    ASSERT_TRUE(document);
    for (const FoundOp& found : document->ops) EXPECT_TRUE(!found.op || length > arrow);
  }
}

}  // namespace
}  // namespace convproof
