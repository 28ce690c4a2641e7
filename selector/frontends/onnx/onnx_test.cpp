#include <cstdint>
#include <limits>
#include <string>

#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include "selector/frontends/onnx/onnx_model_for_tests.h"
#include "selector/frontends/onnx/read_onnx.h"

namespace convproof {
namespace {

FoundOp only(const OnnxModelForTests& model) {
  auto document = read_onnx(model.bytes(), "m.onnx");
  EXPECT_TRUE(document) << to_string(document.error());
  if (!document || document->ops.size() != 1) return {.op = std::unexpected(Error{"none"})};
  EXPECT_TRUE(document->errors.empty());
  return document->ops[0];
}

// The operation in one line, or the error.
std::string text_of(const OnnxModelForTests& model) {
  const FoundOp found = only(model);
  return found.op ? to_string(*found.op) : to_string(found.op.error());
}

OnnxModelForTests conv(std::int64_t extent, std::int64_t kernel) {
  OnnxModelForTests model("Conv");
  model.input("X", {1, 2, extent}).input("W", {4, 2, kernel});
  return model;
}

OnnxModelForTests transpose(std::int64_t extent, std::int64_t kernel, std::int64_t opset = 11) {
  OnnxModelForTests model("ConvTranspose", opset);
  model.input("X", {1, 2, extent}).input("W", {2, 4, kernel});
  return model;
}

TEST(Onnx, a_convolution_with_every_attribute_is_read) {
  OnnxModelForTests model("Conv");
  model.input("X", {3, 8, 10, 12})
      .initializer("W", {6, 4, 3, 2})
      .input("B", {6})
      .output({3, 6, 6, 12})
      .list("pads", {1, 0, 2, 3})
      .list("strides", {2, 1})
      .list("dilations", {1, 3})
      .list("kernel_shape", {3, 2})
      .number("group", 2)
      .word("auto_pad", "NOTSET");
  const FoundOp found = only(model);
  ASSERT_TRUE(found.op) << to_string(found.op.error());
  EXPECT_EQ(found.name, "the_node");
  EXPECT_EQ(to_string(*found.op),
            "f32[3,8,10,12] x f32[6,4,3,2] -> f32[3,6,6,12], bf01_oi01->bf01, stride=2x1, "
            "pad=1_2x0_3, rhs_dilate=1x3, feature_group_count=2, kernel=intermediate");
}

TEST(Onnx, a_result_that_is_declared_otherwise_is_refused) {
  OnnxModelForTests model = conv(8, 3);
  model.output({1, 4, 5});
  EXPECT_EQ(text_of(model),
            "m.onnx: node[0] \"the_node\" = output \"Y\" = [1, 4, 5]: must be [1, 4, 6], which "
            "inputs and attributes imply");
  OnnxModelForTests symbolic = conv(8, 3);
  symbolic.output({-1, 4, -1});
  EXPECT_TRUE(only(symbolic).op);
}

TEST(Onnx, same_padding_puts_an_odd_element_at_the_end_or_the_beginning) {
  EXPECT_EQ(text_of(conv(5, 4).word("auto_pad", "SAME_UPPER")),
            "f32[1,2,5] x f32[4,2,4] -> f32[1,4,5], bf0_oi0->bf0, pad=1_2");
  EXPECT_EQ(text_of(conv(5, 4).word("auto_pad", "SAME_LOWER")),
            "f32[1,2,5] x f32[4,2,4] -> f32[1,4,5], bf0_oi0->bf0, pad=2_1");
  // ceil(7 / 3) = 3 windows of 3 dilated elements take 3 * 2 + 3 = 9.
  EXPECT_EQ(
      text_of(
          conv(7, 2).word("auto_pad", "SAME_UPPER").list("strides", {3}).list("dilations", {2})),
      "f32[1,2,7] x f32[4,2,2] -> f32[1,4,3], bf0_oi0->bf0, stride=3, pad=1_1, "
      "rhs_dilate=2");
  // A kernel narrower than the stride needs no padding.
  EXPECT_EQ(text_of(conv(6, 1).word("auto_pad", "SAME_LOWER").list("strides", {2})),
            "f32[1,2,6] x f32[4,2,1] -> f32[1,4,3], bf0_oi0->bf0, stride=2");
  EXPECT_EQ(text_of(conv(5, 3).word("auto_pad", "VALID")),
            "f32[1,2,5] x f32[4,2,3] -> f32[1,4,3], bf0_oi0->bf0");
}

TEST(Onnx, a_transposed_convolution_runs_against_the_weight) {
  const FoundOp found =
      only(transpose(5, 3).list("strides", {2}).list("pads", {1, 0}).list("output_padding", {1}));
  ASSERT_TRUE(found.op) << to_string(found.op.error());
  EXPECT_EQ(to_string(*found.op),
            "f32[1,2,5] x f32[2,4,3] -> f32[1,4,11], bf0_io0->bf0, pad=1_3, lhs_dilate=2, "
            "rhs_reversal=1");
  // The near side's padding is the far side's with two more elements of output padding: too many.
  EXPECT_FALSE(found.aten);
}

TEST(Onnx, same_padding_of_a_transposed_convolution_makes_input_times_stride) {
  EXPECT_EQ(text_of(transpose(3, 4).list("strides", {3}).word("auto_pad", "SAME_UPPER")),
            "f32[1,2,3] x f32[2,4,4] -> f32[1,4,9], bf0_io0->bf0, pad=3_2, lhs_dilate=3, "
            "rhs_reversal=1");
  EXPECT_EQ(text_of(transpose(3, 4).list("strides", {3}).word("auto_pad", "SAME_LOWER")),
            "f32[1,2,3] x f32[2,4,4] -> f32[1,4,9], bf0_io0->bf0, pad=2_3, lhs_dilate=3, "
            "rhs_reversal=1");
  // Without padding only 5 elements: the sixth is a zero at the end.
  EXPECT_EQ(text_of(transpose(3, 1).list("strides", {2}).word("auto_pad", "SAME_LOWER")),
            "f32[1,2,3] x f32[2,4,1] -> f32[1,4,6], bf0_io0->bf0, pad=0_1, lhs_dilate=2, "
            "rhs_reversal=1");
}

TEST(Onnx, output_shape_halves_an_odd_padding_by_the_version) {
  // Without padding 7 elements, of which 3 go: two of them at the end before version 11.
  EXPECT_EQ(text_of(transpose(3, 3, 1).list("strides", {2}).list("output_shape", {4})),
            "f32[1,2,3] x f32[2,4,3] -> f32[1,4,4], bf0_io0->bf0, pad=1_0, lhs_dilate=2, "
            "rhs_reversal=1");
  EXPECT_EQ(text_of(transpose(3, 3, 11).list("strides", {2}).list("output_shape", {4})),
            "f32[1,2,3] x f32[2,4,3] -> f32[1,4,4], bf0_io0->bf0, pad=0_1, lhs_dilate=2, "
            "rhs_reversal=1");
  EXPECT_EQ(text_of(transpose(3, 3).list("output_shape", {8})),
            "f32[1,2,3] x f32[2,4,3] -> f32[1,4,8], bf0_io0->bf0, pad=2_5, rhs_reversal=1");
}

TEST(Onnx, symmetric_padding_makes_a_call_of_aten) {
  OnnxModelForTests model("Conv");
  model.input("X", {-1, 8, 10}, onnx::TensorProto_DataType_FLOAT16)
      .input("W", {6, 4, 3}, onnx::TensorProto_DataType_FLOAT16)
      .input("B", {6}, onnx::TensorProto_DataType_FLOAT16)
      .list("pads", {1, 1})
      .number("group", 2);
  const FoundOp found = only(model);
  ASSERT_TRUE(found.op) << to_string(found.op.error());
  EXPECT_EQ(found.note, "the batch N is taken as 1");
  ASSERT_TRUE(found.aten);
  const AtenCall expected{.convolution = {.input = {1, 8, 10},
                                          .weight = {6, 4, 3},
                                          .bias = 6,
                                          .stride = {1},
                                          .padding = {1},
                                          .dilation = {1},
                                          .output_padding = {0},
                                          .groups = 2,
                                          .element_type = ElementType::f16},
                          .weight_element_type = ElementType::f16};
  EXPECT_EQ(*found.aten, expected);
  // A far side that is shorter by less than the stride gives as many windows.
  EXPECT_TRUE(only(conv(8, 3).list("strides", {2}).list("pads", {1, 0})).aten);
  EXPECT_FALSE(only(conv(8, 3).list("pads", {1, 0})).aten);
}

TEST(Onnx, shapes_come_from_value_info_constants_and_graphs_around) {
  OnnxModelForTests model("Conv");
  onnx::GraphProto* graph = model.model().mutable_graph();
  model.input("X", {1, 2, 5}).initializer("W", {4, 2, 3});
  // A second convolution reads the first one's result, in a branch of its own graph.
  onnx::NodeProto* branch = graph->add_node();
  branch->set_op_type("If");
  onnx::AttributeProto* then = branch->add_attribute();
  then->set_name("then_branch");
  then->set_type(onnx::AttributeProto_AttributeType_GRAPH);
  onnx::NodeProto* inner = then->mutable_g()->add_node();
  inner->set_op_type("Conv");
  inner->add_input("Y");
  inner->add_input("C");
  inner->add_output("Z");
  onnx::NodeProto* constant = graph->add_node();
  constant->set_op_type("Constant");
  constant->add_output("C");
  onnx::AttributeProto* value = constant->add_attribute();
  value->set_name("value");
  value->mutable_t()->set_data_type(onnx::TensorProto_DataType_FLOAT);
  for (const std::int64_t extent : {5, 4, 1}) value->mutable_t()->add_dims(extent);

  auto document = read_onnx(model.bytes(), "m.onnx");
  ASSERT_TRUE(document);
  ASSERT_EQ(document->ops.size(), 2U);
  EXPECT_FALSE(document->ops[1].op);
  EXPECT_EQ(to_string(document->ops[1].op.error()),
            "m.onnx: node[1].node[0] = input \"Y\": has no shape in the model: run ONNX's shape "
            "inference over it first");

  onnx::ValueInfoProto* known = graph->add_value_info();
  known->set_name("Y");
  known->mutable_type()->mutable_tensor_type()->set_elem_type(onnx::TensorProto_DataType_FLOAT);
  for (const std::int64_t extent : {1, 4, 3})
    known->mutable_type()->mutable_tensor_type()->mutable_shape()->add_dim()->set_dim_value(extent);
  document = read_onnx(model.bytes(), "m.onnx");
  ASSERT_TRUE(document);
  ASSERT_TRUE(document->ops[1].op) << to_string(document->ops[1].op.error());
  EXPECT_EQ(to_string(*document->ops[1].op),
            "f32[1,4,3] x f32[5,4,1] -> f32[1,5,3], bf0_oi0->bf0, kernel=intermediate, "
            "image=intermediate");
}

TEST(Onnx, what_a_node_has_wrong_is_named_with_its_place) {
  const std::string place = "m.onnx: node[0] \"the_node\" = ";
  EXPECT_EQ(text_of(conv(8, 3).list("strides", {0})),
            place + "strides[0] = 0: must be between 1 and 2147483647");
  EXPECT_EQ(text_of(conv(8, 3).list("strides", {1, 1})), place + "strides length = 2: must be 1");
  EXPECT_EQ(text_of(conv(8, 3).list("pads", {1})), place + "pads length = 1: must be 2");
  EXPECT_EQ(text_of(conv(8, 3).list("pads", {-1, 0})),
            place + "pads[0] = -1: must be between 0 and 2147483647");
  EXPECT_EQ(text_of(conv(8, 3).list("pads", {1, 1}).word("auto_pad", "VALID")),
            place + "pads[0] = 1: must not stand beside auto_pad");
  EXPECT_EQ(text_of(conv(8, 3).word("auto_pad", "SAME")),
            place + "auto_pad = SAME: must be NOTSET, SAME_UPPER, SAME_LOWER or VALID");
  EXPECT_EQ(text_of(conv(8, 3).list("kernel_shape", {4})),
            place + "kernel_shape[0] = 4: must be the weight's 3");
  EXPECT_EQ(text_of(conv(8, 3).list("output_padding", {0})),
            place + "output_padding: is not an attribute of Conv");
  EXPECT_EQ(text_of(conv(8, 3).word("group", "1")), place + "group: must be an integer");
  EXPECT_EQ(text_of(conv(8, 3).number("strides", 1)),
            place + "strides: must be a list of integers");
  EXPECT_EQ(text_of(conv(8, 3).number("group", 1).number("group", 1)),
            place + "group: must be given once");
  EXPECT_EQ(text_of(conv(8, 3).number("group", 3)),
            place + "weight[0] = 4: must be a multiple of groups (3)");
  EXPECT_EQ(text_of(conv(2, 3)), place + "input[2] padded = 2: must hold the dilated kernel (3)");
  EXPECT_EQ(text_of(conv(8, 3).input("B", {5})),
            place + "input \"B\" = [5]: must be [4], the output channels");
  EXPECT_EQ(text_of(conv(std::numeric_limits<std::int64_t>::max(), 3)),
            place +
                "input \"X\" = dims[2] = 9223372036854775807: must be between 0 and "
                "2147483647");
  EXPECT_EQ(text_of(OnnxModelForTests("Conv").input("X", {1, 2, 5})),
            place + "inputs = 1: must be X and W, and perhaps B");
  EXPECT_EQ(text_of(OnnxModelForTests("Conv")
                        .input("X", {1, 2, 5}, onnx::TensorProto_DataType_INT8)
                        .input("W", {4, 2, 3}, onnx::TensorProto_DataType_INT8)),
            place + "input \"X\" = s8: must be of a float type");
  EXPECT_EQ(text_of(OnnxModelForTests("Conv")
                        .input("X", {1, 2, 5}, onnx::TensorProto_DataType_COMPLEX64)
                        .input("W", {4, 2, 3})),
            place + "input \"X\" = data_type = COMPLEX64: is not a known element type");
  EXPECT_EQ(text_of(OnnxModelForTests("Conv").input("X", {1, 2, -1}).input("W", {4, 2, 3})),
            place + "input \"X\" = dims[2] = N: must be a number");
  EXPECT_EQ(
      text_of(
          OnnxModelForTests("Conv").input("X", {1, 2, 3, 4, 5, 6}).input("W", {1, 2, 3, 4, 5, 6})),
      place + "input \"X\" = 6 dimensions: must be at most 5");
  EXPECT_EQ(
      text_of(OnnxModelForTests("Conv").input("X", {1 << 30, 1 << 30, 5}).input("W", {4, 2, 3})),
      place + "input \"X\" = dims[1] = 1073741824: makes more than 70368744177664 elements");
  EXPECT_EQ(text_of(OnnxModelForTests("ConvInteger").input("X", {1, 1, 5}).input("W", {1, 1, 3})),
            place + "ConvInteger: is a convolution with zero points, which is not read");
}

TEST(Onnx, other_nodes_are_passed_over) {
  OnnxModelForTests model("Relu");
  model.input("X", {1, 2, 5});
  const auto document = read_onnx(model.bytes(), "m.onnx");
  ASSERT_TRUE(document);
  EXPECT_TRUE(document->ops.empty());
  EXPECT_TRUE(document->errors.empty());
}

TEST(Onnx, what_is_no_model_is_refused) {
  const auto refusal = [](const std::string& bytes) {
    const auto document = read_onnx(bytes, "m.onnx");
    return document ? "read" : to_string(document.error());
  };
  EXPECT_EQ(refusal(""), "m.onnx: is empty");
  EXPECT_EQ(refusal("HloModule m"), "m.onnx: is not a whole ONNX model");
  EXPECT_EQ(refusal(std::string("\x08\x07", 2)), "m.onnx: is an ONNX model without a graph");
}

}  // namespace
}  // namespace convproof
