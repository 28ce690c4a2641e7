#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "props/proofs/question.h"
#include "selector/registry/registry.h"

namespace convproof::proofs {

// A clause of a contract that depends on what its kernel is tuned by, for one tuning of a row.
struct TunedClause {
  std::uint32_t kept = 0;   // the tuning is offered
  std::uint32_t holds = 0;  // the clause, with the tuning's parameters

  bool operator==(const TunedClause&) const = default;
};

// The predicates of a table's obligations, numbered for one prover: 0 is the domain (the gate and
// what the caller assumes), then the rows in the order in which they are walked, whether or not
// their list is enabled, then the contract clauses of their kernels, then each row without one
// clause, then the tunings, and last whether the result has elements and which results are asked
// for. A row's predicate is its clauses and then those of its `append`.
class TableQuestions {
 public:
  // `shows_something` is a condition over the schema, or empty: without it a wrong kernel shows
  // nothing.
  TableQuestions(const Registry& registry, const std::vector<Clause>& assumed,
                 std::string_view shows_something);

  [[nodiscard]] const std::vector<Predicate>& predicates() const { return predicates_; }
  [[nodiscard]] const Registry& registry() const { return *registry_; }
  [[nodiscard]] std::uint32_t row_count() const {
    return static_cast<std::uint32_t>(registry_->rows.size());
  }

  [[nodiscard]] std::uint32_t row(std::uint32_t index) const { return 1 + index; }
  [[nodiscard]] const Predicate& predicate(std::uint32_t row) const {
    return predicates_[this->row(row)];
  }
  [[nodiscard]] std::uint32_t contract(std::size_t kernel, std::size_t clause) const {
    return contracts_[kernel] + static_cast<std::uint32_t>(clause);
  }
  [[nodiscard]] std::uint32_t without(std::uint32_t row, std::size_t clause) const {
    return variants_[row] + static_cast<std::uint32_t>(clause);
  }
  // One for each tuning of the row where the clause of its kernel's contract reads a parameter;
  // else none, and `contract` is what to ask.
  [[nodiscard]] const std::vector<TunedClause>& tuned(std::uint32_t row, std::size_t clause) const {
    return tuned_[row][clause];
  }
  [[nodiscard]] bool reads_parameters(std::size_t kernel, std::size_t clause) const;
  [[nodiscard]] std::uint32_t has_elements() const { return has_elements_; }
  [[nodiscard]] std::uint32_t requested(std::size_t result) const {
    return has_elements_ + 1 + static_cast<std::uint32_t>(result);
  }
  // The kernel of a row, in the registry's kernel set; none where the row changes the operation.
  [[nodiscard]] std::optional<std::size_t> kernel(std::uint32_t row) const { return kernels_[row]; }

  // The first row that matches takes the operation. Else every row of its list that matches is a
  // candidate.
  [[nodiscard]] bool is_ordered(std::uint32_t row) const { return ordered_[row]; }
  // The row and the next are of one ordered list.
  [[nodiscard]] bool are_adjacent(std::uint32_t row) const;

  // `earlier` lets the operation through to later rows: an ordered row neither matches nor raises,
  // a candidate does not raise.
  [[nodiscard]] Literal lets_through(std::uint32_t earlier) const;
  // Row `row` takes the operation, or is a candidate: it matches, and every earlier row lets it
  // through.
  [[nodiscard]] Condition wins(std::uint32_t row) const;
  // Every row up to `row`, which is left out, lets the operation through.
  [[nodiscard]] Condition reaches(std::uint32_t row) const;

 private:
  void add_tuned_clauses();

  const Registry* registry_;
  std::vector<Predicate> predicates_{};
  std::vector<std::optional<std::size_t>> kernels_{};
  std::vector<bool> ordered_{};
  std::vector<std::uint32_t> contracts_{};
  std::vector<std::uint32_t> variants_{};
  std::vector<std::vector<std::vector<TunedClause>>> tuned_{};  // by row and clause
  std::uint32_t has_elements_ = 0;
};

}  // namespace convproof::proofs
