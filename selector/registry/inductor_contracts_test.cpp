#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "selector/op/aten_call.h"
#include "selector/op/element_type.h"
#include "selector/registry/aten_call_draw.h"
#include "selector/registry/aten_subject.h"
#include "selector/registry/aten_test_call.h"
#include "selector/registry/configurations.h"
#include "selector/registry/inductor_test_table.h"
#include "selector/registry/registry.h"

namespace convproof {
namespace {

constexpr std::array<std::string_view, 5> tables{"inductor-forward", "inductor-forward-repaired",
                                                 "inductor-forward-2.11", "inductor-backward",
                                                 "inductor-backward-repaired"};

TEST(InductorTables, every_row_has_a_kernel_with_a_model_and_every_clause_a_confidence) {
  for (const std::string_view name : tables) {
    SCOPED_TRACE(name);
    const auto registry = find_registry(std::string(name));
    ASSERT_TRUE(registry) << to_string(registry.error());
    EXPECT_EQ(registry->policy, Policy::collect_all);
    for (const Row& row : registry->rows) {
      SCOPED_TRACE(row.id);
      EXPECT_NE(row.confidence, "");
      for (const ClauseFacts& facts : row.facts) EXPECT_NE(facts.confidence, "");
      if (row.kernel.empty()) continue;
      const auto kernel = registry->kernels.find(row.kernel);
      ASSERT_TRUE(kernel);
      EXPECT_EQ(registry->kernels.kernels[*kernel].leaf, row.kernel);
    }
  }
}

TEST(InductorTables, only_the_repaired_ones_have_repaired_clauses) {
  for (const std::string_view name : tables) {
    const auto registry = find_registry(std::string(name));
    ASSERT_TRUE(registry);
    const bool repaired = std::ranges::any_of(registry->rows, [](const Row& row) {
      return std::ranges::any_of(row.facts, &ClauseFacts::repair);
    });
    EXPECT_EQ(repaired, name.ends_with("-repaired")) << name;
  }
}

// Section C.1 and C.3: the lists, of which the older release has one.
TEST(InductorTables, configurations_are_those_of_the_sheet) {
  for (const std::string_view name : tables) {
    SCOPED_TRACE(name);
    const auto registry = find_registry(std::string(name));
    ASSERT_TRUE(registry);
    for (const Configurations& configurations : registry->configurations) {
      EXPECT_EQ(configurations.entries.size(), configurations.name == "convolution" ? 17U : 15U);
    }
    const bool depthwise = name == "inductor-forward" || name == "inductor-forward-repaired";
    EXPECT_EQ(registry->configurations.size(), depthwise ? 2U : 1U);
    EXPECT_EQ(registry->find_row("depthwise1d") != nullptr, depthwise);
  }
}

constexpr AtenEnvironment cpu_triton{.device = AtenDevice::cpu, .cpu_triton = true};
constexpr AtenEnvironment rocm{
    .hip = true, .conv_ck = true, .ck_usable = true, .shared_memory = 65536};
constexpr AtenEnvironment triton_backward{
    .weight_aten = false, .weight_triton = true, .input_aten = false, .input_triton = true};
constexpr AtenEnvironment both_backward{.weight_triton = true, .input_triton = true};

struct Gap {
  std::string_view name{};  // in section F or D.3 of the design sheet
  AtenCall call{};
  std::string_view finding{};
};

AtenCall mixed_types(TestCall test, ElementType weight) {
  AtenCall call = forward_call(test);
  call.weight_element_type = weight;
  return call;
}

AtenCall sliced(const TestCall& test) {
  AtenCall call = forward_call(test);
  call.input_packed = false;
  return call;
}

AtenEnvironment on_cpu(AtenEnvironment environment) {
  environment.device = AtenDevice::cpu;
  environment.cpu_triton = true;
  return environment;
}

AtenCall mixed_backward(const AtenEnvironment& environment) {
  AtenCall call = backward_call(
      {.x = {2, 8, 9, 9}, .w = {8, 8, 3, 3}, .type = ElementType::f64, .environment = environment},
      {false, true, false});
  call.weight_element_type = ElementType::f32;
  return call;
}

std::vector<Gap> gaps() {
  using enum ElementType;
  const std::array<bool, 3> both{true, true, false};
  const std::array<bool, 3> all{true, true, true};
  return {
      {"F1",
       forward_call({.x = {2, 64, 14, 14},
                     .w = {64, 32, 3, 3},
                     .s = {2},
                     .p = {1},
                     .op = {1},
                     .transposed = true,
                     .channels_last = true,
                     .environment = rocm}),
       "ck: not_transposed"},
      {"F2",
       forward_call({.x = {2, 64, 14, 14},
                     .w = {64, 16, 3, 3},
                     .groups = 4,
                     .channels_last = true,
                     .environment = rocm}),
       "ck: groups"},
      {"F3",
       sliced(
           {.x = {2, 64, 14, 14}, .w = {64, 64, 3, 3}, .channels_last = true, .environment = rocm}),
       "ck: packed"},
      {"F4",
       forward_call(
           {.x = {1, 2, 4, 4}, .w = {3, 2, 3, 3}, .bias = true, .environment = cpu_triton}),
       "conv2d: no_bias"},
      {"F4, three dimensions",
       forward_call(
           {.x = {1, 2, 4, 4, 4}, .w = {3, 2, 3, 3, 3}, .bias = true, .environment = cpu_triton}),
       "conv3d: no_bias"},
      {"F4, depthwise",
       forward_call({.x = {2, 33, 16},
                     .w = {33, 1, 3},
                     .groups = 33,
                     .bias = true,
                     .environment = cpu_triton}),
       "depthwise1d: no_bias"},
      {"F5",
       forward_call(
           {.x = {1, 2, 4, 4}, .w = {3, 2, 1, 1}, .bias = true, .environment = cpu_triton}),
       "mm1x1: two_operands"},
      {"F6", forward_call({.x = {20, 16, 50}, .w = {33, 16, 1}}), "mm1x1: spatial_dims"},
      {"F6, three dimensions", forward_call({.x = {2, 8, 4, 6, 6}, .w = {16, 8, 1, 1, 1}}),
       "mm1x1: spatial_dims"},
      {"F7", forward_call({.x = {1, 514, 2048, 2048}, .w = {1, 514, 3, 3}, .p = {1}}),
       "conv2d: channel_offsets"},
      {"F7, three dimensions", forward_call({.x = {1, 514, 1, 2048, 2048}, .w = {1, 514, 1, 3, 3}}),
       "conv3d: channel_offsets"},
      {"F7, weight gradient",
       backward_call(
           {.x = {1, 514, 2048, 2048}, .w = {1, 514, 3, 3}, .p = {1}, .environment = both_backward},
           both),
       "weight-triton: channel_offsets"},
      {"F7, input gradient",
       backward_call(
           {.x = {1, 1, 2048, 2048}, .w = {514, 1, 3, 3}, .p = {1}, .environment = both_backward},
           both),
       "input-triton: result_channel_offsets"},
      {"F8",
       backward_call(
           {.x = {2049, 64, 128, 128}, .w = {64, 64, 3, 3}, .p = {1}, .environment = both_backward},
           both),
       "weight-triton: sample_offsets"},
      {"F8, input gradient",
       backward_call(
           {.x = {2049, 64, 128, 128}, .w = {64, 64, 3, 3}, .p = {1}, .environment = both_backward},
           both),
       "input-triton: result_sample_offsets"},
      {"F9", forward_call({.x = {1, 65536, 8, 8}, .w = {65536, 1, 3, 3}, .groups = 65536}),
       "conv2d: grid"},
      {"F9, weight gradient",
       backward_call({.x = {1, 65536, 8, 8},
                      .w = {65536, 1, 3, 3},
                      .groups = 65536,
                      .environment = both_backward},
                     both),
       "weight-triton: grid"},
      {"F10", forward_call({.x = {1, 2, 2097121}, .w = {2, 1, 1}, .groups = 2}),
       "depthwise1d: grid"},
      {"F12",
       backward_call({.x = {2, 128, 28, 28},
                      .w = {128, 128, 3, 3},
                      .d = {2},
                      .channels_last = true,
                      .environment = both_backward},
                     both),
       "input-triton: warps"},
      {"F13", mixed_types({.x = {2, 8, 9, 9}, .w = {8, 8, 3, 3}, .type = f32}, f16),
       "conv2d: element_types"},
      {"F14",
       forward_call({.x = {1, 4, 9, 9},
                     .w = {4, 4, 3, 3},
                     .transposed = true,
                     .environment = {.conv_aten = false}}),
       "uncovered: output"},
      {"F30", mixed_backward(both_backward), "weight-triton: element_types"},
      {"D-R1",
       backward_call(
           {.x = {2, 8, 15, 15}, .w = {8, 8, 3, 3}, .environment = on_cpu(triton_backward)}, all),
       "uncovered: bias_gradient"},
      {"D-R2",
       backward_call({.x = {1, 0, 8, 8}, .w = {2, 0, 1, 1}, .environment = on_cpu(both_backward)},
                     all, true),
       "bias-sum: result_channels"},
      {"D-R3",
       backward_call({.x = {1, 0, 8, 8}, .w = {2, 0, 1, 1}, .environment = triton_backward}, both),
       "uncovered: weight_gradient"},
  };
}

TEST(InductorTables, what_the_sheet_lists_is_broken_as_documented_and_mended_as_repaired) {
  TestTable forward("inductor-forward");
  TestTable backward("inductor-backward");
  TestTable forward_repaired("inductor-forward-repaired");
  TestTable backward_repaired("inductor-backward-repaired");
  for (const Gap& gap : gaps()) {
    SCOPED_TRACE(gap.name);
    const auto valid = validate(gap.call);
    EXPECT_TRUE(valid) << to_string(valid.error());
    const auto found = (gap.call.backward ? backward : forward).findings(gap.call);
    EXPECT_TRUE(found.contains(std::string(gap.finding)))
        << fmt::format("found [{}]", fmt::join(found, ", "));
    const auto left = (gap.call.backward ? backward_repaired : forward_repaired).findings(gap.call);
    EXPECT_TRUE(left.empty()) << fmt::format("left [{}]", fmt::join(left, ", "));
  }
}

// The older release has neither the cap of 4 warps nor the prune.
TEST(InductorTables, release_2_11_offers_8_warps_to_the_flattened_loop) {
  TestTable old("inductor-forward-2.11");
  const AtenCall wrong = forward_call({.x = {2, 33, 34, 41},
                                       .w = {34, 33, 3, 3},
                                       .s = {2, 3},
                                       .p = {4, 5},
                                       .type = ElementType::f32});
  EXPECT_EQ(old.findings(wrong), (std::set<std::string>{"conv2d: warps"}));
  const AtenCall large = forward_call(
      {.x = {64, 256, 14, 14}, .w = {512, 256, 1, 1}, .p = {1}, .type = ElementType::f32});
  EXPECT_EQ(old.findings(large), (std::set<std::string>{"conv2d: shared_memory"}));
  EXPECT_TRUE(TestTable("inductor-forward").findings(wrong).empty());
}

void expect_no_finding(const std::string& name, bool backward) {
  TestTable repaired(name);
  CallDraw draw(1);
  std::set<std::string> seen;
  int valid = 0;
  for (int i = 0; i < 2000; ++i) {
    const AtenCall call = draw.draw(backward);
    if (!validate(call)) continue;
    ++valid;
    const auto found = repaired.findings(call);
    EXPECT_TRUE(found.empty()) << to_string(call)
                               << fmt::format("\nfound [{}]", fmt::join(found, ", "));
    for (const Candidate& candidate : repaired.select(call).candidates)
      seen.insert(repaired.registry().rows[candidate.row].id);
  }
  EXPECT_GT(valid, 500);
  // The premise is not empty: every row with a kernel was offered.
  for (const Row& row : repaired.registry().rows) {
    EXPECT_TRUE(row.kernel.empty() || seen.contains(row.id)) << row.id;
  }
}

TEST(InductorTables, a_repaired_forward_table_covers_every_call_and_keeps_every_contract) {
  expect_no_finding("inductor-forward-repaired", false);
}

TEST(InductorTables, a_repaired_backward_table_covers_every_call_and_keeps_every_contract) {
  expect_no_finding("inductor-backward-repaired", true);
}

// A repair takes nothing from a call that had nothing to mend, and adds nothing to it. Two kinds of
// call are apart: an input without channels, where the whole backward operation takes the place of
// its parts, and more channels than the grid holds in blocks of 16, where larger blocks are left.
void expect_same_where_nothing_is_found(const std::string& name, bool backward) {
  TestTable documented(name);
  TestTable repaired(name + "-repaired");
  const auto offered = [](TestTable& table, const AtenCall& call) {
    std::vector<std::pair<std::string, CandidateParameters>> candidates;
    for (const Candidate& candidate : table.select(call).candidates)
      candidates.emplace_back(table.registry().rows[candidate.row].id, candidate.values);
    return candidates;
  };
  CallDraw draw(3);
  std::set<std::string> seen;
  for (int i = 0; i < 2000; ++i) {
    const AtenCall call = draw.draw(backward);
    if (!validate(call) || call.convolution.input[1] == 0 ||
        call.convolution.weight[0] > std::int64_t{16} * 65535 ||
        !documented.findings(call).empty()) {
      continue;
    }
    const auto candidates = offered(documented, call);
    EXPECT_EQ(offered(repaired, call), candidates) << to_string(call);
    for (const auto& [id, values] : candidates) seen.insert(id);
  }
  for (const Row& row : documented.registry().rows) {
    EXPECT_TRUE(row.kernel.empty() || seen.contains(row.id)) << row.id;
  }
}

TEST(InductorTables, a_repaired_forward_table_is_the_documented_one_where_nothing_is_found) {
  expect_same_where_nothing_is_found("inductor-forward", false);
}

TEST(InductorTables, a_repaired_backward_table_is_the_documented_one_where_nothing_is_found) {
  expect_same_where_nothing_is_found("inductor-backward", true);
}

}  // namespace
}  // namespace convproof
