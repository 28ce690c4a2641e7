#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/planted_fault.h"
#include "fuzz/signature.h"
#include "oracle/check.h"
#include "oracle/prime_field.h"
#include "selector/kernels/arena.h"
#include "selector/op/conv_op.h"
#include "selector/registry/matcher.h"
#include "selector/registry/registry.h"

namespace convproof::fuzz {

struct SpineOptions {
  std::string registry = "neuron-repaired";
  const PlantedFault* fault = nullptr;  // borrowed
  std::string kernel{};                 // this kernel whatever the table says
  std::uint64_t seed = 1;               // of the data
  // Larger operations are skipped; every one that a fuzzer draws is far below.
  std::int64_t max_work = std::int64_t{1} << 26;
  std::int64_t max_elements = std::int64_t{1} << 22;
};

// The whole spine with what a fuzz target wants beside it: a planted fault, counters, a signature
// for what it finds. One per thread.
class Spine {
 public:
  static std::expected<Spine, LocatedError> create(const SpineOptions& options);

  // Select, lower, execute, compare; counts what extra_counters.h counts.
  oracle::Verdict check(const ConvOp& op);
  Signature signature(const ConvOp& op, const oracle::Verdict& verdict);
  // `check` finds the very same finding.
  bool finds(const ConvOp& op, const Signature& wanted);
  // In words, for a report.
  oracle::Explanation explain(const ConvOp& op, const oracle::Verdict& verdict);

  [[nodiscard]] const Registry& registry() const { return *registry_; }
  [[nodiscard]] std::uint64_t seed() const { return options_.seed; }
  Matcher& matcher() { return matcher_; }

 private:
  Spine(SpineOptions options, std::unique_ptr<Registry> registry, oracle::Checker checker,
        Matcher matcher);

  // The checker's own way, but for the fault between lowering and comparison.
  oracle::Verdict check_with_fault(const ConvOp& op);
  void count(const ConvOp& op, const oracle::Verdict& verdict);

  SpineOptions options_;
  std::unique_ptr<Registry> registry_;  // where checker and matcher expect it
  oracle::Checker checker_;
  Matcher matcher_;
  std::vector<PredicateOutcome> outcomes_;
  std::vector<std::size_t> broken_;
  Arena scratch_;
  std::vector<oracle::Field61> image_, kernel_, result_, expected_;
};

}  // namespace convproof::fuzz
