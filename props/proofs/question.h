#pragma once

#include <algorithm>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "selector/rules/located_error.h"
#include "selector/rules/outcome.h"
#include "selector/rules/predicate.h"
#include "selector/rules/program.h"
#include "selector/rules/schema.h"

namespace convproof::proofs {

// A fact about one predicate's outcome; predicates are numbered by the observer that evaluates
// them. `passed` is an outcome that is neither matched nor raised: the walk goes on to the next
// row.
struct Literal {
  enum class Outcome : std::uint8_t { matched, passed, raised };

  std::uint32_t predicate = 0;
  Outcome outcome = Outcome::matched;
  bool holds = true;
  std::optional<std::uint32_t> clause{};  // of a raise: only there

  bool operator==(const Literal&) const = default;
};

inline Literal matches(std::uint32_t predicate, bool holds = true) {
  return {.predicate = predicate, .holds = holds};
}
inline Literal passes(std::uint32_t predicate, bool holds = true) {
  return {.predicate = predicate, .outcome = Literal::Outcome::passed, .holds = holds};
}
inline Literal raises(std::uint32_t predicate, bool holds = true) {
  return {.predicate = predicate, .outcome = Literal::Outcome::raised, .holds = holds};
}

// What an obligation asks of an operation: a conjunction of disjunctions.
struct Condition {
  std::vector<std::vector<Literal>> all{};

  Condition& also(Literal literal) {
    all.push_back({literal});
    return *this;
  }
  Condition& also(std::vector<Literal> any) {
    all.push_back(std::move(any));
    return *this;
  }
  bool operator==(const Condition&) const = default;
};

// Evaluates predicates on concrete operations with the compiled form that selection uses, in parts,
// since one program addresses a bounded number of registers. One per thread; copies share the
// programs.
class Observer {
 public:
  static std::expected<Observer, LocatedError> create(std::span<const Predicate> predicates,
                                                      const Schema& schema);

  // `record` has Schema::record_size slots.
  void read(std::span<const std::int64_t> record) {
    std::ranges::copy(record, record_.begin());
    ++reads_;
  }
  // About the record last read.
  PredicateOutcome outcome(std::uint32_t predicate) {
    Part& part = parts_[predicate / part_size];
    if (part.read != reads_) {
      std::ranges::copy(record_, part.workspace.record().begin());
      part.read = reads_;
    }
    return part.program->run_row(predicate % part_size, part.workspace);
  }
  bool holds(const Literal& literal);
  bool holds(const Condition& condition);

 private:
  static constexpr std::uint32_t part_size = 1024;

  struct Part {
    std::shared_ptr<const TableProgram> program{};
    Workspace workspace{};
    std::uint64_t read = 0;  // the read whose record the workspace has
  };

  Observer() = default;

  std::vector<Part> parts_{};
  std::vector<std::int64_t> record_{};
  std::uint64_t reads_ = 0;
};

}  // namespace convproof::proofs
