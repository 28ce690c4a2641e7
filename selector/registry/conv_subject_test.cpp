#include "selector/registry/conv_subject.h"

#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "selector/op/conv_op.h"
#include "selector/rules/located_error.h"
#include "selector/rules/schema.h"

namespace convproof {
namespace {

ConvOp sample() {
  ConvOp op{.element_type = ElementType::bf16,
            .result_element_type = ElementType::f32,
            .in_shape = {2, 8, 10, 12},
            .kern_shape = {16, 3, 5, 4},
            .in_perm = {0, 1, 2, 3},
            .kern_perm = {0, 3, 1, 2},
            .out_perm = {0, 3, 1, 2},
            .window = {{.stride = 2, .pad_low = -1, .pad_high = 4, .rhs_dilation = 2},
                       {.pad_low = 1, .pad_high = 0, .lhs_dilation = 3, .reversal = true}},
            .feature_group_count = 2,
            .is_pglt = true,
            .input_is_graph_input = false};
  op.res_shape = infer_result_shape(op);
  return op;
}

std::string error_of(const ConvOp& op) {
  const auto valid = validate(op);
  return valid ? "no error" : to_string(valid.error());
}

TEST(ConvSubject, the_embedded_schema_loads_and_binds_every_attribute) {
  EXPECT_EQ(convolution_schema().attributes.size(), 20U);
  EXPECT_EQ(convolution_binding().entries.size(), 20U);
}

TEST(ConvSubject, a_record_gives_its_op_back) {
  for (const std::size_t dims : {1U, 2U, 3U}) {
    ConvOp op = sample();
    if (dims == 1) {
      op.window.pop_back();
      for (Shape* shape : {&op.in_shape, &op.kern_shape, &op.res_shape}) shape->pop_back();
      op.in_perm = op.kern_perm = op.out_perm = {1, 0, 2};
    } else if (dims == 3) {
      op.window.push_back({.stride = 5});
      for (Shape* shape : {&op.in_shape, &op.kern_shape, &op.res_shape}) shape->push_back(7);
      op.in_perm = op.kern_perm = op.out_perm = {4, 2, 0, 1, 3};
    }
    std::vector<std::int64_t> record(convolution_binding().record_size, -9);
    fill_record(op, convolution_binding(), record);
    EXPECT_EQ(from_record(record, convolution_binding()), op);
  }
}

TEST(ConvSubject, lists_are_written_as_length_and_elements) {
  std::vector<std::int64_t> record(convolution_binding().record_size, 0);
  fill_record(sample(), convolution_binding(), record);
  const std::size_t padding = convolution_schema().find_attribute("padding")->slot;
  EXPECT_EQ(std::vector<std::int64_t>(record.begin() + static_cast<std::ptrdiff_t>(padding),
                                      record.begin() + static_cast<std::ptrdiff_t>(padding) + 5),
            (std::vector<std::int64_t>{2, -1, 4, 1, 0}));
  EXPECT_EQ(record[convolution_schema().find_attribute("element_bytes")->slot], 2);
}

TEST(ConvSubject, validate_gives_the_first_cause) {
  EXPECT_EQ(error_of(sample()), "no error");
  ConvOp op = sample();
  op.feature_group_count = 3;
  EXPECT_EQ(error_of(op), "feature_group_count = 3: must divide the input features (8)");
  op = sample();
  op.in_perm = {0, 1, 2, 2};
  EXPECT_EQ(error_of(op), "in_perm = [0, 1, 2, 2]: must be a permutation of 0 to 3");
  op = sample();
  op.res_shape[1] += 1;
  EXPECT_EQ(error_of(op),
            "res_shape = [2, 6, 31, 16]: its spatial extents must be the number of "
            "window positions");
}

TEST(ConvSubject, a_schema_with_an_attribute_that_no_convolution_has_is_refused) {
  const auto schema = load_schema(
      R"({"version": 1, "name": "s", "attributes": [
          {"name": "strides", "type": "list[int]", "max_length": 3, "bounds": [1, 9]}]})",
      "s.json");
  ASSERT_TRUE(schema);
  const auto binding = bind_convolution(*schema);
  ASSERT_FALSE(binding);
  EXPECT_EQ(to_string(binding.error()),
            "attributes[0] = strides: no field of a convolution, did you mean `stride`?");
}

TEST(ConvSubject, an_attribute_of_another_type_or_capacity_is_refused) {
  const auto error_for = [](const std::string& attribute) {
    const auto schema =
        load_schema(R"({"version": 1, "name": "s", "enums": {"e": ["f32"]}, "attributes": [)" +
                        attribute + "]}",
                    "s.json");
    const auto binding = bind_convolution(schema.value());
    return binding ? "no error" : to_string(binding.error());
  };
  EXPECT_EQ(error_for(R"({"name": "stride", "type": "int", "bounds": [1, 9]})"),
            "attributes[0] = stride: must be of type list[int]");
  EXPECT_EQ(
      error_for(R"({"name": "stride", "type": "list[int]", "max_length": 2, "bounds": [1, 9]})"),
      "attributes[0] = stride: must have max_length 3");
  EXPECT_EQ(error_for(R"({"name": "element_type", "type": "e"})"),
            "attributes[0] = element_type: its enumeration must list the element types in their "
            "order");
}

}  // namespace
}  // namespace convproof
