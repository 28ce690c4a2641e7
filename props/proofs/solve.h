#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "props/proofs/formula.h"

namespace convproof::proofs {

struct SolverLimits {
  std::uint32_t resources = 60'000;  // the solver's own counter, per call: a run repeats
  std::uint32_t milliseconds =
      60'000;       // per call, as a safety: a run that reaches it may not repeat
  int rounds = 80;  // refinements per question
  std::uint32_t memory_megabytes = 4'000;
};

// How one question is gone about; what it answers does not depend on it, only whether it does.
struct Strategy {
  std::uint32_t effort = 1;            // multiplies the limit of resources
  bool plainest_axioms_first = false;  // of those that a model breaks; else all of them at once
  bool remainders = false;             // products by the remainders of their factors too

  bool operator==(const Strategy&) const = default;
};

struct SolverAnswer {
  enum class Status : std::uint8_t { unsatisfiable, satisfiable, unknown };

  Status status = Status::unknown;
  std::vector<std::int64_t> variables{};  // where satisfiable: a value for each of the graph's
  std::vector<std::size_t> core{};        // where unsatisfiable: the choices that are needed for it
  std::string reason{};                   // where unknown
};

// Satisfiability of formulas of one graph by Z3, in linear integer arithmetic. Products and
// quotients of two unknowns are opaque terms at first, with bounds; a model that gives them a wrong
// value is refuted by a lemma about that value, until the model is right or none is left. So an
// unsatisfiable answer holds for the exact formulas, and so does a model, which is computed through
// the graph before it is given.
//
// `background` formulas (the axioms) are brought in one by one, where a model breaks them: what a
// question does not depend on costs it nothing.
//
// The answers depend on the calls so far and on nothing else. One per thread.
class Solver {
 public:
  // `defaults` gives the variables that no formula speaks about their values: best, a model of the
  // background.
  Solver(const Graph& graph, std::span<const Node> background, std::vector<std::int64_t> defaults,
         SolverLimits limits);
  ~Solver();
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  // Whether all of `required` and `choices` can hold beside the background. Of `lazily`, all have
  // to hold as well; they are brought in like axioms, before any of these.
  SolverAnswer check(std::span<const Node> required, std::span<const Node> choices = {},
                     Strategy strategy = {}, std::span<const Node> lazily = {});

 private:
  class State;
  std::unique_ptr<State> state_;
};

// The question in SMT-LIB 2, exact: nonlinear terms as they are, with all of the background.
std::string to_smt2(const Graph& graph, std::span<const Node> background,
                    std::span<const Node> required, std::string_view comment);

}  // namespace convproof::proofs
