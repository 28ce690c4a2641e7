#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "props/proofs/finding.h"
#include "props/proofs/prover.h"
#include "props/proofs/subject.h"
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
// and an executor that no other thread uses.
class RowObligations {
 public:
  RowObligations(const TableQuestions& questions, Investigation& investigation, Executor& executor,
                 std::uint64_t seed)
      : questions_(questions), investigation_(investigation), executor_(executor), seed_(seed) {}

  // Shadowed, contradiction, or alive with an executed witness.
  void account_for(std::uint32_t row);
  void raises_of(std::uint32_t row);
  void unsound_of(std::uint32_t row);
  void latent_of(std::uint32_t row);
  void overlaps_of(std::uint32_t row);  // with later rows
  void redundant_clauses_of(std::uint32_t row);
  void swap_of(std::uint32_t row);  // with the next row of its list
  void unused(std::size_t kernel);
  // No row takes what asks for the result, by its index; without results, anything.
  void gap(std::optional<std::size_t> result = {});

  [[nodiscard]] Findings take() { return std::move(found_); }

 private:
  Answer decide_latent(std::uint32_t row, const Condition& broken, const Condition& condition);
  Finding start(FindingKind kind, std::uint32_t row, const std::string& last) const;
  // Counts the answer, and completes and keeps the finding if there is a witness or no answer.
  bool settle(Finding finding, const Answer& answer, const Condition& condition);
  void undecided(Finding finding, const Answer& answer);
  [[nodiscard]] std::vector<std::uint32_t> blockers_of(std::uint32_t row, const Record& record);
  void report_shadowed(std::uint32_t row, const std::vector<std::uint32_t>& by);
  std::optional<Revival> revival_of(std::uint32_t row);
  [[nodiscard]] double share(const Condition& part, const Condition& whole) const;
  // Samples by the work of executing them.
  [[nodiscard]] std::vector<std::size_t> cheapest(std::vector<std::size_t> found) const;
  // The record, or one that differs in little, if it satisfies the condition with that effect.
  std::optional<Record> telling_neighbour(std::uint32_t row, const Record& record,
                                          const Condition& condition, Effect expected);
  // The candidate whose execution is what breaking the clause should come to, or the last resort.
  Record telling_witness(std::uint32_t row, const Condition& condition, const Condition& isolated,
                         Effect expected, const Record& otherwise, bool& alone);
  // A clause that tunings may break in their own ways.
  void unsound_tunings_of(std::uint32_t row, std::size_t clause, Finding finding);
  void report_unsound(std::uint32_t row, Effect expected, const Condition& condition,
                      const Condition& isolated, const Answer& answer, Finding finding);
  [[nodiscard]] Effect execute(std::uint32_t row, const Record& record) {
    return executor_.execute(row, record, seed_);
  }
  // The smallest operation that satisfies the condition and comes to the effect when executed.
  Record shrunk_to(std::uint32_t row, Effect effect, const Condition& condition,
                   const Record& record);
  [[nodiscard]] const Row& row_at(std::uint32_t row) const {
    return questions_.registry().rows[row];
  }

  const TableQuestions& questions_;
  Investigation& investigation_;
  Executor& executor_;
  std::uint64_t seed_;
  Findings found_{};
};

}  // namespace convproof::proofs
