#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "oracle/check.h"
#include "props/proofs/finding.h"
#include "props/proofs/prover.h"
#include "props/proofs/table_questions.h"

namespace convproof::proofs {

// What one piece of work found.
struct Findings {
  std::size_t proved = 0;
  std::size_t witness = 0;
  std::size_t unknown = 0;
  std::vector<Finding> findings{};
  std::optional<RowAccount> account{};
};

// The obligations of one table, row by row. One object is one piece of work: it borrows everything,
// and a checker that no other thread uses.
class RowObligations {
 public:
  RowObligations(const TableQuestions& questions, Investigation& investigation,
                 oracle::Checker& checker, std::uint64_t seed)
      : questions_(questions), investigation_(investigation), checker_(checker), seed_(seed) {}

  // Shadowed, contradiction, or alive with an executed witness.
  void account_for(std::uint32_t row);
  void raises_of(std::uint32_t row);
  void unsound_of(std::uint32_t row);
  void latent_of(std::uint32_t row);
  void overlaps_of(std::uint32_t row);  // with later rows
  void redundant_clauses_of(std::uint32_t row);
  void swap_of(std::uint32_t row);  // with the next row of its list
  void unused(std::size_t kernel);
  void gap();

  [[nodiscard]] Findings take() { return std::move(found_); }

 private:
  Finding start(FindingKind kind, std::uint32_t row, const std::string& last) const;
  // Counts the answer, and completes and keeps the finding if there is a witness or no answer.
  bool settle(Finding finding, const Answer& answer, const Condition& condition);
  void undecided(Finding finding, const Answer& answer);
  [[nodiscard]] std::vector<std::uint32_t> blockers_of(std::uint32_t row, const ConvOp& op);
  void report_shadowed(std::uint32_t row, const std::vector<std::uint32_t>& by);
  std::optional<Revival> revival_of(std::uint32_t row);
  [[nodiscard]] double share(const Condition& part, const Condition& whole) const;
  // The candidate whose execution is what breaking the clause should come to, or the last resort.
  ConvOp telling_witness(const Condition& condition, const Condition& isolated, Effect expected,
                         const ConvOp& otherwise, bool& alone);
  // The smallest convolution that satisfies the condition and comes to the effect when executed.
  ConvOp shrunk_to(Effect effect, const Condition& condition, const ConvOp& op);
  [[nodiscard]] const Row& row_at(std::uint32_t row) const {
    return questions_.registry().rows[row];
  }

  const TableQuestions& questions_;
  Investigation& investigation_;
  oracle::Checker& checker_;
  std::uint64_t seed_;
  Findings found_{};
};

}  // namespace convproof::proofs
