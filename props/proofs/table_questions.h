#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "props/proofs/question.h"
#include "selector/registry/registry.h"

namespace convproof::proofs {

// The predicates of a table's obligations, numbered for one prover: 0 is the domain (the gate and
// what the caller assumes), then the rows in the order in which they are walked, whether or not
// their list is enabled, then the contract clauses of their kernels, then each row without one
// clause, and last whether the result has elements.
class TableQuestions {
 public:
  TableQuestions(const Registry& registry, const std::vector<Clause>& assumed);

  [[nodiscard]] const std::vector<Predicate>& predicates() const { return predicates_; }
  [[nodiscard]] const Registry& registry() const { return *registry_; }
  [[nodiscard]] std::uint32_t row_count() const {
    return static_cast<std::uint32_t>(registry_->rows.size());
  }

  [[nodiscard]] std::uint32_t row(std::uint32_t index) const { return 1 + index; }
  [[nodiscard]] std::uint32_t contract(std::size_t kernel, std::size_t clause) const {
    return contracts_[kernel] + static_cast<std::uint32_t>(clause);
  }
  [[nodiscard]] std::uint32_t without(std::uint32_t row, std::size_t clause) const {
    return variants_[row] + static_cast<std::uint32_t>(clause);
  }
  // The result has elements: without them a wrong kernel shows nothing.
  [[nodiscard]] std::uint32_t has_elements() const { return has_elements_; }
  // The kernel of a row, in the registry's kernel set.
  [[nodiscard]] std::size_t kernel(std::uint32_t row) const { return kernels_[row]; }

  // Row `row` takes the convolution: it matches, and no earlier row matches or raises.
  [[nodiscard]] Condition wins(std::uint32_t row) const;
  // Every row up to `row`, which is left out, lets the convolution through.
  [[nodiscard]] Condition reaches(std::uint32_t row) const;

 private:
  const Registry* registry_;
  std::vector<Predicate> predicates_{};
  std::vector<std::size_t> kernels_{};
  std::vector<std::uint32_t> contracts_{};
  std::vector<std::uint32_t> variants_{};
  std::uint32_t has_elements_ = 0;
};

}  // namespace convproof::proofs
