#include "selector/registry/aten_subject.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "selector/op/aten_call.h"
#include "selector/op/element_type.h"
#include "selector/registry/aten_test_call.h"
#include "selector/rules/located_error.h"
#include "selector/rules/schema.h"

namespace convproof {
namespace {

std::string error_of(const AtenCall& call) {
  const auto valid = validate(call);
  return valid ? "no error" : to_string(valid.error());
}

std::string error_of(const TestCall& test) { return error_of(forward_call(test)); }

AtenCall there_and_back(const AtenCall& call) {
  const AtenBinding& binding = aten_binding(call.backward);
  std::vector<std::int64_t> record(binding.record_size, -9);
  fill_record(call, binding, record);
  return from_record(record, binding);
}

AtenEnvironment unusual() {
  return {.device = AtenDevice::cpu,
          .autotune = false,
          .conv_aten = false,
          .conv_ck = true,
          .gemm_triton = false,
          .conv_1x1_as_mm = true,
          .layout_optimization = true,
          .big_gpu = false,
          .cpu_triton = true,
          .ck_usable = true,
          .shared_memory = 0};
}

TEST(AtenSubject, the_embedded_schemas_load_and_bind_every_attribute) {
  EXPECT_EQ(aten_schema(false).attributes.size(), 30U);
  EXPECT_EQ(aten_binding(false).entries.size(), 30U);
  EXPECT_FALSE(aten_binding(false).backward);
  EXPECT_EQ(aten_schema(true).attributes.size(), 31U);
  EXPECT_EQ(aten_binding(true).entries.size(), 31U);
  EXPECT_TRUE(aten_binding(true).backward);
}

TEST(AtenSubject, a_record_gives_its_forward_call_back) {
  const TestCall grouped{.x = {2, 8, 10, 12},
                         .w = {6, 4, 3, 5},
                         .s = {2, 1},
                         .p = {1, 0},
                         .d = {1, 2},
                         .groups = 2,
                         .bias = true,
                         .type = ElementType::bf16,
                         .channels_last = true,
                         .environment = unusual()};
  EXPECT_EQ(there_and_back(forward_call(grouped)), forward_call(grouped));
  const TestCall transposed{.x = {1, 4, 5},
                            .w = {4, 3, 3},
                            .s = {2},
                            .p = {1},
                            .op = {1},
                            .groups = 2,
                            .transposed = true,
                            .bias = true,
                            .type = ElementType::f64};
  EXPECT_EQ(there_and_back(forward_call(transposed)), forward_call(transposed));
  AtenCall mixed = forward_call({.x = {1, 2, 3, 4, 5}, .w = {3, 2, 1, 1, 1}, .s = {3, 2, 1}});
  mixed.weight_element_type = ElementType::f32;
  mixed.input_packed = false;
  EXPECT_EQ(there_and_back(mixed), mixed);
}

TEST(AtenSubject, a_record_gives_its_backward_call_back) {
  for (int bits = 0; bits < 16; ++bits) {
    AtenCall call =
        backward_call({.x = {2, 8, 15, 15}, .w = {8, 2, 3, 3}, .s = {2}, .groups = 4},
                      {(bits & 1) != 0, (bits & 2) != 0, (bits & 4) != 0}, (bits & 8) != 0);
    call.environment.weight_aten = false;
    call.environment.input_triton = true;
    EXPECT_EQ(there_and_back(call), call);
  }
}

TEST(AtenSubject, a_call_without_batch_axis_is_one_sample) {
  const AtenCall call = forward_call({.x = {3, 32, 32}, .w = {16, 3, 3, 3}});
  EXPECT_EQ(error_of(call), "no error");
  EXPECT_EQ(there_and_back(call), call);
  std::vector<std::int64_t> record(aten_binding(false).record_size, 0);
  fill_record(call, aten_binding(false), record);
  const std::size_t input = aten_schema(false).find_attribute("input")->slot;
  EXPECT_EQ(std::vector<std::int64_t>(record.begin() + static_cast<std::ptrdiff_t>(input),
                                      record.begin() + static_cast<std::ptrdiff_t>(input) + 5),
            (std::vector<std::int64_t>{4, 1, 3, 32, 32}));
  EXPECT_EQ(record[aten_schema(false).find_attribute("batched")->slot], 0);
}

TEST(AtenSubject, short_lists_are_spread_and_said_to_be_short) {
  const AtenCall call =
      forward_call({.x = {1, 3, 9, 9}, .w = {4, 3, 3, 3}, .s = {2}, .p = {1}, .short_lists = true});
  EXPECT_EQ(error_of(call), "no error");
  EXPECT_EQ(there_and_back(call), call);
  std::vector<std::int64_t> record(aten_binding(false).record_size, 0);
  fill_record(call, aten_binding(false), record);
  const std::size_t stride = aten_schema(false).find_attribute("stride")->slot;
  EXPECT_EQ(record[stride], 2);
  EXPECT_EQ(record[stride + 1], 2);
  EXPECT_EQ(record[stride + 2], 2);
  EXPECT_EQ(record[aten_schema(false).find_attribute("short_lists")->slot], 1);
  // One number for one dimension is all of the list.
  fill_record(forward_call({.x = {1, 3, 9}, .w = {4, 3, 3}, .short_lists = true}),
              aten_binding(false), record);
  EXPECT_EQ(record[aten_schema(false).find_attribute("short_lists")->slot], 0);
}

TEST(AtenSubject, an_input_stored_channels_last_has_the_prediction) {
  AtenCall call = forward_call({.x = {1, 3, 9, 9}, .w = {4, 3, 3, 3}});
  call.input_format = MemoryFormat::channels_last;
  EXPECT_TRUE(there_and_back(call).environment.predicted_channels_last);
  call = forward_call({.x = {1, 3, 9}, .w = {4, 3, 3}});
  call.input_format = MemoryFormat::channels_last;
  EXPECT_FALSE(there_and_back(call).environment.predicted_channels_last);
}

// Section A.2, line by line: what eager execution accepts and what it refuses.
TEST(AtenSubject, validity_is_that_of_eager_execution) {
  EXPECT_EQ(error_of({.x = {0, 4, 5, 5}, .w = {2, 4, 3, 3}}), "no error");
  EXPECT_EQ(error_of({.x = {1, 0, 32, 32}, .w = {2, 0, 1, 1}, .bias = true}), "no error");
  EXPECT_EQ(error_of({.x = {3, 0, 16, 16}, .w = {8, 0, 3, 3}, .s = {2, 1}}), "no error");
  EXPECT_EQ(error_of({.x = {1, 4, 0, 5}, .w = {2, 4, 1, 1}, .p = {3}}),
            "input = [1, 4, 0, 5]: spatial extents must be at least 1");
  EXPECT_EQ(error_of({.x = {1, 4, 5, 5}, .w = {2, 4, 3, 0}}),
            "weight = [2, 4, 3, 0]: extents must be at least 1, but for channels of the input");
  EXPECT_EQ(error_of({.x = {1, 4, 5, 5}, .w = {2, 4, 3, 3}, .groups = 0}),
            "groups = 0: must be at least 1");
  EXPECT_EQ(error_of({.x = {1, 4, 5, 5}, .w = {2, 4, 3, 3}, .s = {1, 0}}),
            "stride = [1, 0]: must be at least 1");
  EXPECT_EQ(error_of({.x = {1, 4, 5, 5}, .w = {2, 4, 3, 3}, .d = {0}}),
            "dilation = [0, 0]: must be at least 1");
  EXPECT_EQ(error_of({.x = {1, 4, 5, 5}, .w = {2, 4, 3, 3}, .p = {-1}}),
            "padding = [-1, -1]: must be between 0 and 2147483647");
  EXPECT_EQ(error_of({.x = {1, 4, 5, 5}, .w = {3, 2, 3, 3}, .groups = 2}),
            "weight = [3, 2, 3, 3]: its first extent (3) must be a positive multiple of groups "
            "(2)");
  EXPECT_EQ(error_of({.x = {1, 0, 5, 5}, .w = {0, 0, 3, 3}}),
            "weight = [0, 0, 3, 3]: its first extent (0) must be a positive multiple of groups "
            "(1)");
  EXPECT_EQ(error_of({.x = {1, 6, 5, 5}, .w = {4, 2, 3, 3}, .groups = 2}),
            "input = [1, 6, 5, 5]: its channels (6) must be those that the weight and groups (2) "
            "declare");
  EXPECT_EQ(error_of({.x = {1, 4, 5, 5}, .w = {3, 4, 3, 3}, .transposed = true}),
            "input = [1, 4, 5, 5]: its channels (4) must be those that the weight and groups (1) "
            "declare");
  EXPECT_EQ(error_of({.x = {1, 4, 5, 5}, .w = {4, 0, 3, 3}, .transposed = true}),
            "weight = [4, 0, 3, 3]: extents must be at least 1, but for channels of the input");
  EXPECT_EQ(error_of({.x = {1, 4, 5, 5}, .w = {2, 4, 3, 3}, .d = {1, 3}}),
            "weight = [2, 4, 3, 3]: must not be wider than the padded input");
  EXPECT_EQ(error_of({.x = {1, 4, 5, 5}, .w = {2, 4, 3, 3}, .p = {0, 1}, .d = {1, 3}}), "no error");
}

TEST(AtenSubject, output_padding_is_ignored_forward_and_refused_backward_where_not_transposed) {
  const TestCall plain{.x = {1, 4, 5, 5}, .w = {2, 4, 3, 3}, .op = {7}};
  EXPECT_EQ(error_of(plain), "no error");
  EXPECT_EQ(error_of(backward_call(plain, {true, true, false})),
            "output_padding = [7, 7]: must be 0 where not transposed");
  const auto transposed = [](std::int64_t dilation, std::int64_t padding) {
    return TestCall{.x = {1, 4, 5, 5},
                    .w = {4, 2, 3, 3},
                    .s = {2},
                    .d = {dilation},
                    .op = {padding},
                    .transposed = true};
  };
  EXPECT_EQ(error_of(transposed(3, 2)), "no error");
  EXPECT_EQ(error_of(backward_call(transposed(3, 2), {true, true, false})), "no error");
  EXPECT_EQ(error_of(transposed(1, 2)),
            "output_padding = [2, 2]: must be smaller than either stride or dilation");
  EXPECT_EQ(error_of({.x = {1, 2, 1}, .w = {2, 2, 1}, .p = {1}, .transposed = true}),
            "padding = [1]: must leave a result of 1 to 2147483647 positions on each axis");
}

TEST(AtenSubject, ranks_and_lengths_come_first) {
  EXPECT_EQ(error_of({.x = {1, 4}, .w = {2, 4, 3, 3}}),
            "input = [1, 4]: must have 4 extents, or 3 without a batch axis");
  EXPECT_EQ(error_of(backward_call({.x = {4, 5, 5}, .w = {2, 4, 3, 3}}, {true, true, false})),
            "input = [4, 5, 5]: must have 4 extents");
  EXPECT_EQ(error_of({.x = {1, 4, 5, 5}, .w = {2, 4, 3, 3}, .s = {1, 1, 1}}),
            "stride = [1, 1, 1]: must have one number, or one for each of 2 spatial dimensions");
  AtenCall call = forward_call({.x = {1, 4, 5, 5}, .w = {2, 4, 3, 3}});
  call.convolution.weight = {2, 4};
  EXPECT_EQ(error_of(call), "weight = [2, 4]: must have 3 to 5 extents");
}

TEST(AtenSubject, a_bias_has_an_element_for_each_output_channel) {
  AtenCall call = forward_call(
      {.x = {1, 4, 5, 5}, .w = {4, 3, 3, 3}, .groups = 2, .transposed = true, .bias = true});
  EXPECT_EQ(call.convolution.bias, 6);
  EXPECT_EQ(error_of(call), "no error");
  call.convolution.bias = 4;
  EXPECT_EQ(error_of(call), "bias = 4: must have 6 elements, one for each output channel");
  call.convolution.bias = 6;
  call.weight_element_type = ElementType::f32;
  EXPECT_EQ(error_of(call), "weight_element_type = \"f32\": must be \"f16\" where there is a bias");
  call.convolution.bias.reset();
  EXPECT_EQ(error_of(call), "no error");
}

TEST(AtenSubject, a_bias_gradient_without_channels_needs_the_bias_sizes) {
  const TestCall empty{.x = {1, 0, 8, 8}, .w = {2, 0, 1, 1}};
  EXPECT_EQ(error_of(backward_call(empty, {true, true, true})),
            "bias_sizes = False: must be given where the gradient of the bias is asked for and the "
            "input has no channels");
  EXPECT_EQ(error_of(backward_call(empty, {true, true, true}, true)), "no error");
  EXPECT_EQ(error_of(backward_call(empty, {true, true, false})), "no error");
}

TEST(AtenSubject, an_environment_must_be_possible) {
  const auto with = [](AtenEnvironment environment) {
    return error_of({.x = {1, 4, 5}, .w = {2, 4, 3}, .environment = environment});
  };
  EXPECT_EQ(with({.hip = true, .shared_memory = 65536}), "no error");
  EXPECT_EQ(with({.device = AtenDevice::cpu, .hip = true}),
            "hip = True: a ROCm device is a CUDA device");
  EXPECT_EQ(with({.predicted_channels_last = true}),
            "predicted_channels_last = True: only two spatial dimensions have the order");
  EXPECT_EQ(with({.shared_memory = 0}),
            "shared_memory = 0: must be at least 49152, as every CUDA and ROCm device has, or 0 "
            "where none is visible");
  EXPECT_EQ(with({.device = AtenDevice::xpu, .shared_memory = 0}), "no error");
}

TEST(AtenSubject, what_leaves_the_limits_is_refused_and_never_wraps) {
  const std::int64_t most = (std::int64_t{1} << 31) - 1;
  EXPECT_EQ(error_of({.x = {most, most, most, most}, .w = {1, most, 1, 1}}),
            "input = [2147483647, 2147483647, 2147483647, 2147483647]: must hold at most "
            "70368744177664 elements");
  EXPECT_EQ(error_of({.x = {1, 1, most}, .w = {1, 1, most}, .d = {most}}),
            "weight = [1, 1, 2147483647]: must not be wider than the padded input");
  EXPECT_EQ(
      error_of(
          {.x = {1, 1, most}, .w = {1, 1, most}, .s = {most}, .d = {most}, .transposed = true}),
      "padding = [0]: must leave a result of 1 to 2147483647 positions on each axis");
  EXPECT_EQ(error_of({.x = {most, 1, 1, 1}, .w = {most, 1, 1, 1}}),
            "result = [2147483647, 2147483647, 1, 1]: must hold at most 70368744177664 elements");
}

TEST(AtenSubject, an_attribute_that_no_call_has_is_refused) {
  const auto error_for = [](const std::string& attribute) {
    const auto schema = load_schema(
        R"({"version": 1, "name": "s", "enums": {"e": ["f32"], "d": ["cpu"]}, "attributes": [)" +
            attribute + "]}",
        "s.json");
    const auto binding = bind_aten(schema.value());
    return binding ? "no error" : to_string(binding.error());
  };
  EXPECT_EQ(error_for(R"({"name": "big_gpus", "type": "bool"})"),
            "attributes[0] = big_gpus: no field of an aten convolution, did you mean `big_gpu`?");
  EXPECT_EQ(error_for(R"({"name": "stride", "type": "int", "bounds": [1, 9]})"),
            "attributes[0] = stride: must be of type list[int]");
  EXPECT_EQ(
      error_for(R"({"name": "input", "type": "list[int]", "max_length": 4, "bounds": [1, 9]})"),
      "attributes[0] = input: must have max_length 5");
  EXPECT_EQ(error_for(R"({"name": "element_type", "type": "e"})"),
            "attributes[0] = element_type: its enumeration must list the element types in their "
            "order");
  EXPECT_EQ(error_for(R"({"name": "device", "type": "d"})"),
            "attributes[0] = device: its enumeration must list the devices in their order");
}

TEST(AtenSubject, only_the_attributes_that_are_read_are_written) {
  const Schema& schema = aten_schema(false);
  std::vector<bool> read(schema.attributes.size(), false);
  read[2] = true;  // weight
  const auto binding = bind_aten(schema, read);
  ASSERT_TRUE(binding);
  std::vector<std::int64_t> record(binding->record_size, -9);
  fill_record(forward_call({.x = {1, 4, 5}, .w = {2, 4, 3}}), *binding, record);
  EXPECT_EQ(record[schema.find_attribute("groups")->slot], -9);
  EXPECT_EQ(record[schema.find_attribute("weight")->slot], 3);
}

}  // namespace
}  // namespace convproof
