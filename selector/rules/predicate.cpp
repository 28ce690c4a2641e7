#include "selector/rules/predicate.h"

#include <cstddef>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "selector/rules/check.h"
#include "selector/rules/syntax.h"

namespace convproof {
namespace {

// The condition with a bool where a bool is due.
std::expected<Expression, LocatedError> boolean_only(Expression expression, std::string_view text,
                                                     std::string_view place) {
  if (expression.type == Type::boolean()) return expression;
  const SourceRange where = expression.where;
  return std::unexpected(LocatedError{
      Error{fmt::format("{}:{}", place, where.column), std::string(text),
            fmt::format("a condition is a bool, this is {}", to_string(expression.type))},
      std::string(text), where.column, where.length});
}

}  // namespace

std::expected<Expression, LocatedError> parse_expression(std::string_view text,
                                                         const Schema& schema,
                                                         std::span<const Parameter> parameters,
                                                         std::string_view place) {
  auto syntax = parse_syntax(text, place);
  if (!syntax) return std::unexpected(std::move(syntax.error()));
  const Scope scope{.schema = &schema, .parameters = parameters};
  auto checked = check(*syntax, scope, text, place);
  if (!checked) return std::unexpected(std::move(checked.error()));
  return std::move(checked->expression);
}

std::expected<Expression, LocatedError> parse_condition(std::string_view text, const Schema& schema,
                                                        std::span<const Parameter> parameters,
                                                        std::string_view place) {
  auto expression = parse_expression(text, schema, parameters, place);
  if (!expression) return expression;
  return boolean_only(std::move(*expression), text, place);
}

std::expected<Predicate, LocatedError> parse_predicate(std::span<const ClauseSource> clauses,
                                                       const Schema& schema,
                                                       std::vector<Parameter> parameters) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (parameters[i].name == parameters[j].name) {
        return std::unexpected(
            LocatedError{Error{"parameters", parameters[i].name, "is given twice"}});
      }
    }
    if (schema.has_name(parameters[i].name)) {
      return std::unexpected(
          LocatedError{Error{"parameters", parameters[i].name, "is a name of the schema already"}});
    }
  }
  Predicate predicate{.parameters = std::move(parameters)};
  for (const ClauseSource& clause : clauses) {
    auto condition = parse_condition(clause.text, schema, predicate.parameters, clause.place);
    if (!condition) return std::unexpected(std::move(condition.error()));
    predicate.clauses.push_back({std::move(*condition), clause.message});
  }
  return predicate;
}

std::string to_string(const Clause& clause) {
  const std::string text = to_string(clause.condition);
  return clause.message ? "assert " + text : text;
}

}  // namespace convproof
