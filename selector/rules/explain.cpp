#include "selector/rules/explain.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "selector/rules/outcome.h"
#include "selector/rules/reference.h"

namespace convproof {
namespace {

using Explanation = ClauseExplanation;

class Explainer {
 public:
  Explainer(const Schema& schema, std::span<const std::int64_t> record)
      : schema_(schema), record_(record) {}

  // Replaces every name that has a value by its value.
  [[nodiscard]] Expression substitute(const Expression& expression) const {
    switch (expression.kind) {
      case ExpressionKind::attribute:
      case ExpressionKind::definition:
      case ExpressionKind::parameter:
        if (const auto value = evaluate(expression, schema_, record_)) {
          return literal(*value, expression.type);
        }
        return expression;
      default: {
        Expression copy = expression;
        for (Expression& operand : copy.operands) operand = substitute(operand);
        return copy;
      }
    }
  }

  // Adds the names an expression reads, each once.
  void collect(const Expression& expression, std::vector<Explanation::NamedValue>& out) const {
    switch (expression.kind) {
      case ExpressionKind::attribute:
      case ExpressionKind::definition:
      case ExpressionKind::parameter: {
        if (std::ranges::find(out, expression.name, &Explanation::NamedValue::name) != out.end())
          return;
        const auto value = evaluate(expression, schema_, record_);
        out.push_back(
            {expression.name, value ? to_string(*value, expression.type, schema_)
                                    : "raises: " + std::string(message_of(value.error().cause))});
        if (expression.kind == ExpressionKind::definition)
          collect(schema_.definitions[expression.index].body, out);
        return;
      }
      default:
        for (const Expression& operand : expression.operands) collect(operand, out);
    }
  }

 private:
  [[nodiscard]] Expression literal(const Value& value, const Type& type) const {
    if (type.is_list()) {
      Expression list{.kind = ExpressionKind::list_literal, .type = type};
      for (const Value& element : value.elements)
        list.operands.push_back(literal(element, type.element()));
      return list;
    }
    if (type.scalar == ScalarType::integer) return integer_literal(value.number);
    if (type.scalar == ScalarType::boolean) return boolean_literal(value.number != 0);
    const std::string quoted = to_string(value, type, schema_);
    Expression constant{
        .kind = ExpressionKind::enum_literal, .type = type, .value = value.number, .name = quoted};
    if (quoted.starts_with('"')) constant.name = quoted.substr(1, quoted.size() - 2);
    return constant;
  }

  const Schema& schema_;
  std::span<const std::int64_t> record_;
};

}  // namespace

std::vector<ClauseExplanation> explain(const Predicate& predicate, const Schema& schema,
                                       std::span<const std::int64_t> record) {
  const Explainer explainer(schema, record);
  std::vector<ClauseExplanation> explanations;
  bool reached = true;
  for (const Clause& clause : predicate.clauses) {
    Explanation explanation{.text = to_string(clause),
                            .substituted = to_string(explainer.substitute(clause.condition))};
    explainer.collect(clause.condition, explanation.values);
    if (reached) {
      const auto value = evaluate(clause.condition, schema, record);
      if (!value) {
        explanation.kind = Explanation::Kind::raises;
        explanation.message = std::string(message_of(value.error().cause));
      } else if (value->number != 0) {
        explanation.kind = Explanation::Kind::holds;
      } else if (clause.message) {
        explanation.kind = Explanation::Kind::raises;
        explanation.message = *clause.message;
      } else {
        explanation.kind = Explanation::Kind::fails;
      }
      reached = explanation.kind == Explanation::Kind::holds;
    }
    explanations.push_back(std::move(explanation));
  }
  return explanations;
}

}  // namespace convproof
