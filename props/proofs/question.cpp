#include "props/proofs/question.h"

#include <algorithm>
#include <expected>
#include <span>
#include <utility>

namespace convproof::proofs {

std::expected<Observer, LocatedError> Observer::create(std::span<const Predicate> predicates,
                                                       const Schema& schema) {
  Observer observer;
  auto program = compile_table(predicates, schema);
  if (!program) return std::unexpected(std::move(program.error()));
  observer.program_ = std::move(*program);
  observer.workspace_ = observer.program_.make_workspace();
  return observer;
}

bool Observer::holds(const Literal& literal) {
  const PredicateOutcome found = outcome(literal.predicate);
  bool is = false;
  switch (literal.outcome) {
    case Literal::Outcome::matched:
      is = found.kind == PredicateOutcome::Kind::matched;
      break;
    case Literal::Outcome::passed:
      is = found.kind == PredicateOutcome::Kind::not_matched;
      break;
    case Literal::Outcome::raised:
      is = found.kind == PredicateOutcome::Kind::raised &&
           (!literal.clause || *literal.clause == found.clause);
      break;
  }
  return is == literal.holds;
}

bool Observer::holds(const Condition& condition) {
  return std::ranges::all_of(condition.all, [this](const std::vector<Literal>& any) {
    return std::ranges::any_of(any, [this](const Literal& literal) { return holds(literal); });
  });
}

}  // namespace convproof::proofs
