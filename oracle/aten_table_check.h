#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "oracle/aten_check.h"
#include "selector/kernels/inductor/template_configuration.h"
#include "selector/op/aten_call.h"
#include "selector/registry/aten_selector.h"
#include "selector/registry/aten_subject.h"
#include "selector/registry/collector.h"
#include "selector/registry/registry.h"
#include "selector/rules/located_error.h"

namespace convproof::oracle {

// What a table of Inductor makes of one call, and what each candidate came to, in their order.
struct AtenTableVerdict {
  AtenSelection selection{};
  std::vector<AtenVerdict> verdicts{};
};

// Select, run every candidate, compare: the autotuner may take any of them, so each must be right.
// The counterpart of Checker for registries of policy collect_all.
//
// One per thread; borrows the registry. A warm checker allocates nothing.
class AtenTableChecker {
 public:
  static std::expected<AtenTableChecker, LocatedError> create(const Registry& registry,
                                                              AtenCheckOptions options = {});

  // The call is well formed. The verdict stays until the next call.
  const AtenTableVerdict& check(const AtenCall& call, std::uint64_t seed);

  // One candidate of the verdict at hand, run again.
  AtenVerdict check_candidate(const AtenSelection& selection, const Candidate& candidate,
                              std::uint64_t seed);

  // What the candidate is asked for: of the gradients, those that its row computes.
  [[nodiscard]] AtenCall asked_of(const AtenSelection& selection, const Candidate& candidate) const;

  // The clauses of its kernel's contract that a candidate of the selection breaks, by index in
  // KernelInfo::contract; a clause that raises does not hold. Allocates.
  std::vector<std::size_t> broken_clauses(const AtenSelection& selection,
                                          const Candidate& candidate);

  // What the candidate's kernel is tuned by.
  [[nodiscard]] TemplateConfiguration configuration(const AtenSelection& selection,
                                                    const Candidate& candidate) const;

  [[nodiscard]] const Registry& registry() const { return selector_.registry(); }
  AtenSelector& selector() { return selector_; }

 private:
  AtenTableChecker(AtenSelector selector, AtenBinding binding, AtenCheckOptions options);

  // What a row's candidates are run with, looked up once.
  struct RowPlan {
    std::size_t kernel = 0;  // in KernelSet::kernels
    std::array<bool, 3> computes{true, true, true};
    std::vector<std::int64_t TemplateConfiguration::*> parameters{};  // null: of no template
  };

  AtenSelector selector_;
  AtenBinding binding_;  // of every attribute
  std::vector<RowPlan> plans_{};
  AtenChecker checker_;
  AtenTableVerdict verdict_{};
};

// `BLOCK_M=64 BLOCK_N=64 num_warps=4`; empty where the row has no configurations.
std::string parameters_text(const Registry& registry, const Candidate& candidate);

}  // namespace convproof::oracle
