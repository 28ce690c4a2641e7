#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/planted_fault.h"
#include "fuzz/signature.h"
#include "oracle/aten_table_check.h"
#include "selector/op/aten_call.h"
#include "selector/registry/registry.h"
#include "selector/rules/located_error.h"

namespace convproof::fuzz {

struct CandidateSpineOptions {
  std::string registry = "inductor-forward-repaired";
  const PlantedFault* fault = nullptr;  // borrowed; of a registry
  std::uint64_t seed = 1;               // of the data
  std::int64_t max_work = std::int64_t{1} << 24;
  std::int64_t max_elements = std::int64_t{1} << 20;
};

// Whether the spine of a registry is this one: its policy is collect_all.
bool collects_candidates(const Registry& registry);

// What one call came to: the signature of each finding once, in the order of the candidates.
struct CandidateFindings {
  std::vector<Signature> signatures{};
  std::size_t candidates = 0;  // that were executed
};

// The whole spine of a table of candidates: rewrites, collection, execution of every candidate,
// comparison. A result that is asked for and that no candidate computes is a finding as well, of
// class `missing`. One per thread.
class CandidateSpine {
 public:
  static std::expected<CandidateSpine, LocatedError> create(const CandidateSpineOptions& options);

  // The call is well formed. The findings stay until the next call.
  const CandidateFindings& check(const AtenCall& call);
  bool finds(const AtenCall& call, const Signature& wanted);
  // Of the first candidate with the signature.
  oracle::Explanation explain(const AtenCall& call, const Signature& wanted);

  [[nodiscard]] const Registry& registry() const { return *registry_; }
  [[nodiscard]] bool is_backward() const { return backward_; }
  [[nodiscard]] std::uint64_t seed() const { return options_.seed; }

 private:
  CandidateSpine(CandidateSpineOptions options, std::unique_ptr<Registry> registry,
                 oracle::AtenTableChecker checker);

  Signature signature(const AtenSelection& selection, const Candidate& candidate,
                      const oracle::AtenVerdict& verdict);
  static void count(const oracle::AtenTableVerdict& verdict);

  CandidateSpineOptions options_;
  std::unique_ptr<Registry> registry_;  // where the checker expects it
  oracle::AtenTableChecker checker_;
  bool backward_ = false;
  CandidateFindings findings_{};
};

// A finding, made as small as it gets.
struct TriagedCall {
  Signature signature{};
  AtenCall found{};
  AtenCall call{};  // no single step makes it smaller with the same signature
  oracle::Explanation explanation{};
  std::chrono::milliseconds shrinking{};
};

// One for each signature that the call has.
std::vector<TriagedCall> triage(CandidateSpine& spine, const AtenCall& call);

}  // namespace convproof::fuzz
