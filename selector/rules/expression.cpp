#include "selector/rules/expression.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <utility>

namespace convproof {

std::string_view name_of(Comparison comparison) {
  switch (comparison) {
    case Comparison::equal:
      return "==";
    case Comparison::not_equal:
      return "!=";
    case Comparison::less:
      return "<";
    case Comparison::less_equal:
      return "<=";
    case Comparison::greater:
      return ">";
    case Comparison::greater_equal:
      return ">=";
    case Comparison::in:
      return "in";
    case Comparison::not_in:
      return "not in";
  }
  return "";
}

std::string_view name_of(Builtin builtin) {
  switch (builtin) {
    case Builtin::minimum:
      return "min";
    case Builtin::maximum:
      return "max";
    case Builtin::length:
      return "len";
    case Builtin::absolute:
      return "abs";
    case Builtin::all:
      return "all";
    case Builtin::any:
      return "any";
    case Builtin::sum:
      return "sum";
    case Builtin::ceil_div:
      return "ceil_div";
  }
  return "";
}

bool Expression::operator==(const Expression& other) const {
  return kind == other.kind && type == other.type && value == other.value && index == other.index &&
         builtin == other.builtin && max_length == other.max_length &&
         inner_length == other.inner_length && name == other.name &&
         comparisons == other.comparisons && operands == other.operands;
}

Expression boolean_literal(bool value) {
  return {.kind = ExpressionKind::boolean_literal, .type = Type::boolean(), .value = value ? 1 : 0};
}

Expression integer_literal(std::int64_t value) {
  if (value >= 0) {
    return {.kind = ExpressionKind::integer_literal, .type = Type::integer(), .value = value};
  }
  // The magnitude of INT64_MIN is no int64: it is written -9223372036854775807 - 1.
  const bool least = value == std::numeric_limits<std::int64_t>::min();
  Expression negated{.kind = ExpressionKind::negate, .type = Type::integer()};
  negated.operands.push_back(integer_literal(least ? -(value + 1) : -value));
  if (!least) return negated;
  Expression result{.kind = ExpressionKind::subtract, .type = Type::integer()};
  result.operands.push_back(std::move(negated));
  result.operands.push_back(integer_literal(1));
  return result;
}

}  // namespace convproof
