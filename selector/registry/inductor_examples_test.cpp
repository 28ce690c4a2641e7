#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "selector/op/aten_call.h"
#include "selector/op/element_type.h"
#include "selector/registry/aten_selector.h"
#include "selector/registry/aten_subject.h"
#include "selector/registry/aten_test_call.h"
#include "selector/registry/registry.h"

namespace convproof {
namespace {

// The worked examples of the design sheet of Inductor's convolution lowering, section G.

Registry table(const std::string& name) {
  auto registry = find_registry(name);
  if (registry) return std::move(*registry);
  ADD_FAILURE() << to_string(registry.error());
  return {};
}

// A table with what selects by it.
struct Selecting {
  explicit Selecting(const std::string& name) : registry(table(name)) {
    auto compiled = AtenSelector::compile(registry);
    if (compiled) {
      selector.emplace(std::move(*compiled));
    } else {
      ADD_FAILURE() << to_string(compiled.error());
    }
  }

  Registry registry;
  std::optional<AtenSelector> selector{};
};

// `bias; aten, conv2d x8`: the rewrites, then the rows with their numbers of candidates.
std::string summary(const Registry& registry, const AtenSelection& selection) {
  std::vector<std::string> rewrites;
  for (const std::uint32_t row : selection.rewrites) rewrites.push_back(registry.rows[row].id);
  if (selection.exit_row) return fmt::format("{}; alone", fmt::join(rewrites, ", "));
  std::vector<std::string> rows;
  for (std::size_t i = 0; i < selection.candidates.size();) {
    const Candidate& first = selection.candidates[i];
    std::size_t count = 0;
    for (; i < selection.candidates.size() && selection.candidates[i].row == first.row; ++i)
      ++count;
    const std::string& id = registry.rows[first.row].id;
    rows.push_back(first.values.empty() ? id : fmt::format("{} x{}", id, count));
  }
  return fmt::format("{}; {}", fmt::join(rewrites, ", "), fmt::join(rows, ", "));
}

using Values = std::vector<std::vector<std::int64_t>>;

Values values_of(const Registry& registry, const AtenSelection& selection, std::string_view id) {
  Values values;
  for (const Candidate& candidate : selection.candidates) {
    if (registry.rows[candidate.row].id == id)
      values.emplace_back(candidate.values.begin(), candidate.values.end());
  }
  return values;
}

constexpr AtenEnvironment only_triton{.conv_aten = false};
constexpr AtenEnvironment no_tuning{.autotune = false};
constexpr AtenEnvironment as_mm{.conv_1x1_as_mm = true};
constexpr AtenEnvironment as_mm_untuned{.autotune = false, .conv_1x1_as_mm = true};
constexpr AtenEnvironment laid_out{.layout_optimization = true};
constexpr AtenEnvironment cpu_triton{.device = AtenDevice::cpu, .cpu_triton = true};
constexpr AtenEnvironment rocm{
    .hip = true, .conv_ck = true, .ck_usable = true, .shared_memory = 65536};

struct ForwardExample {
  int number = 0;
  TestCall call{};
  std::string_view expected{};
};

std::vector<ForwardExample> forward_examples() {
  using enum ElementType;
  return {
      {1, {.x = {2, 64, 56, 56}, .w = {64, 64, 3, 3}, .p = {1}}, "; aten, conv2d x12"},
      {2,
       {.x = {8, 3, 224, 224}, .w = {64, 3, 7, 7}, .s = {2}, .p = {3}, .type = f32},
       "; aten, conv2d x9"},
      {3, {.x = {2, 64, 56, 56}, .w = {256, 64, 1, 1}, .channels_last = true}, "matmul; alone"},
      {4, {.x = {4, 3, 32, 32}, .w = {16, 3, 1, 1}}, "; aten, mm1x1, conv2d x8"},
      {5, {.x = {4, 3, 32, 32}, .w = {16, 3, 1, 1}, .bias = true}, "bias; aten, mm1x1, conv2d x8"},
      {6,
       {.x = {4, 3, 32, 32}, .w = {16, 3, 1, 1}, .bias = true, .channels_last = true},
       "matmul; alone"},
      {7, {.x = {4, 3, 32, 32}, .w = {16, 3, 1, 1}, .environment = as_mm_untuned}, "matmul; alone"},
      {8,
       {.x = {2, 256, 56, 56}, .w = {512, 256, 1, 1}, .s = {2}, .channels_last = true},
       "; aten, conv2d x17"},
      {9, {.x = {2, 16, 8, 8}, .w = {8, 16, 1, 1}, .p = {1}}, "; aten, conv2d x7"},
      {10, {.x = {2, 16, 8, 8}, .w = {8, 16, 1, 1}, .d = {2}}, "; aten"},
      {11, {.x = {2, 16, 8, 8}, .w = {8, 16, 1, 1}, .d = {2}, .environment = only_triton}, "; "},
      {12,
       {.x = {1, 32, 112, 112}, .w = {32, 1, 3, 3}, .p = {1}, .groups = 32},
       "; aten, conv2d x9"},
      {13, {.x = {1, 24, 28, 28}, .w = {24, 8, 1, 1}, .groups = 3}, "; aten, conv2d x9"},
      {14, {.x = {3072, 128, 202}, .w = {128, 1, 3}, .groups = 128}, "; aten, depthwise1d x15"},
      {15,
       {.x = {4, 96, 1000}, .w = {96, 1, 4}, .s = {2}, .p = {3}, .groups = 96, .bias = true},
       "bias; aten, depthwise1d x15"},
      {16, {.x = {4, 96, 1000}, .w = {192, 1, 4}, .p = {3}, .groups = 96}, "; aten"},
      {17, {.x = {4, 96, 1000}, .w = {96, 1, 3}, .p = {2}, .d = {2}, .groups = 96}, "; aten"},
      {18,
       {.x = {4, 96, 1000},
        .w = {96, 1, 4},
        .p = {3},
        .groups = 96,
        .environment = {.device = AtenDevice::xpu}},
       "conv1d-as-conv2d; aten, conv2d x11"},
      {19, {.x = {8, 128, 202}, .w = {384, 128, 3}}, "; aten"},
      {20, {.x = {8, 128, 202}, .w = {384, 128, 3}, .environment = only_triton}, "; "},
      {21, {.x = {20, 16, 50}, .w = {33, 16, 1}, .bias = true}, "bias; aten, mm1x1"},
      {22,
       {.x = {20, 16, 50}, .w = {33, 16, 1}, .bias = true, .environment = only_triton},
       "bias; mm1x1"},
      {23,
       {.x = {20, 16, 50}, .w = {33, 16, 1}, .bias = true, .environment = as_mm},
       "matmul; alone"},
      {24, {.x = {1, 3, 8, 16, 32}, .w = {3, 3, 7, 7, 7}, .type = f32}, "; aten, conv3d x8"},
      {25, {.x = {2, 8, 4, 6, 6}, .w = {16, 8, 1, 1, 1}}, "; aten, mm1x1, conv3d x8"},
      {26,
       {.x = {64, 64, 128, 256},
        .w = {64, 128, 3, 5},
        .transposed = true,
        .bias = true,
        .type = f32},
       "bias; aten"},
      {27,
       {.x = {64, 64, 128, 256},
        .w = {64, 128, 3, 5},
        .transposed = true,
        .bias = true,
        .type = f32,
        .environment = only_triton},
       "bias; "},
      {28, {.x = {1, 64, 32, 32}, .w = {64, 64, 3, 3}, .p = {2}, .d = {2}}, "; aten"},
      {29,
       {.x = {3, 32, 32},
        .w = {16, 3, 3, 3},
        .p = {1},
        .bias = true,
        .type = f32,
        .short_lists = true},
       "batch, broadcast-lists, bias; aten, conv2d x8"},
      {30,
       {.x = {1, 0, 32, 32}, .w = {2, 0, 1, 1}, .bias = true, .type = f32},
       "zero-channel-bias; aten, mm1x1"},
      {31,
       {.x = {0, 64, 7, 7}, .w = {8, 64, 1, 1}, .channels_last = true},
       "; aten, mm1x1, conv2d x6"},
      {32, {.x = {2, 8, 9, 9}, .w = {8, 8, 3, 3}, .p = {1}, .type = f64}, "; aten"},
      {33,
       {.x = {2, 33, 34, 41},
        .w = {34, 33, 3, 3},
        .s = {2, 3},
        .p = {4, 5},
        .bias = true,
        .type = f32},
       "bias; aten, conv2d x12"},
      {34,
       {.x = {2, 33, 16, 16},
        .w = {34, 33, 3, 3},
        .p = {1},
        .bias = true,
        .type = f32,
        .environment = cpu_triton},
       "; aten, conv2d x11"},
      {35,
       {.x = {2, 33, 16, 16},
        .w = {34, 33, 1, 1},
        .bias = true,
        .type = f32,
        .environment = cpu_triton},
       "; aten, mm1x1, conv2d x11"},
      {36,
       {.x = {2, 33, 16},
        .w = {33, 1, 3},
        .p = {1},
        .groups = 33,
        .bias = true,
        .type = f32,
        .environment = cpu_triton},
       "; aten, depthwise1d x15"},
      {37,
       {.x = {2, 64, 56, 56},
        .w = {64, 64, 3, 3},
        .p = {1},
        .bias = true,
        .environment = no_tuning},
       "bias; aten"},
      {38,
       {.x = {2, 64, 56, 56},
        .w = {64, 64, 3, 3},
        .p = {1},
        .bias = true,
        .environment = {.autotune = false, .conv_aten = false}},
       "bias; "},
      {39,
       {.x = {2, 64, 14, 14},
        .w = {64, 32, 3, 3},
        .s = {2},
        .p = {1},
        .op = {1},
        .transposed = true,
        .channels_last = true,
        .environment = rocm},
       "; aten, ck"},
      {40,
       {.x = {2, 64, 14, 14},
        .w = {64, 16, 3, 3},
        .p = {1},
        .groups = 4,
        .channels_last = true,
        .environment = rocm},
       "; aten, conv2d x7, ck"},
      {41, {.x = {2, 64, 14, 14}, .w = {64, 64, 3, 3}, .s = {2}, .p = {1}, .op = {1}}, "; aten"},
      {42,
       {.x = {2, 64, 56, 56}, .w = {256, 64, 1, 1}, .bias = true, .environment = laid_out},
       "matmul; alone"},
      {43,
       {.x = {2, 64, 56, 56},
        .w = {256, 64, 1, 1},
        .bias = true,
        .environment = {.layout_optimization = true, .big_gpu = false}},
       "matmul; alone"},
      {44,
       {.x = {1, 768, 17, 17}, .w = {192, 768, 1, 7}, .p = {0, 3}, .environment = laid_out},
       "; aten, conv2d x17"},
      {45,
       {.x = {2, 64, 56, 56}, .w = {64, 64, 3, 3}, .p = {1}, .environment = {.gemm_triton = false}},
       "; aten"},
  };
}

const ForwardExample& forward_example(const std::vector<ForwardExample>& examples, int number) {
  return *std::ranges::find(examples, number, &ForwardExample::number);
}

TEST(InductorExamples, forward_calls_have_the_rewrites_and_the_candidates_of_the_sheet) {
  Selecting forward("inductor-forward");
  ASSERT_TRUE(forward.selector);
  for (const ForwardExample& example : forward_examples()) {
    SCOPED_TRACE(fmt::format("example {}", example.number));
    const AtenCall call = forward_call(example.call);
    const auto valid = validate(call);
    EXPECT_TRUE(valid) << to_string(valid.error());
    const AtenSelection selection = forward.selector->select(call);
    EXPECT_FALSE(selection.raised);
    EXPECT_EQ(summary(forward.registry, selection), example.expected);
    EXPECT_EQ(selection.missing.empty(), !selection.candidates.empty());
  }
}

TEST(InductorExamples, configurations_are_scaled_pruned_capped_and_deduplicated_in_that_order) {
  Selecting forward("inductor-forward");
  ASSERT_TRUE(forward.selector);
  const auto examples = forward_examples();
  const auto values = [&](int number, std::string_view id) {
    const AtenCall call = forward_call(forward_example(examples, number).call);
    return values_of(forward.registry, forward.selector->select(call), id);
  };
  EXPECT_EQ(values(1, "conv2d"), (Values{{64, 64, 16, 2, 4},
                                         {256, 64, 16, 2, 4},
                                         {1024, 16, 16, 1, 4},
                                         {128, 64, 32, 2, 4},
                                         {64, 64, 32, 2, 4},
                                         {64, 64, 32, 2, 4},
                                         {256, 64, 32, 2, 4},
                                         {128, 64, 64, 3, 4},
                                         {64, 64, 64, 4, 4},
                                         {128, 64, 64, 4, 4},
                                         {256, 64, 64, 2, 4},
                                         {128, 64, 64, 2, 4}}));
  for (const auto& each : values(2, "conv2d")) EXPECT_EQ(each[2], 16);
  // Without a flattened loop 8 warps stay.
  EXPECT_EQ(std::ranges::count_if(values(4, "conv2d"), [](const auto& v) { return v[4] == 8; }), 4);
  for (const int number : {33, 44}) {
    for (const auto& each : values(number, "conv2d")) EXPECT_LE(each[4], 4);
  }
  EXPECT_EQ(std::ranges::count(values(33, "conv2d"), std::vector<std::int64_t>{1024, 16, 16, 1, 4}),
            1);
  for (const auto& each : values(40, "conv2d")) EXPECT_EQ(each[3], 2);
  const Values depthwise = values(14, "depthwise1d");
  ASSERT_EQ(depthwise.size(), 15U);
  EXPECT_EQ(depthwise.front(), (std::vector<std::int64_t>{16, 32, 32, 4, 8}));
  EXPECT_EQ(depthwise.back(), (std::vector<std::int64_t>{16, 32, 128, 3, 4}));
}

// Section C.2, step 4: what the limit of the device leaves of the 17, where nothing is clamped.
TEST(InductorExamples, shared_memory_prunes_as_the_sheet_says) {
  Selecting forward("inductor-forward");
  ASSERT_TRUE(forward.selector);
  const auto entries = [&](ElementType type, std::int64_t bytes) {
    const AtenCall call = forward_call({.x = {64, 256, 14, 14},
                                        .w = {512, 256, 3, 3},
                                        .type = type,
                                        .environment = {.shared_memory = bytes}});
    std::vector<std::uint32_t> numbers;
    for (const Candidate& candidate : forward.selector->select(call).candidates) {
      if (!candidate.values.empty()) numbers.push_back(candidate.entry + 1);
    }
    return numbers;
  };
  using enum ElementType;
  EXPECT_EQ(entries(f16, 232448).size(), 17U);
  EXPECT_EQ(entries(f16, 166912),
            (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13}));
  EXPECT_EQ(entries(f32, 232448),
            (std::vector<std::uint32_t>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}));
  EXPECT_EQ(entries(f32, 166912).size(), 7U);
}

struct BackwardExample {
  int number = 0;
  TestCall call{};
  std::array<bool, 3> mask{true, true, false};
  bool bias_sizes = false;
  std::string_view expected{};
};

constexpr AtenEnvironment triton_backward{
    .weight_aten = false, .weight_triton = true, .input_aten = false, .input_triton = true};
constexpr AtenEnvironment both_backward{.weight_triton = true, .input_triton = true};
constexpr AtenEnvironment mixed_backward{.weight_aten = false, .weight_triton = true};

AtenEnvironment with(AtenEnvironment environment, AtenDevice device, bool autotune) {
  environment.device = device;
  environment.cpu_triton = device == AtenDevice::cpu;
  environment.autotune = autotune;
  return environment;
}

std::vector<BackwardExample> backward_examples() {
  const auto first = [](const AtenEnvironment& environment) {
    return TestCall{
        .x = {2, 64, 56, 56}, .w = {64, 64, 3, 3}, .p = {1}, .environment = environment};
  };
  const auto cuda = AtenDevice::cuda;
  const TestCall on_cpu{.x = {2, 8, 15, 15},
                        .w = {8, 8, 3, 3},
                        .p = {1},
                        .type = ElementType::f32,
                        .environment = with(triton_backward, AtenDevice::cpu, true)};
  const TestCall doubles{.x = {2, 8, 15, 15}, .w = {8, 8, 3, 3}, .type = ElementType::f64};
  const TestCall halves{.x = {2, 8, 15, 15}, .w = {8, 8, 3, 3}};
  return {
      {.number = 46, .call = first({}), .expected = "; whole"},
      {.number = 47,
       .call = first(both_backward),
       .expected = "; weight-triton x12, weight-aten, input-triton x12, input-aten"},
      {.number = 48,
       .call = {.x = {1, 1, 16, 16},
                .w = {1, 1, 1, 1},
                .p = {1},
                .d = {2},
                .type = ElementType::f32,
                .environment = triton_backward},
       .expected = "; weight-triton x8, input-triton x8"},
      {.number = 49, .call = first(mixed_backward), .expected = "; weight-triton x12, input-aten"},
      {.number = 50,
       .call = first(mixed_backward),
       .mask = {true, false, false},
       .expected = "; whole"},
      {.number = 51,
       .call = {.x = {2, 8, 10}, .w = {8, 8, 3}, .environment = triton_backward},
       .expected = "; whole"},
      {.number = 51,
       .call = {.x = {2, 8, 4, 4, 4}, .w = {8, 8, 3, 3, 3}, .environment = triton_backward},
       .expected = "; whole"},
      {.number = 52,
       .call = {.x = {2, 8, 10, 10},
                .w = {8, 4, 3, 3},
                .transposed = true,
                .environment = triton_backward},
       .expected = "; whole"},
      {.number = 53, .call = first(with(triton_backward, cuda, false)), .expected = "; whole"},
      {.number = 54,
       .call = {.x = {2, 8, 15, 15},
                .w = {8, 2, 3, 3},
                .s = {2},
                .p = {1},
                .d = {2},
                .groups = 4,
                .environment = triton_backward},
       .expected = "; weight-triton x8, input-triton x8"},
      {.number = 55,
       .call = on_cpu,
       .mask = {true, true, true},
       .bias_sizes = true,
       .expected = "; weight-triton x7, input-triton x7, bias-sum"},
      {.number = 56,
       .call = on_cpu,
       .mask = {true, true, true},
       .expected = "; weight-triton x7, input-triton x7"},
      {.number = 57, .call = doubles, .mask = {true, true, true}, .expected = "; whole"},
      {.number = 58, .call = halves, .mask = {false, false, true}, .expected = "; whole"},
      {.number = 59,
       .call = {.x = {2049, 64, 128, 128},
                .w = {64, 64, 3, 3},
                .p = {1},
                .environment = triton_backward},
       .expected = "; weight-triton x12, input-triton x12"},
  };
}

TEST(InductorExamples, backward_calls_have_the_path_and_the_candidates_of_the_sheet) {
  Selecting backward("inductor-backward");
  ASSERT_TRUE(backward.selector);
  for (const BackwardExample& example : backward_examples()) {
    SCOPED_TRACE(fmt::format("example {}", example.number));
    const AtenCall call = backward_call(example.call, example.mask, example.bias_sizes);
    const auto valid = validate(call);
    EXPECT_TRUE(valid) << to_string(valid.error());
    const AtenSelection selection = backward.selector->select(call);
    EXPECT_FALSE(selection.raised);
    EXPECT_EQ(summary(backward.registry, selection), example.expected);
    // D-R1: the split path forgets a bias gradient whose length was not given.
    EXPECT_EQ(selection.missing,
              example.number == 56 ? std::vector<std::uint32_t>{2} : std::vector<std::uint32_t>{});
  }
}

TEST(InductorExamples, backward_configurations_keep_their_warps) {
  Selecting backward("inductor-backward");
  ASSERT_TRUE(backward.selector);
  const auto examples = backward_examples();
  const auto values = [&](int number, std::string_view id) {
    const auto& example = *std::ranges::find(examples, number, &BackwardExample::number);
    return values_of(backward.registry,
                     backward.selector->select(backward_call(example.call, example.mask)), id);
  };
  EXPECT_EQ(
      std::ranges::count(values(48, "weight-triton"), std::vector<std::int64_t>{256, 16, 16, 2, 4}),
      1);
  EXPECT_GT(
      std::ranges::count_if(values(47, "input-triton"), [](const auto& v) { return v[4] == 8; }),
      0);
}

// D-R3: the only candidate of each gradient is refused when it is rendered, and the eager one is
// not asked.
TEST(InductorExamples, a_template_that_is_not_rendered_leaves_an_empty_set) {
  Selecting backward("inductor-backward");
  ASSERT_TRUE(backward.selector);
  const TestCall empty{.x = {1, 0, 8, 8}, .w = {2, 0, 1, 1}, .environment = triton_backward};
  const AtenSelection selection =
      backward.selector->select(backward_call(empty, {true, true, false}));
  EXPECT_TRUE(selection.candidates.empty());
  EXPECT_EQ(selection.missing, (std::vector<std::uint32_t>{0, 1}));
}

}  // namespace
}  // namespace convproof
