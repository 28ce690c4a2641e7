#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "selector/rules/expression.h"
#include "selector/rules/located_error.h"
#include "selector/rules/schema.h"

namespace convproof {

// A named constant of one predicate: a row's keyword argument or a registry option, chosen when the
// table is loaded. It stays a named node of the expression, and is folded by the compiler.
struct Parameter {
  std::string name{};
  Type type{};  // bool or int
  std::int64_t value = 0;

  bool operator==(const Parameter&) const = default;
};

// A clause as written. `place` is the path that errors name, as `rows[3].match[0]`.
struct ClauseSource {
  std::string text{};
  std::optional<std::string> message{};  // set: an assert clause, which raises this text when false
  std::string place{};

  bool operator==(const ClauseSource&) const = default;
};

// A checked clause. A plain clause that is false makes its predicate false; an assert clause that
// is false raises.
struct Clause {
  Expression condition{};
  std::optional<std::string> message{};

  bool operator==(const Clause&) const = default;
};

// The conjunction of its clauses, evaluated in order up to the first that is false or raises; true
// where there are none.
struct Predicate {
  std::vector<Parameter> parameters{};
  std::vector<Clause> clauses{};

  bool operator==(const Predicate&) const = default;
};

// Parses and checks one boolean expression over `schema` and `parameters`. A parameter may not bear
// the name of an attribute, a definition or a function.
std::expected<Expression, LocatedError> parse_condition(std::string_view text, const Schema& schema,
                                                        std::span<const Parameter> parameters,
                                                        std::string_view place);

// The same for an expression of any type.
std::expected<Expression, LocatedError> parse_expression(std::string_view text,
                                                         const Schema& schema,
                                                         std::span<const Parameter> parameters,
                                                         std::string_view place);

std::expected<Predicate, LocatedError> parse_predicate(std::span<const ClauseSource> clauses,
                                                       const Schema& schema,
                                                       std::vector<Parameter> parameters);

// The clause as it would be written in a table: canonical text, `assert` first where it raises.
std::string to_string(const Clause& clause);

}  // namespace convproof
