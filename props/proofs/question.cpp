#include "props/proofs/question.h"

#include <algorithm>
#include <cstddef>
#include <expected>
#include <memory>
#include <span>
#include <utility>

namespace convproof::proofs {

std::expected<Observer, LocatedError> Observer::create(std::span<const Predicate> predicates,
                                                       const Schema& schema) {
  Observer observer;
  for (std::size_t first = 0; first < predicates.size(); first += part_size) {
    const std::size_t count = std::min<std::size_t>(predicates.size() - first, part_size);
    auto program = compile_table(predicates.subspan(first, count), schema);
    if (!program) return std::unexpected(std::move(program.error()));
    Workspace workspace = program->make_workspace();
    observer.parts_.push_back({.program = std::make_shared<const TableProgram>(std::move(*program)),
                               .workspace = std::move(workspace)});
  }
  observer.record_.resize(schema.record_size);
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
