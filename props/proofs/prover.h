#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "props/proofs/encode.h"
#include "props/proofs/question.h"
#include "props/proofs/samples.h"
#include "props/proofs/solve.h"
#include "props/proofs/subject.h"
#include "selector/rules/located_error.h"
#include "selector/rules/predicate.h"
#include "selector/rules/schema.h"

namespace convproof::proofs {

struct ProverOptions {
  std::uint64_t seed = 1;
  std::size_t samples = 24'576;
  std::size_t threads = 2;
  SolverLimits limits{};
  std::string smt2_folder{};  // each question that a solver decides is written there; empty: none
};

// Whether any well-formed operation of the domain satisfies a condition.
struct Answer {
  enum class Status : std::uint8_t {
    impossible,  // proved for every one within the bounds
    witness,     // `record` does, by the compiled evaluation
    unknown,     // see `reason`
  };

  Status status = Status::unknown;
  Record record{};
  std::string reason{};
  bool internal = false;  // the solver's witness failed its replay: the encoding is wrong
};

class Session;

// The predicates that questions speak about, over one schema and domain; immutable once made, and
// shared by all threads.
class Prover {
 public:
  // `predicates[0]` is the domain: what an operation must match, beside the schema's axioms, to be
  // considered at all.
  static std::expected<Prover, LocatedError> create(std::shared_ptr<const Subject> subject,
                                                    std::vector<Predicate> predicates,
                                                    ProverOptions options);

  [[nodiscard]] const Subject& subject() const { return *subject_; }
  [[nodiscard]] const Schema& schema() const { return subject_->schema(); }
  [[nodiscard]] const std::vector<Predicate>& predicates() const { return predicates_; }
  [[nodiscard]] const Samples& samples() const { return *samples_; }
  [[nodiscard]] const ProverOptions& options() const { return options_; }
  [[nodiscard]] const std::vector<RecordShape>& shapes() const { return shapes_; }
  // Every int of the proofs is within its schema's bounds and at most this in magnitude: the
  // largest limit within which no predicate can overflow. 0 where there is no limit.
  [[nodiscard]] std::int64_t limit() const { return limit_; }
  [[nodiscard]] const Observer& observer() const { return *observer_; }

 private:
  Prover() = default;
  void choose_limit();

  std::shared_ptr<const Subject> subject_{};
  std::vector<Predicate> predicates_{};
  ProverOptions options_{};
  std::vector<RecordShape> shapes_{};
  std::int64_t limit_ = 0;
  std::shared_ptr<const Observer> observer_{};
  std::shared_ptr<const Samples> samples_{};
};

// Answers the questions of one piece of work in order. What it answers depends on these questions
// only, so that pieces can run on any thread.
class Investigation {
 public:
  // `name` is the stem of the SMT-LIB files it writes.
  Investigation(const Prover& prover, std::string name);
  ~Investigation();
  Investigation(const Investigation&) = delete;
  Investigation& operator=(const Investigation&) = delete;

  // Samples first, then what differs in little from earlier witnesses, then the solver.
  Answer decide(const Condition& condition);
  // Only the samples.
  [[nodiscard]] std::optional<Record> sample(const Condition& condition) const;
  // Only what differs in little from earlier witnesses.
  std::optional<Record> neighbour(const Condition& condition);
  // The solver alone.
  Answer solve(const Condition& condition);

  // Whether an operation is well formed, in the domain, and satisfies the condition.
  bool holds(const Condition& condition, const Record& record);
  // The smallest operation that satisfies the condition, and `also` where it is given.
  Record shrunk(const Condition& condition, const Record& record, const Subject::Visit& also = {});

  // What was proved so far: no well-formed operation of the domain satisfies any of these.
  [[nodiscard]] const std::vector<Condition>& impossible() const { return impossible_; }

  [[nodiscard]] const Prover& prover() const { return prover_; }
  Observer& observer() { return observer_; }

 private:
  void remember(const Record& record);
  Session& session(std::size_t shape);
  bool is_refuted_by_ranges(const Condition& condition);
  Answer solve_in(Session& session, const Condition& condition);
  Answer ask(Session& session, const Condition& condition, std::span<const Node> required);
  void export_question(const Session& session, std::span<const Node> required,
                       const Answer& answer);

  const Prover& prover_;
  std::string name_;
  int questions_ = 0;
  std::vector<Condition> impossible_{};
  Observer observer_;
  std::vector<Record> seen_{};                        // small witnesses of earlier questions
  std::vector<std::unique_ptr<Session>> sessions_{};  // by shape, made when first needed
};

}  // namespace convproof::proofs
