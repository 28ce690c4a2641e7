#include "selector/rules/bounds.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

namespace convproof {
namespace {

Interval bounds_of_builtin(const Expression& call, const Schema& schema) {
  const bool least = call.builtin == Builtin::minimum;
  if (call.builtin == Builtin::length) return {0, call.operands[0].max_length};
  if ((!least && call.builtin != Builtin::maximum) || call.operands.size() < 2) return {};
  Interval result = bounds(call.operands[0], schema);
  for (std::size_t i = 1; i < call.operands.size(); ++i) {
    const Interval other = bounds(call.operands[i], schema);
    result.low = least ? std::min(result.low, other.low) : std::max(result.low, other.low);
    result.high = least ? std::min(result.high, other.high) : std::max(result.high, other.high);
  }
  return result;
}

// `a + b` or `a - b`; wide where an end leaves int64.
Interval bounds_of_sum(const Expression& sum, const Schema& schema) {
  const Interval a = bounds(sum.operands[0], schema);
  const Interval b = bounds(sum.operands[1], schema);
  Interval result;
  const bool wide = sum.kind == ExpressionKind::add
                        ? __builtin_add_overflow(a.low, b.low, &result.low) ||
                              __builtin_add_overflow(a.high, b.high, &result.high)
                        : __builtin_sub_overflow(a.low, b.high, &result.low) ||
                              __builtin_sub_overflow(a.high, b.low, &result.high);
  return wide ? Interval{} : result;
}

}  // namespace

Interval bounds(const Expression& expression, const Schema& schema) {
  switch (expression.kind) {
    case ExpressionKind::integer_literal:
    case ExpressionKind::parameter:
      return {expression.value, expression.value};
    case ExpressionKind::attribute:
      return {schema.attributes[expression.index].low, schema.attributes[expression.index].high};
    case ExpressionKind::definition:
      return schema.definitions[expression.index].bounds;
    case ExpressionKind::builtin_call:
      return bounds_of_builtin(expression, schema);
    case ExpressionKind::add:
    case ExpressionKind::subtract:
      return bounds_of_sum(expression, schema);
    default:
      return {};
  }
}

std::optional<std::uint32_t> exact_length(const Expression& expression, const Schema& schema) {
  switch (expression.kind) {
    case ExpressionKind::list_literal:
    case ExpressionKind::labels_literal:
      return static_cast<std::uint32_t>(expression.operands.size());
    case ExpressionKind::subscript:  // of a list of lists
    case ExpressionKind::variable:
      return expression.max_length;
    case ExpressionKind::definition:
      return schema.definitions[expression.index].exact_length;
    case ExpressionKind::conditional: {
      const auto yes = exact_length(expression.operands[0], schema);
      return yes == exact_length(expression.operands[2], schema) ? yes : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace convproof
