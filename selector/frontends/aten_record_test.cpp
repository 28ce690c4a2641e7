#include "selector/frontends/aten_record.h"

#include <cstddef>
#include <cstdint>
#include <fstream>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "selector/frontends/aten.h"
#include "selector/frontends/document.h"
#include "selector/frontends/json_cases.h"

namespace convproof {
namespace {

constexpr std::string_view extra_cases = CONVPROOF_EXTRA_CASES;

std::string failure(std::string_view text) {
  const auto call = parse_aten_record(text);
  return call ? "read" : to_string(call.error());
}

// Any call at all, valid or not, with every field away from its default about half of the time.
AtenCall arbitrary(std::mt19937_64& random) {
  const auto flag = [&] { return random() % 2 == 1; };
  const auto number = [&] { return static_cast<std::int64_t>(random()) >> (random() % 64); };
  const auto list = [&](auto values) {
    for (std::size_t i = random() % (values.capacity() + 1); i > 0; --i) values.push_back(number());
    return values;
  };
  const auto type = [&] { return element_types[random() % element_types.size()].type; };
  AtenCall call{.convolution = {.input = list(Shape{}),
                                .weight = list(Shape{}),
                                .stride = list(SpatialList{}),
                                .padding = list(SpatialList{}),
                                .dilation = list(SpatialList{}),
                                .output_padding = list(SpatialList{}),
                                .transposed = flag(),
                                .groups = number(),
                                .element_type = type()},
                .weight_element_type = type(),
                .input_format = static_cast<MemoryFormat>(random() % memory_format_names.size()),
                .input_packed = flag(),
                .backward = flag(),
                .output_mask = {flag(), flag(), flag()},
                .bias_sizes = flag()};
  if (flag()) call.convolution.bias = number();
  AtenEnvironment& environment = call.environment;
  environment.device = static_cast<AtenDevice>(random() % aten_device_names.size());
  for (bool* member :
       {&environment.hip, &environment.autotune, &environment.conv_aten, &environment.conv_triton,
        &environment.conv_ck, &environment.gemm_triton, &environment.weight_aten,
        &environment.weight_triton, &environment.input_aten, &environment.input_triton,
        &environment.conv_1x1_as_mm, &environment.layout_optimization,
        &environment.predicted_channels_last, &environment.big_gpu, &environment.cpu_triton,
        &environment.ck_usable}) {
    *member = flag();
  }
  if (flag()) environment.shared_memory = number();
  return call;
}

TEST(AtenRecord, writing_and_reading_give_back_any_call) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 2000; ++i) {
    const AtenCall call = arbitrary(random);
    const std::string text = aten_record_text(call);
    const auto read = parse_aten_record(text);
    ASSERT_TRUE(read) << text << ": " << to_string(read.error());
    ASSERT_EQ(*read, call) << text;
  }
}

TEST(AtenRecord, a_case_file_gives_back_any_call) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 500; ++i) {
    const AtenCall call = arbitrary(random);
    const auto document = read_json_cases(write_json_case("w", call), "c.json");
    ASSERT_TRUE(document);
    ASSERT_EQ(document->ops.size(), 1U);
    EXPECT_EQ(document->ops[0].name, "w");
    ASSERT_TRUE(document->ops[0].aten);
    ASSERT_EQ(*document->ops[0].aten, call);
  }
}

TEST(AtenRecord, only_the_shapes_must_be_given) {
  const auto call = parse_aten_record(R"({"input": [2, 4, 9], "weight": [6, 4, 3], "bias": null})");
  ASSERT_TRUE(call) << to_string(call.error());
  const AtenCall expected{.convolution = {.input = {2, 4, 9},
                                          .weight = {6, 4, 3},
                                          .stride = {1},
                                          .padding = {0},
                                          .dilation = {1},
                                          .output_padding = {0}}};
  EXPECT_EQ(*call, expected);
}

TEST(AtenRecord, the_weights_type_is_the_inputs_where_it_is_not_given) {
  const auto call = parse_aten_record(
      R"({"input": [2, 4, 9], "weight": [6, 4, 3], "dtype": "f16", "channels_last": true})");
  ASSERT_TRUE(call);
  EXPECT_EQ(call->convolution.element_type, ElementType::f16);
  EXPECT_EQ(call->weight_element_type, ElementType::f16);
  EXPECT_EQ(call->input_format, MemoryFormat::channels_last);
}

TEST(AtenRecord, what_is_wrong_is_named_by_its_path) {
  EXPECT_EQ(failure("[1"), "aten = [1: is not JSON");
  EXPECT_EQ(failure("[1]"), "aten = [1]: must be an object");
  EXPECT_EQ(failure(R"({"input": [1, 1, 1]})"), "weight: must be given");
  const auto with = [](const std::string& extra) {
    return failure(R"({"input": [2, 4, 9], "weight": [6, 4, 3], )" + extra + "}");
  };
  EXPECT_EQ(with(R"("bias": [1, 2])"), "bias = [1,2]: must be an array of at most 1 integers");
  EXPECT_EQ(with(R"("strides": [1])"), "strides = [1]: is not a known key; stride is");
  EXPECT_EQ(with(R"("remark": "x")"), "remark = \"x\": is not a known key");
  EXPECT_EQ(with(R"("stride": [1, 1, 1, 1])"),
            "stride = [1,1,1,1]: must be an array of at most 3 integers");
  EXPECT_EQ(with(R"("element_type": "f17")").substr(0, 51),
            "element_type = f17: is not a known element type (f6");
  EXPECT_EQ(with(R"("element_type": "f16", "dtype": "f16")"),
            "dtype = \"f16\": must not stand beside element_type");
  EXPECT_EQ(with(R"("input_format": "nhwc")"),
            "input_format = nhwc: must be one of contiguous, channels_last");
  EXPECT_EQ(with(R"("output_mask": [true, false])"),
            "output_mask = [true,false]: must have three entries");
  EXPECT_EQ(with(R"("output_mask": [true, false, 2])"),
            "output_mask = [true,false,2]: must be of true and false");
  EXPECT_EQ(with(R"("environment": 1)"), "environment = 1: must be an object");
  EXPECT_EQ(with(R"("environment": {"device": "gpu"})"),
            "environment.device = gpu: must be one of cuda, xpu, cpu, other");
  EXPECT_EQ(with(R"("environment": {"conv_tritn": true})"),
            "environment.conv_tritn = true: is not a known key; conv_triton is");
  EXPECT_EQ(with(R"("environment": {"hip": 1})"), "environment.hip = 1: must be true or false");
}

FoundOp only(const std::string& record) {
  const auto document =
      read_json_cases(R"([{"id": "x", "aten": )" + record + R"(, "why": "w"}])", "c.json");
  EXPECT_TRUE(document) << to_string(document.error());
  return document ? document->ops.at(0) : FoundOp{.op = std::unexpected(Error{"none"})};
}

TEST(AtenRecord, a_case_has_the_call_and_its_general_convolution) {
  const FoundOp forward =
      only(R"({"input": [2, 4, 9], "weight": [6, 2, 3], "groups": 2, "padding": [1]})");
  ASSERT_TRUE(forward.op) << to_string(forward.op.error());
  EXPECT_EQ(to_string(*forward.op),
            "f32[2,4,9] x f32[6,2,3] -> f32[2,6,9], bf0_oi0->bf0, pad=1_1, feature_group_count=2");
  const std::string backward =
      R"({"input": [2, 4, 9], "weight": [6, 4, 3], "backward": true, "output_mask": )";
  EXPECT_EQ(only(backward + "[true, true, true]}").op->res_shape, (Shape{2, 4, 9}));
  EXPECT_EQ(only(backward + "[false, true, false]}").op->res_shape, (Shape{6, 4, 3}));
  const FoundOp none = only(backward + "[0, 0, 1]}");
  EXPECT_FALSE(none.op);
  ASSERT_TRUE(none.aten);
  EXPECT_EQ(to_string(none.op.error()),
            "c.json:1:2 = output_mask: must ask for the gradient of the input or the weight");
}

TEST(AtenRecord, a_call_that_no_convolution_computes_keeps_its_record) {
  // Without input channels, eager execution gives no output channels either.
  const FoundOp found = only(R"({"input": [1, 0, 32], "weight": [2, 0, 1]})");
  EXPECT_FALSE(found.op);
  ASSERT_TRUE(found.aten);
  EXPECT_EQ(found.aten->convolution.input, (Shape{1, 0, 32}));
  const FoundOp broken = only(R"({"input": [1, 2, 32], "weight": [2, 2, 1], "groups": true})");
  EXPECT_FALSE(broken.aten);
  EXPECT_EQ(to_string(broken.op.error()), "c.json:1:2 = aten.groups = true: must be an integer");
}

TEST(AtenRecord, the_recorded_candidate_sets_have_records_that_are_read) {
  if (extra_cases.empty()) GTEST_SKIP() << "CONVPROOF_EXTRA_CASES names no folder";
  std::ifstream stream(std::string(extra_cases) + "/inductor-candidates.json");
  const auto rows = nlohmann::json::parse(stream)["rows"];
  std::size_t shapes = 0;
  for (const auto& row : rows) {
    const auto call = read_aten_record(row["op"]);
    ASSERT_TRUE(call) << row["op"] << ": " << to_string(call.error());
    const AtenConvolution& conv = call->convolution;
    if (!row.contains("out_shape") || conv.input.size() != conv.weight.size() || conv.input[1] == 0)
      continue;
    const auto shape = aten_output_shape(conv);
    ASSERT_TRUE(shape) << row["op"] << ": " << to_string(shape.error());
    const nlohmann::json ours = std::vector<std::int64_t>(shape->begin(), shape->end());
    EXPECT_EQ(ours, row["out_shape"]) << row["op"];
    ++shapes;
  }
  EXPECT_GT(rows.size(), 100U);
  EXPECT_GT(shapes, rows.size() / 2);
}

}  // namespace
}  // namespace convproof
