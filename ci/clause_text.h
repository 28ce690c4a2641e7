#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "selector/rules/explain.h"
#include "selector/rules/outcome.h"

namespace convproof::ci {

std::string_view name_of(PredicateOutcome::Kind kind);
std::string_view name_of(ClauseExplanation::Kind kind);

// What became of one clause, on a line of its own: the outcome, the text, the values in it.
std::string clause_line(const ClauseExplanation& clause);
nlohmann::ordered_json clause_json(const ClauseExplanation& clause);

}  // namespace convproof::ci
