#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <vector>

#include "selector/registry/configurations.h"
#include "selector/registry/registry.h"
#include "selector/rules/located_error.h"
#include "selector/rules/outcome.h"
#include "selector/rules/program.h"

namespace convproof {

// A kernel that may be run for an operation, with the parameters it is tuned by.
struct Candidate {
  std::uint32_t row = 0;         // of the registry
  std::uint32_t entry = 0;       // of the row's configurations; 0 where it has none
  CandidateParameters values{};  // in the order of Configurations::parameters

  bool operator==(const Candidate&) const = default;
};

// A row whose predicate raised: the compile aborts.
struct RaisedRow {
  std::uint32_t row = 0;
  std::uint32_t clause = 0;
  RaiseCause cause = RaiseCause::assertion;

  bool operator==(const RaisedRow&) const = default;
};

// A compiled registry of policy collect_all: first the lists of rewrites, then every row that
// matches, over a record of the registry's schema. Says nothing of what the record stands for: see
// aten_selector.h for the calls of Inductor. Selects without allocating once `into` is large
// enough. One per thread; borrows the registry, which must outlive it.
class Collector {
 public:
  static std::expected<Collector, LocatedError> compile(const Registry& registry);

  // Where the record stands: fill it, then ask.
  std::span<std::int64_t> record() { return workspace_.record(); }
  // Which attributes (by index in the schema) any question reads.
  [[nodiscard]] const std::vector<bool>& attributes_read() const {
    return program_.attributes_read();
  }

  // The first rewrite that matches or raises, by its row.
  TableOutcome rewrite();

  // Appends what the rows offer, in their order, each row's tunings in theirs; rewrites play no
  // part. A row is eligible where it matches and `append` holds.
  std::expected<void, RaisedRow> collect(std::vector<Candidate>& into);

  // Whether the operation asks for a result, by index in Registry::results.
  bool is_requested(std::uint32_t result);

  [[nodiscard]] const Registry& registry() const { return *registry_; }

 private:
  struct CompiledRow {
    std::uint32_t row = 0;           // of the registry
    std::uint32_t predicate = 0;     // in the program; its `append` is the next
    std::uint32_t first_tuning = 0;  // in the program
  };

  void offer_tunings(const CompiledRow& compiled, std::vector<Candidate>& into);

  const Registry* registry_ = nullptr;
  TableProgram program_{};
  Workspace workspace_{};
  std::vector<CompiledRow> rewrites_{};
  std::vector<CompiledRow> candidates_{};
  std::uint32_t first_result_ = 0;
  std::vector<CandidateParameters> seen_{};  // the identities of a row's tunings so far
};

}  // namespace convproof
