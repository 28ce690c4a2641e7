#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "selector/rules/term.h"

namespace convproof {

// Conditions whose truth is known at a place of the code, because the way there has evaluated them.
using Facts = std::map<Term, bool>;

// Adds that `condition` is `truth`; what a `not` says is kept of its operand.
void learn(Facts& facts, const TermGraph& graph, Term condition, bool truth);

// What the facts say of a condition: itself, or what follows from comparisons of the same term with
// other constants.
std::optional<bool> known(const Facts& facts, const TermGraph& graph, Term condition);

// The term that a condition compares with constants only, if it is such a condition.
std::optional<Term> subject(const TermGraph& graph, Term condition);

}  // namespace convproof
