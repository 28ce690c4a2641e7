#include "fuzz/spine.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "fuzz/candidate_spine.h"
#include "fuzz/extra_counters.h"
#include "fuzz/mutate_op.h"
#include "fuzz/op_bytes.h"
#include "fuzz/op_parts.h"
#include "fuzz/planted_fault.h"
#include "fuzz/steer_op.h"
#include "fuzz/triage.h"
#include "oracle/arbitrary_conv_op.h"
#include "oracle/aten_test_calls.h"
#include "oracle/draw.h"
#include "selector/registry/conv_subject.h"

namespace convproof::fuzz {
namespace {

Spine spine_with(std::string_view fault, std::string registry = "neuron-repaired") {
  auto spine = Spine::create(
      {.registry = std::move(registry), .fault = fault.empty() ? nullptr : find_fault(fault)});
  EXPECT_TRUE(spine) << to_string(spine.error());
  return std::move(*spine);
}

// The first finding of a walk over the target's own mutations; nothing within `rounds`.
std::optional<ConvOp> first_finding(Spine& spine, std::uint64_t rounds) {
  auto steering = RowSteering::create(spine.registry());
  ConvOp op = decode_op({});
  for (std::uint64_t seed = 0; seed < rounds; ++seed) {
    oracle::SplitMixDraw source(seed);
    op = steering->towards(mutate_op(op, source), seed % steering->row_count());
    if (is_finding(spine.check(op).value)) return op;
  }
  return std::nullopt;
}

TEST(Spine, the_repaired_table_has_no_finding) {
  Spine spine = spine_with("");
  const auto found = first_finding(spine, 4000);
  EXPECT_FALSE(found) << to_string(*found);
}

TEST(Spine, every_registry_fault_applies_and_names_are_unique) {
  std::set<std::string_view> names;
  std::size_t of_spine = 0;
  for (const PlantedFault& fault : planted_faults()) {
    EXPECT_TRUE(names.insert(fault.name).second) << fault.name;
    const int parts = int{fault.in_registry()} + int{fault.program != nullptr} +
                      int{fault.result != nullptr} + int{fault.text != nullptr};
    EXPECT_EQ(parts, 1) << fault.name;
    if (fault.target == "fuzz_lower") ++of_spine;
    if (!fault.in_registry()) continue;
    const std::string table(fault.registry.table.empty() ? "neuron-repaired"
                                                         : fault.registry.table);
    const auto registry = registry_with(fault.registry, table);
    ASSERT_TRUE(registry) << fault.name << ": " << to_string(registry.error());
    EXPECT_NE(registry->rows, find_registry(table)->rows) << fault.name;
  }
  EXPECT_GE(of_spine, 40U);
}

TEST(Spine, a_fault_that_does_not_apply_is_refused) {
  EXPECT_FALSE(registry_with({.row = "no-such-row"}, "neuron"));
  EXPECT_FALSE(registry_with({.row = "conv2d-dense", .drops = "C == 17"}, "neuron"));
  EXPECT_FALSE(registry_with({.row = "conv2d-dense", .swap_with = "no-such-row"}, "neuron"));
}

TEST(Spine, with_a_fault_that_does_nothing_it_agrees_with_the_checker) {
  static constexpr PlantedFault idle{.name = "idle", .program = [](const ConvOp&, Program&) {}};
  auto idle_spine = Spine::create({.registry = "neuron", .fault = &idle});
  Spine plain = spine_with("", "neuron");
  ASSERT_TRUE(idle_spine);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    oracle::SplitMixDraw source(seed);
    const ConvOp op = oracle::arbitrary_conv_op(source);
    ASSERT_EQ(idle_spine->check(op).value, plain.check(op).value) << op;
  }
}

TEST(Spine, signatures_name_the_clause_or_the_defect) {
  Spine spine = spine_with("", "neuron");
  std::set<std::string> sites;
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    oracle::SplitMixDraw source(seed);
    const ConvOp op = oracle::arbitrary_conv_op(source);
    const oracle::Verdict verdict = spine.check(op);
    if (!is_finding(verdict.value)) continue;
    const Signature signature = spine.signature(op, verdict);
    EXPECT_NE(signature.site, "unexplained") << op;
    EXPECT_TRUE(spine.finds(op, signature));
    sites.insert(ledger_signature(signature));
  }
  EXPECT_TRUE(sites.contains("neuron/unsound/conv2d-depthwise/stride"));
  EXPECT_TRUE(sites.contains(
      "neuron/different/conv2d-depthwise/conv2d_depthwise_f01b_o01i_bf01/mend_last_tile"));
}

TEST(Spine, counters_see_clauses_winners_and_sizes) {
  Spine spine = spine_with("");
  clear_counters();
  spine.check(decode_op({}));
  EXPECT_EQ(counters_set(), 0U) << "counting is off";
  enable_counters(true);
  spine.check(decode_op({}));
  const std::size_t dense = counters_set();
  EXPECT_GT(dense, 15U);
  ConvOp other = decode_op({});
  other.window[0].lhs_dilation = 2;
  spine.check(other);
  EXPECT_GT(counters_set(), dense);
  enable_counters(false);
  clear_counters();
}

TEST(SteerOp, reaches_the_contract_of_every_kernel_and_every_live_row) {
  Spine spine = spine_with("");
  auto steering = RowSteering::create(spine.registry());
  ASSERT_TRUE(steering);
  std::vector<std::size_t> kernels(spine.registry().kernels.kernels.size(), 0);
  std::vector<std::size_t> rows(steering->row_count(), 0);
  constexpr std::uint64_t rounds = 200;
  std::vector<std::size_t> broken;
  for (std::uint64_t seed = 0; seed < rounds; ++seed) {
    oracle::SplitMixDraw source(seed);
    const ConvOp op = oracle::arbitrary_conv_op(source);
    for (std::size_t kernel = 0; kernel < kernels.size(); ++kernel) {
      const ConvOp steered = steer_to_contract(op, spine.matcher(), kernel);
      ASSERT_TRUE(validate(steered)) << steered;
      broken.clear();
      spine.matcher().broken_clauses(kernel, steered, broken);
      kernels[kernel] += broken.empty() ? 1 : 0;
    }
    std::vector<PredicateOutcome> outcomes;
    for (std::size_t row = 0; row < rows.size(); ++row) {
      spine.matcher().outcomes(steering->towards(op, row), outcomes);
      rows[row] += outcomes[row].kind == PredicateOutcome::Kind::matched ? 1 : 0;
    }
  }
  for (const std::size_t reached : kernels) EXPECT_GT(reached, rounds / 2);
  for (const std::size_t reached : rows) EXPECT_GT(reached, rounds / 2);
}

// What triage promises: the same finding, and none of its numbers can be one smaller.
TEST(Triage, the_shrunk_finding_is_the_same_and_minimal) {
  for (const std::string_view fault :
       {"padding-sides-swapped", "rhs-dilation-dropped", "image-bridge-inverted", "group-index-off",
        "dense-takes-image-dilation", "conv2d-depthwise-takes-stride", "stride-3-takes-reversal",
        "free-tail-missing"}) {
    Spine spine = spine_with(fault);
    const auto op = first_finding(spine, 50'000);
    ASSERT_TRUE(op) << fault;
    const auto finding = triage(spine, *op);
    ASSERT_TRUE(finding) << fault;
    EXPECT_TRUE(spine.finds(finding->op, finding->signature)) << fault;
    OpParts parts = take_apart(finding->op);
    for (std::size_t i = 0; i < sizes_of(parts).size(); ++i) {
      OpParts smaller = take_apart(finding->op);
      std::int64_t& size = *sizes_of(smaller)[i];
      if (size == 1) continue;
      size -= 1;
      const ConvOp candidate = put_together(smaller);
      EXPECT_FALSE(spine.finds(candidate, finding->signature))
          << fault << ": " << finding->op << " and smaller " << candidate;
    }
  }
}

TEST(Triage, explains_a_call_by_its_candidate_and_the_result_that_differs) {
  auto spine = CandidateSpine::create({.registry = "inductor-backward"});
  ASSERT_TRUE(spine) << to_string(spine.error());
  AtenCall call = oracle::backward_call({1, 0, 8, 8}, {2, 0, 1, 1});
  call.output_mask = {true, true, true};
  call.environment.device = AtenDevice::cpu;
  call.environment.cpu_triton = call.environment.weight_triton = call.environment.input_triton =
      true;
  call.bias_sizes = true;
  const auto findings = triage(*spine, call);
  const auto different = std::ranges::find_if(findings, [](const TriagedCall& finding) {
    return finding.signature.class_name == "different";
  });
  ASSERT_NE(different, findings.end());
  EXPECT_EQ(different->signature.row, "bias-sum");
  EXPECT_EQ(different->explanation.first_difference, "element 0 of the bias gradient");
  EXPECT_NE(different->explanation.detail.find("elements differ, the first is element 0"),
            std::string::npos)
      << different->explanation.detail;
}

TEST(Triage, keeps_one_finding_of_each_signature) {
  Spine spine = spine_with("dense-takes-reversal");
  const auto op = first_finding(spine, 20'000);
  ASSERT_TRUE(op);
  EXPECT_EQ(triage_all(spine, {*op, *op, decode_op({})}).size(), 1U);
}

}  // namespace
}  // namespace convproof::fuzz
