#include "selector/rules/axiom.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "selector/rules/outcome.h"
#include "selector/rules/reference.h"

namespace convproof {
namespace {

// The value of an expression that is no more than a name; empty where it is none.
std::optional<std::string> value_of(std::string_view name, const Schema& schema,
                                    std::span<const std::int64_t> record) {
  const auto expression = parse_expression(name, schema, {}, "");
  if (!expression) return std::nullopt;
  const auto value = evaluate(*expression, schema, record);
  if (!value) return std::string(message_of(value.error().cause));
  return to_string(*value, expression->type, schema);
}

}  // namespace

Predicate axioms_predicate(const Schema& schema) {
  Predicate predicate;
  for (const Axiom& axiom : schema.axioms) predicate.clauses.push_back({.condition = axiom.holds});
  return predicate;
}

Error axiom_error(const Axiom& axiom, const Schema& schema, std::span<const std::int64_t> record) {
  Error error{.place = axiom.place, .value = value_of(axiom.place, schema, record).value_or("")};
  std::string_view rest = axiom.rule;
  while (!rest.empty()) {
    const std::size_t open = rest.find('{');
    const std::size_t close = rest.find('}', open == std::string_view::npos ? rest.size() : open);
    if (close == std::string_view::npos) break;
    error.rule += rest.substr(0, open);
    const std::string_view name = rest.substr(open + 1, close - open - 1);
    error.rule += value_of(name, schema, record).value_or(std::string(name));
    rest.remove_prefix(close + 1);
  }
  error.rule += rest;
  return error;
}

}  // namespace convproof
