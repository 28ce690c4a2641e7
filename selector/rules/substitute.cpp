#include "selector/rules/substitute.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "selector/rules/expression.h"

namespace convproof {
namespace {

// Variables count the binders around them: under `depth` more binders they count as many more.
Expression shifted(const Expression& expression, std::uint32_t depth) {
  Expression result = expression;
  if (result.kind == ExpressionKind::variable || result.kind == ExpressionKind::comprehension)
    result.index += depth;
  for (Expression& operand : result.operands) operand = shifted(operand, depth);
  return result;
}

Expression substitute_below(const Expression& expression,
                            std::span<const std::optional<Expression>> values,
                            std::uint32_t depth) {
  if (expression.kind == ExpressionKind::parameter && expression.index < values.size() &&
      values[expression.index]) {
    return shifted(*values[expression.index], depth);
  }
  Expression result = expression;
  // Of a comprehension only the body, its first operand, stands under the binder.
  const bool binds = expression.kind == ExpressionKind::comprehension;
  for (std::size_t i = 0; i < result.operands.size(); ++i) {
    result.operands[i] =
        substitute_below(expression.operands[i], values, depth + (binds && i == 0 ? 1U : 0U));
  }
  return result;
}

}  // namespace

Expression substitute(const Expression& expression,
                      std::span<const std::optional<Expression>> values) {
  return substitute_below(expression, values, 0);
}

}  // namespace convproof
