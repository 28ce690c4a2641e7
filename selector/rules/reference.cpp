#include "selector/rules/reference.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "selector/rules/checked_arithmetic.h"

namespace convproof {
namespace {

using Result = std::expected<Value, Raised>;

class Evaluator {
 public:
  Evaluator(const Schema& schema, std::span<const std::int64_t> record)
      : schema_(schema), record_(record), definitions_(schema.definitions.size()) {}

  Result evaluate(const Expression& expression) {
    switch (expression.kind) {
      case ExpressionKind::boolean_literal:
      case ExpressionKind::integer_literal:
      case ExpressionKind::enum_literal:
      case ExpressionKind::parameter:
        return Value{.number = expression.value};
      case ExpressionKind::list_literal:
      case ExpressionKind::labels_literal:
        return elements(expression);
      case ExpressionKind::attribute:
        return attribute_value(schema_.attributes[expression.index], record_);
      case ExpressionKind::definition:
        return definition(expression.index);
      case ExpressionKind::variable:
        return variables_[frame_ + expression.index];
      case ExpressionKind::negate:
        return arithmetic(expression,
                          [](std::int64_t, std::int64_t a) { return checked_subtract(0, a); });
      case ExpressionKind::logical_not: {
        Result operand = evaluate(expression.operands[0]);
        if (operand) operand->number = operand->number == 0 ? 1 : 0;
        return operand;
      }
      case ExpressionKind::logical_and:
        return first_with_truth(expression, false);
      case ExpressionKind::logical_or:
        return first_with_truth(expression, true);
      case ExpressionKind::conditional: {
        const Result condition = evaluate(expression.operands[1]);
        if (!condition) return condition;
        return evaluate(expression.operands[condition->number != 0 ? 0 : 2]);
      }
      case ExpressionKind::comparison:
        return comparison(expression);
      case ExpressionKind::add:
        return arithmetic(expression, checked_add);
      case ExpressionKind::subtract:
        return arithmetic(expression, checked_subtract);
      case ExpressionKind::multiply:
        return arithmetic(expression, checked_multiply);
      case ExpressionKind::floor_divide:
        return arithmetic(expression, checked_floor_divide);
      case ExpressionKind::modulo:
        return arithmetic(expression, checked_modulo);
      case ExpressionKind::subscript:
        return subscript(expression);
      case ExpressionKind::builtin_call:
        return builtin(expression);
      case ExpressionKind::function_call:
        return function(expression);
      case ExpressionKind::range:
        return range(expression);
      case ExpressionKind::comprehension:  // evaluated by the builtin that it stands in
        break;
    }
    return Value{};
  }

 private:
  static std::unexpected<Raised> raise(RaiseCause cause, const Expression& expression) {
    return std::unexpected(Raised{cause, expression.where});
  }

  static Value truth(bool value) { return {.number = value ? 1 : 0}; }

  Result elements(const Expression& expression) {
    Value list;
    for (const Expression& operand : expression.operands) {
      Result element = evaluate(operand);
      if (!element) return element;
      list.elements.push_back(std::move(*element));
    }
    return list;
  }

  Result definition(std::size_t index) {
    if (!definitions_[index]) {
      // A definition's body counts its variables from its own outermost binder.
      const std::size_t frame = std::exchange(frame_, variables_.size());
      Result value = evaluate(schema_.definitions[index].body);
      frame_ = frame;
      if (!value) return value;
      definitions_[index] = std::move(*value);
    }
    return *definitions_[index];
  }

  // One or two ints; a sole operand is passed second.
  template <class Operation>
  Result arithmetic(const Expression& expression, Operation operation) {
    std::int64_t numbers[2] = {0, 0};
    std::size_t at = 2 - expression.operands.size();
    for (const Expression& operand : expression.operands) {
      const Result value = evaluate(operand);
      if (!value) return value;
      numbers[at++] = value->number;
    }
    const CheckedInteger result = operation(numbers[0], numbers[1]);
    if (!result) return raise(result.error(), expression);
    return Value{.number = *result};
  }

  Result first_with_truth(const Expression& expression, bool wanted) {
    for (const Expression& operand : expression.operands) {
      const Result value = evaluate(operand);
      if (!value || (value->number != 0) == wanted) return value;
    }
    return truth(!wanted);
  }

  static bool holds(const Value& left, Comparison comparison, const Value& right) {
    switch (comparison) {
      case Comparison::equal:
        return left == right;
      case Comparison::not_equal:
        return left != right;
      case Comparison::less:
        return left.number < right.number;
      case Comparison::less_equal:
        return left.number <= right.number;
      case Comparison::greater:
        return left.number > right.number;
      case Comparison::greater_equal:
        return left.number >= right.number;
      case Comparison::in:
        return std::ranges::find(right.elements, left) != right.elements.end();
      case Comparison::not_in:
        return std::ranges::find(right.elements, left) == right.elements.end();
    }
    return false;
  }

  Result comparison(const Expression& expression) {
    Result left = evaluate(expression.operands[0]);
    if (!left) return left;
    for (std::size_t i = 0; i < expression.comparisons.size(); ++i) {
      Result right = evaluate(expression.operands[i + 1]);
      if (!right) return right;
      if (!holds(*left, expression.comparisons[i], *right)) return truth(false);
      left = std::move(right);
    }
    return truth(true);
  }

  Result subscript(const Expression& expression) {
    const Result list = evaluate(expression.operands[0]);
    if (!list) return list;
    const Result index = evaluate(expression.operands[1]);
    if (!index) return index;
    const auto length = static_cast<std::int64_t>(list->elements.size());
    const std::int64_t at = index->number < 0 ? index->number + length : index->number;
    if (at < 0 || at >= length) return raise(RaiseCause::index_out_of_range, expression);
    return list->elements[static_cast<std::size_t>(at)];
  }

  Result range(const Expression& expression) {
    const Result bounds = elements(expression);
    if (!bounds) return bounds;
    const std::int64_t start = bounds->elements.size() == 2 ? bounds->elements[0].number : 0;
    const std::int64_t stop = bounds->elements.back().number;
    Value list;
    for (std::int64_t i = start; i < stop; ++i) {
      if (list.elements.size() == expression.max_length) {
        return raise(RaiseCause::range_too_long, expression);
      }
      list.elements.push_back({.number = i});
    }
    return list;
  }

  Result function(const Expression& expression) {
    Result arguments = elements(expression);
    if (!arguments) return arguments;
    const std::size_t frame = std::exchange(frame_, variables_.size());
    for (Value& argument : arguments->elements) variables_.push_back(std::move(argument));
    Result value = evaluate(schema_.functions[expression.index].body);
    variables_.resize(frame_);
    frame_ = frame;
    // A function's text is not the clause's: what raises in it is shown at the call.
    if (!value) value.error().where = expression.where;
    return value;
  }

  // Calls `visit` with each value of a list, or of a comprehension's body, as it is computed, until
  // `visit` returns false.
  template <class Visit>
  std::optional<Raised> for_each(const Expression& source, Visit visit) {
    const bool lazy = source.kind == ExpressionKind::comprehension;
    const Result list = evaluate(lazy ? source.operands[1] : source);
    if (!list) return list.error();
    for (const Value& element : list->elements) {
      if (!lazy) {
        if (!visit(element)) break;
        continue;
      }
      variables_.push_back(element);
      const Result value = evaluate(source.operands[0]);
      variables_.pop_back();
      if (!value) return value.error();
      if (!visit(*value)) break;
    }
    return std::nullopt;
  }

  Result builtin(const Expression& expression) {
    const std::vector<Expression>& operands = expression.operands;
    switch (expression.builtin) {
      case Builtin::length: {
        const Result list = evaluate(operands[0]);
        if (!list) return list;
        return Value{.number = static_cast<std::int64_t>(list->elements.size())};
      }
      case Builtin::absolute:
        return arithmetic(expression, [](std::int64_t, std::int64_t a) {
          return a < 0 ? checked_subtract(0, a) : CheckedInteger(a);
        });
      case Builtin::ceil_div:
        return arithmetic(expression, checked_ceil_div);
      case Builtin::all:
      case Builtin::any: {
        const bool wanted = expression.builtin == Builtin::any;
        bool found = false;
        if (auto raised = for_each(operands[0], [&](const Value& value) {
              found = (value.number != 0) == wanted;
              return !found;
            })) {
          return std::unexpected(*raised);
        }
        return truth(found == wanted);
      }
      case Builtin::sum:
        return sum(expression);
      case Builtin::minimum:
      case Builtin::maximum:
        return extreme(expression);
    }
    return Value{};
  }

  Result sum(const Expression& expression) {
    CheckedInteger total = 0;
    const auto raised = for_each(expression.operands[0], [&](const Value& value) {
      total = checked_add(*total, value.number);
      return total.has_value();
    });
    if (raised) return std::unexpected(*raised);
    if (!total) return raise(total.error(), expression);
    return Value{.number = *total};
  }

  Result extreme(const Expression& expression) {
    const bool least = expression.builtin == Builtin::minimum;
    std::optional<std::int64_t> best;
    const auto take = [&](const Value& value) {
      if (!best || (least ? value.number < *best : value.number > *best)) best = value.number;
      return true;
    };
    if (expression.operands.size() == 1) {
      if (auto raised = for_each(expression.operands[0], take)) return std::unexpected(*raised);
    } else {
      const Result values = elements(expression);
      if (!values) return values;
      for (const Value& value : values->elements) take(value);
    }
    if (!best) return raise(RaiseCause::empty_sequence, expression);
    return Value{.number = *best};
  }

  const Schema& schema_;
  std::span<const std::int64_t> record_;
  std::vector<std::optional<Value>> definitions_;
  std::vector<Value> variables_{};
  std::size_t frame_ = 0;  // where the variables of the body at hand start
};

PredicateOutcome evaluate_clauses(const Predicate& predicate, Evaluator& evaluator) {
  using Kind = PredicateOutcome::Kind;
  for (std::size_t i = 0; i < predicate.clauses.size(); ++i) {
    const Clause& clause = predicate.clauses[i];
    const auto at = static_cast<std::uint32_t>(i);
    const Result value = evaluator.evaluate(clause.condition);
    if (!value) return {Kind::raised, at, value.error().cause};
    if (value->number != 0) continue;
    if (clause.message) return {Kind::raised, at, RaiseCause::assertion};
    return {.kind = Kind::not_matched, .clause = at};
  }
  return {};
}

}  // namespace

std::string to_string(const Value& value, const Type& type, const Schema& schema) {
  if (type.is_list()) {
    std::string text = "[";
    for (const Value& element : value.elements) {
      if (text.size() > 1) text += ", ";
      text += to_string(element, type.element(), schema);
    }
    return text + "]";
  }
  if (type.scalar == ScalarType::boolean) return value.number != 0 ? "True" : "False";
  if (type.scalar == ScalarType::enumeration) {
    const std::vector<std::string>& names = schema.enumerations[type.enumeration].values;
    const auto index = static_cast<std::size_t>(value.number);
    if (index < names.size()) return '"' + names[index] + '"';
  }
  return std::to_string(value.number);
}

Value attribute_value(const Attribute& attribute, std::span<const std::int64_t> record) {
  if (!attribute.type.is_list()) return {.number = record[attribute.slot]};
  const auto length = static_cast<std::size_t>(
      std::clamp<std::int64_t>(record[attribute.slot], 0, attribute.max_length));
  Value list;
  for (std::size_t i = 0; i < length; ++i) {
    if (attribute.type.depth == 1) {
      list.elements.push_back({.number = record[attribute.slot + 1 + i]});
      continue;
    }
    Value inner;
    for (std::size_t j = 0; j < attribute.inner_length; ++j) {
      inner.elements.push_back(
          {.number = record[attribute.slot + 1 + i * attribute.inner_length + j]});
    }
    list.elements.push_back(std::move(inner));
  }
  return list;
}

std::expected<Value, Raised> evaluate(const Expression& expression, const Schema& schema,
                                      std::span<const std::int64_t> record) {
  return Evaluator(schema, record).evaluate(expression);
}

PredicateOutcome evaluate(const Predicate& predicate, const Schema& schema,
                          std::span<const std::int64_t> record) {
  Evaluator evaluator(schema, record);
  return evaluate_clauses(predicate, evaluator);
}

TableOutcome evaluate(std::span<const Predicate> rows, const Schema& schema,
                      std::span<const std::int64_t> record) {
  Evaluator evaluator(schema, record);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const PredicateOutcome outcome = evaluate_clauses(rows[i], evaluator);
    const auto row = static_cast<std::uint32_t>(i);
    switch (outcome.kind) {
      case PredicateOutcome::Kind::matched:
        return {.kind = TableOutcome::Kind::matched, .row = row};
      case PredicateOutcome::Kind::raised:
        return {TableOutcome::Kind::raised, row, outcome.clause, outcome.cause};
      case PredicateOutcome::Kind::not_matched:
        break;
    }
  }
  return {};
}

}  // namespace convproof
