#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "selector/op/aten_call.h"
#include "selector/op/element_type.h"
#include "selector/registry/aten_selector.h"
#include "selector/registry/aten_subject.h"
#include "selector/registry/registry.h"

namespace convproof {
namespace {

using Json = nlohmann::json;

// Candidate sets that a real Inductor of release 2.11 built, beside those of its table. Every
// recorded call must agree in rows, configurations and order.
//
// Two things of a record stand outside a table: whether the eager candidate then compiled, and, for
// an input without channels and with a bias, that this release asserts in its lowering after the
// recorded selection. The sets themselves agree there too.
std::string extra_cases() {
#ifdef CONVPROOF_EXTRA_CASES
  return CONVPROOF_EXTRA_CASES;
#else
  return "";
#endif
}

SpatialList list_of(const Json& values) {
  SpatialList list;
  for (const Json& value : values) list.push_back(value.get<std::int64_t>());
  return list;
}

Shape shape_of(const Json& values) {
  Shape shape;
  for (const Json& value : values) shape.push_back(value.get<std::int64_t>());
  return shape;
}

AtenCall recorded_call(const Json& op, const std::string& config) {
  const ElementType type = element_type_named(op["dtype"].get<std::string>()).value();
  AtenCall call{.convolution = {.input = shape_of(op["input"]),
                                .weight = shape_of(op["weight"]),
                                .stride = list_of(op["stride"]),
                                .padding = list_of(op["padding"]),
                                .dilation = list_of(op["dilation"]),
                                .output_padding = list_of(op["output_padding"]),
                                .transposed = op["transposed"].get<bool>(),
                                .groups = op["groups"].get<std::int64_t>(),
                                .element_type = type},
                .weight_element_type = type};
  if (!op["bias"].is_null()) call.convolution.bias = op["bias"].get<std::int64_t>();
  if (op["channels_last"].get<bool>()) call.input_format = MemoryFormat::channels_last;
  call.environment.autotune = config != "default" && config != "conv_1x1_as_mm";
  call.environment.conv_1x1_as_mm = config == "conv_1x1_as_mm";
  call.environment.conv_aten = config != "triton_only";
  // The heuristic of section B for graphs of this one convolution in inference.
  const bool grouped = call.convolution.groups > 1 && call.convolution.weight[1] > 1;
  call.environment.layout_optimization =
      config == "force_layout_opt" || (config != "no_layout_opt" && !grouped);
  return call;
}

// As the records have it: `ATEN`, `MM1X1`, or row, blocks, stages, warps and whether unrolled.
std::vector<std::string> candidates_of(const Registry& registry, const AtenSelection& selection) {
  const Shape& weight = selection.call.convolution.weight;
  const bool unrolled = std::all_of(weight.begin() + 2, weight.end(),
                                    [](std::int64_t extent) { return extent == 1; });
  std::vector<std::string> texts;
  for (const Candidate& candidate : selection.candidates) {
    const std::string& id = registry.rows[candidate.row].id;
    const std::string name = id == "aten"     ? "ATEN"
                             : id == "mm1x1"  ? "MM1X1"
                             : id == "conv2d" ? "C2D"
                             : id == "conv3d" ? "C3D"
                                              : id;
    texts.push_back(
        candidate.values.empty()
            ? name
            : fmt::format("{} {} {}", name, fmt::join(candidate.values, " "), unrolled));
  }
  return texts;
}

std::vector<std::string> recorded_candidates(const Json& choices) {
  std::vector<std::string> texts;
  for (const Json& choice : choices) {
    if (choice.is_string()) {
      texts.push_back(choice.get<std::string>());
      continue;
    }
    std::string text = choice[0].get<std::string>();
    for (std::size_t i = 1; i < 6; ++i) text += fmt::format(" {}", choice[i].get<std::int64_t>());
    texts.push_back(fmt::format("{} {}", text, choice[6].get<bool>()));
  }
  return texts;
}

TEST(InductorRecorded, release_2_11_offers_what_was_recorded_on_a_device) {
  if (extra_cases().empty()) GTEST_SKIP() << "CONVPROOF_EXTRA_CASES is not set";
  std::ifstream stream(extra_cases() + "/inductor-candidates.json", std::ios::binary);
  ASSERT_TRUE(stream);
  const Json document = Json::parse(std::string(std::istreambuf_iterator<char>(stream), {}));
  const auto registry = find_registry("inductor-forward-2.11");
  ASSERT_TRUE(registry) << to_string(registry.error());
  auto selector = AtenSelector::compile(*registry);
  ASSERT_TRUE(selector) << to_string(selector.error());
  std::size_t rejected = 0;
  std::size_t products = 0;
  std::size_t sets = 0;
  std::size_t empty = 0;
  for (std::size_t i = 0; i < document["rows"].size(); ++i) {
    const Json& row = document["rows"][i];
    const AtenCall call = recorded_call(row["op"], row["config"].get<std::string>());
    SCOPED_TRACE(
        fmt::format("row {}, {}: {}", i, row["config"].get<std::string>(), to_string(call)));
    const bool refused = row.value("error", "") == "rejected by eager";
    EXPECT_EQ(validate(call).has_value(), !refused);
    if (refused) {
      ++rejected;
      continue;
    }
    const AtenSelection selection = selector->select(call);
    EXPECT_FALSE(selection.raised);
    EXPECT_EQ(selection.exit_row.has_value(), row["mm_rewrites"].get<int>() == 1);
    if (selection.exit_row) {
      ++products;
      continue;
    }
    ASSERT_EQ(row["candidates"].size(), 1U);
    const auto recorded = recorded_candidates(row["candidates"][0]);
    EXPECT_EQ(candidates_of(*registry, selection), recorded);
    EXPECT_EQ(selection.candidates.empty(), row.value("error", "") == "no candidates");
    ++sets;
    if (recorded.empty()) ++empty;
  }
  EXPECT_EQ(rejected, 4U);
  EXPECT_EQ(products, 12U);
  EXPECT_EQ(sets, 245U);
  EXPECT_EQ(empty, 19U);
}

}  // namespace
}  // namespace convproof
