#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "selector/kernels/inductor/inductor_kernels.h"
#include "selector/kernels/inductor/template_configuration.h"
#include "selector/kernels/kernel_error.h"
#include "selector/op/aten_call.h"
#include "selector/registry/aten_call_draw.h"
#include "selector/registry/aten_subject.h"
#include "selector/registry/inductor_test_table.h"
#include "selector/registry/kernel_set.h"
#include "selector/registry/registry.h"

namespace convproof {
namespace {

// What a contract says a kernel refuses, and what its model refuses, must be the same.

TemplateConfiguration configuration_of(const Candidate& candidate, bool unroll) {
  TemplateConfiguration configuration{.unroll = unroll};
  if (candidate.values.size() == 5) {
    configuration.block_m = candidate.values[0];
    configuration.block_n = candidate.values[1];
    configuration.block_k = candidate.values[2];
    configuration.num_stages = candidate.values[3];
    configuration.num_warps = candidate.values[4];
  }
  return configuration;
}

bool is_refusal(Violation violation) {
  return violation == Violation::asserted || violation == Violation::device ||
         violation == Violation::trace;
}

bool is_of(KernelFault fault, Violation violation) {
  return (fault == KernelFault::assertion && violation == Violation::asserted) ||
         (fault == KernelFault::device_limit && violation == Violation::device) ||
         (fault == KernelFault::trace && violation == Violation::trace);
}

void expect_agreement(const std::string& name, bool backward) {
  TestTable table(name);
  CallDraw draw(2);
  std::size_t refused = 0;
  std::size_t accepted = 0;
  for (int i = 0; i < 2000; ++i) {
    const AtenCall call = draw.draw(backward);
    if (!validate(call)) continue;
    const AtenSelection selection = table.select(call);
    std::vector<std::int64_t> record(table.registry().schema.record_size);
    fill_record(selection.call, aten_binding(backward), record);
    const Shape& weight = selection.call.convolution.weight;
    const bool unroll = std::all_of(weight.begin() + 2, weight.end(),
                                    [](std::int64_t extent) { return extent == 1; });
    for (const Candidate& candidate : selection.candidates) {
      const Row& row = table.registry().rows[candidate.row];
      const KernelSet& kernels = table.registry().kernels;
      const KernelInfo& kernel = kernels.kernels[*kernels.find(row.kernel)];
      const auto* model = find_inductor_kernel<double>(kernel.leaf);
      ASSERT_NE(model, nullptr) << kernel.leaf;
      const KernelResult limits =
          model->limits(selection.call, configuration_of(candidate, unroll));
      bool refuses = false;
      bool same_kind = false;
      for (const ContractClause& clause : kernel.contract) {
        if (!is_refusal(clause.violation) || table.holds(row, kernel, clause, candidate, record)) {
          continue;
        }
        refuses = true;
        same_kind = same_kind || (!limits && is_of(limits.error().fault, clause.violation));
      }
      EXPECT_EQ(!limits, refuses) << row.id << ": " << to_string(selection.call) << ": "
                                  << (limits ? "accepted" : limits.error().rule);
      EXPECT_EQ(refuses, same_kind) << row.id << ": " << to_string(selection.call);
      ++(refuses ? refused : accepted);
    }
  }
  // Neither side of the law is empty.
  EXPECT_GT(refused, 20U);
  EXPECT_GT(accepted, 1000U);
}

TEST(InductorLimits, forward_contracts_and_models_refuse_the_same_candidates) {
  expect_agreement("inductor-forward", false);
}

TEST(InductorLimits, the_older_release_too) { expect_agreement("inductor-forward-2.11", false); }

TEST(InductorLimits, backward_contracts_and_models_refuse_the_same_candidates) {
  expect_agreement("inductor-backward", true);
}

}  // namespace
}  // namespace convproof
