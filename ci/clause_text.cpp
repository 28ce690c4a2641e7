#include "ci/clause_text.h"

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace convproof::ci {

std::string_view name_of(PredicateOutcome::Kind kind) {
  switch (kind) {
    case PredicateOutcome::Kind::matched:
      return "matches";
    case PredicateOutcome::Kind::not_matched:
      return "does not match";
    case PredicateOutcome::Kind::raised:
      return "raises";
  }
  return "";
}

std::string_view name_of(ClauseExplanation::Kind kind) {
  switch (kind) {
    case ClauseExplanation::Kind::holds:
      return "holds";
    case ClauseExplanation::Kind::fails:
      return "fails";
    case ClauseExplanation::Kind::raises:
      return "raises";
    case ClauseExplanation::Kind::not_reached:
      return "not reached";
  }
  return "";
}

std::string clause_line(const ClauseExplanation& clause) {
  std::string text = fmt::format("    {:<12}{}", name_of(clause.kind), clause.text);
  if (clause.kind != ClauseExplanation::Kind::not_reached && clause.substituted != clause.text) {
    text += fmt::format("    [{}]", clause.substituted);
  }
  if (!clause.message.empty()) text += fmt::format(": {}", clause.message);
  return text + "\n";
}

nlohmann::ordered_json clause_json(const ClauseExplanation& clause) {
  nlohmann::ordered_json values = nlohmann::ordered_json::object();
  for (const auto& value : clause.values) values[value.name] = value.value;
  nlohmann::ordered_json entry{{"clause", clause.text},
                               {"outcome", name_of(clause.kind)},
                               {"substituted", clause.substituted},
                               {"values", std::move(values)}};
  if (!clause.message.empty()) entry["message"] = clause.message;
  return entry;
}

}  // namespace convproof::ci
