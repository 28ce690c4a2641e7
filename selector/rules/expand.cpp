#include "selector/rules/expand.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace convproof {
namespace {

constexpr std::size_t max_key_length = 7;  // bytes of an int64, less one for the length

void append(std::vector<Term>& to, const std::vector<Term>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

}  // namespace

std::optional<std::int64_t> packed_key(std::span<const std::int64_t> values) {
  if (values.size() > max_key_length) return std::nullopt;
  auto key = static_cast<std::int64_t>(values.size());
  for (const std::int64_t value : values) {
    if (value < 0 || value > 255) return std::nullopt;
    key = key << 8 | value;
  }
  return key;
}

Expanded Expander::expand(const Expression& expression) {
  if (graph_.size() > max_terms) return {};  // the compiler refuses the table
  switch (expression.kind) {
    case ExpressionKind::boolean_literal:
    case ExpressionKind::integer_literal:
    case ExpressionKind::enum_literal:
    case ExpressionKind::parameter:
      return {.scalar = graph_.constant(expression.value)};
    case ExpressionKind::list_literal:
    case ExpressionKind::labels_literal:
      return {.list = list_literal(expression)};
    case ExpressionKind::attribute: {
      const Attribute& attribute = schema_.attributes[expression.index];
      if (attribute.type.is_list()) return {.list = list_attribute(attribute)};
      return {.scalar = graph_.slot(attribute.slot)};
    }
    case ExpressionKind::definition:
      return expand_definition(expression.index);
    case ExpressionKind::variable:
      return variables_[frame_ + expression.index];
    case ExpressionKind::negate:
      return {.scalar = graph_.make(TermKind::negate, operands(expression))};
    case ExpressionKind::logical_not:
      return {.scalar = graph_.make(TermKind::logical_not, operands(expression))};
    case ExpressionKind::logical_and:
      return {.scalar = graph_.make(TermKind::logical_and, operands(expression))};
    case ExpressionKind::logical_or:
      return {.scalar = graph_.make(TermKind::logical_or, operands(expression))};
    case ExpressionKind::conditional:
      return conditional(expression);
    case ExpressionKind::comparison:
      return {.scalar = comparison(expression)};
    case ExpressionKind::add:
      return {.scalar = graph_.make(TermKind::add, operands(expression))};
    case ExpressionKind::subtract:
      return {.scalar = graph_.make(TermKind::subtract, operands(expression))};
    case ExpressionKind::multiply:
      return {.scalar = graph_.make(TermKind::multiply, operands(expression))};
    case ExpressionKind::floor_divide:
      return {.scalar = graph_.make(TermKind::floor_divide, operands(expression))};
    case ExpressionKind::modulo:
      return {.scalar = graph_.make(TermKind::modulo, operands(expression))};
    case ExpressionKind::subscript:
      return subscript(expression);
    case ExpressionKind::builtin_call:
      return {.scalar = builtin(expression)};
    case ExpressionKind::function_call:
      return {.scalar = function_call(expression)};
    case ExpressionKind::comprehension:  // expanded by the builtin that they stand in
    case ExpressionKind::range:
      break;
  }
  return {};
}

std::vector<Term> Expander::operands(const Expression& expression) {
  std::vector<Term> terms;
  for (const Expression& operand : expression.operands) terms.push_back(scalar(operand));
  return terms;
}

Expanded Expander::expand_definition(std::uint32_t index) {
  if (!definitions_[index]) {
    const std::size_t frame = std::exchange(frame_, variables_.size());
    Expanded value = expand(schema_.definitions[index].body);
    frame_ = frame;
    definitions_[index] = std::move(value);
  }
  return *definitions_[index];
}

ListValue Expander::list_literal(const Expression& expression) {
  ListValue result{.length =
                       graph_.constant(static_cast<std::int64_t>(expression.operands.size()))};
  for (const Expression& operand : expression.operands) {
    Expanded element = expand(operand);
    if (expression.type.depth == 2) {
      append(result.effects, element.list.effects);
      element.list.effects.clear();
      result.rows.push_back(std::move(element.list));
    } else {
      if (graph_.can_raise(element.scalar)) result.effects.push_back(element.scalar);
      result.cells.push_back(element.scalar);
    }
  }
  return result;
}

ListValue Expander::list_attribute(const Attribute& attribute) {
  ListValue result{.length = graph_.slot(attribute.slot), .slot = attribute.slot};
  std::int64_t next = attribute.slot + 1;
  for (std::uint32_t i = 0; i < attribute.max_length; ++i) {
    if (attribute.type.depth == 1) {
      result.cells.push_back(graph_.slot(next++));
      continue;
    }
    ListValue row{.length = graph_.constant(attribute.inner_length)};
    for (std::uint32_t j = 0; j < attribute.inner_length; ++j)
      row.cells.push_back(graph_.slot(next++));
    result.rows.push_back(std::move(row));
  }
  return result;
}

ListValue Expander::list_conditional(Term condition, const ListValue& yes, const ListValue& no) {
  const Term zero = graph_.constant(0);
  ListValue result{.length =
                       graph_.make(TermKind::conditional, {condition, yes.length, no.length})};
  const std::size_t cells = std::max(yes.cells.size(), no.cells.size());
  for (std::size_t i = 0; i < cells; ++i) {
    result.cells.push_back(
        graph_.make(TermKind::conditional, {condition, i < yes.cells.size() ? yes.cells[i] : zero,
                                            i < no.cells.size() ? no.cells[i] : zero}));
  }
  const std::size_t rows = std::max(yes.rows.size(), no.rows.size());
  for (std::size_t i = 0; i < rows; ++i) {
    // A row that only one side has is read only where that side is taken.
    const ListValue& a = i < yes.rows.size() ? yes.rows[i] : no.rows[i];
    const ListValue& b = i < no.rows.size() ? no.rows[i] : yes.rows[i];
    result.rows.push_back(list_conditional(condition, a, b));
    result.rows.back().effects.clear();
  }
  if (graph_.can_raise(condition)) result.effects.push_back(condition);
  const Term effect = graph_.make(
      TermKind::conditional,
      {condition, graph_.sequence(yes.effects, zero), graph_.sequence(no.effects, zero)});
  if (graph_.can_raise(effect)) result.effects.push_back(effect);
  return result;
}

Expanded Expander::conditional(const Expression& expression) {
  const Term condition = scalar(expression.operands[1]);
  const Expanded yes = expand(expression.operands[0]);
  const Expanded no = expand(expression.operands[2]);
  if (expression.type.is_list()) {
    if (graph_.is_constant(condition)) return graph_[condition].value != 0 ? yes : no;
    return {.list = list_conditional(condition, yes.list, no.list)};
  }
  return {.scalar = graph_.make(TermKind::conditional, {condition, yes.scalar, no.scalar})};
}

Expanded Expander::subscript(const Expression& expression) {
  const ListValue source = list(expression.operands[0]);
  const Term index = scalar(expression.operands[1]);
  return element_at(source, index, expression.operands[0].type.depth == 2);
}

Expanded Expander::element_at(const ListValue& source, Term index, bool of_lists) {
  if (!of_lists && source.slot) {
    return {.scalar = graph_.make(TermKind::element, {index}, *source.slot)};
  }
  const Term at = graph_.make(TermKind::check_index, {source.length, index});
  std::vector<Term> effects = source.effects;
  effects.push_back(at);
  // A constant index that is not negative names its cell, once it is known to be inside.
  const std::size_t width = of_lists ? source.rows.size() : source.cells.size();
  const TermNode& known = graph_.is_constant(at) ? graph_[at] : graph_[index];
  const bool fixed = known.kind == TermKind::constant && known.value >= 0 &&
                     static_cast<std::size_t>(known.value) < width;
  if (!of_lists) {
    if (width == 0) return {.scalar = graph_.sequence(effects, graph_.constant(0))};
    std::vector<Term> choice{at};
    append(choice, source.cells);
    const Term cell = fixed ? source.cells[static_cast<std::size_t>(known.value)]
                            : graph_.make(TermKind::pick, std::move(choice));
    return {.scalar = graph_.sequence(effects, cell)};
  }
  if (width == 0) return {.list = {.length = graph_.constant(0), .effects = std::move(effects)}};
  ListValue row = source.rows[fixed ? static_cast<std::size_t>(known.value) : 0];
  if (!fixed) {
    for (std::size_t cell = 0; cell < row.cells.size(); ++cell) {
      if (source.slot) {
        row.cells[cell] =
            graph_.make(TermKind::load, {at}, *source.slot + 1 + static_cast<std::int64_t>(cell),
                        static_cast<std::int64_t>(row.cells.size()));
        continue;
      }
      std::vector<Term> choice{at};
      for (const ListValue& each : source.rows)
        choice.push_back(cell < each.cells.size() ? each.cells[cell] : graph_.constant(0));
      row.cells[cell] = graph_.make(TermKind::pick, std::move(choice));
    }
  }
  row.effects = std::move(effects);
  return {.list = std::move(row)};
}

Term Expander::comparison(const Expression& expression) {
  const std::vector<Expression>& sides = expression.operands;
  std::vector<Term> links;
  Expanded left = expand(sides[0]);
  for (std::size_t i = 0; i < expression.comparisons.size(); ++i) {
    Expanded right = expand(sides[i + 1]);
    links.push_back(
        compare(left, sides[i].type, expression.comparisons[i], right, sides[i + 1].type));
    left = std::move(right);
  }
  return graph_.make(TermKind::logical_and, std::move(links));
}

Term Expander::compare(const Expanded& left, const Type& left_type, Comparison comparison,
                       const Expanded& right, const Type& right_type) {
  const auto ordered = [&](TermKind kind) {
    return graph_.make(kind, {left.scalar, right.scalar});
  };
  // What the two sides raise comes before anything that the comparison itself reads.
  const auto after_both = [&](Term term) {
    std::vector<Term> effects = left_type.is_list() ? left.list.effects : std::vector{left.scalar};
    const std::vector<Term> more =
        right_type.is_list() ? right.list.effects : std::vector{right.scalar};
    append(effects, more);
    // These evaluate their sides in order by themselves.
    if (!left_type.is_list() && !right_type.is_list()) return term;
    if (graph_[term].kind == TermKind::in_constants && more.empty()) return term;
    return graph_.sequence(effects, term);
  };
  switch (comparison) {
    case Comparison::equal:
      return after_both(equal(left, right, left_type.depth));
    case Comparison::not_equal:
      return graph_.make(TermKind::logical_not, {after_both(equal(left, right, left_type.depth))});
    case Comparison::less:
      return ordered(TermKind::less);
    case Comparison::less_equal:
      return ordered(TermKind::less_equal);
    case Comparison::greater:
      return ordered(TermKind::greater);
    case Comparison::greater_equal:
      return ordered(TermKind::greater_equal);
    case Comparison::in:
      return after_both(contains(right.list, left, left_type.depth));
    case Comparison::not_in:
      return graph_.make(TermKind::logical_not,
                         {after_both(contains(right.list, left, left_type.depth))});
  }
  return graph_.constant(0);
}

Term Expander::equal(const Expanded& left, const Expanded& right, std::uint8_t depth) {
  if (depth == 0) return graph_.make(TermKind::equal, {left.scalar, right.scalar});
  return lists_equal(left.list, right.list, depth);
}

std::optional<std::vector<std::int64_t>> Expander::constants(const ListValue& list) const {
  if (!graph_.is_constant(list.length)) return std::nullopt;
  std::vector<std::int64_t> values;
  for (const Term cell : list.cells) {
    if (!graph_.is_constant(cell)) return std::nullopt;
    values.push_back(graph_[cell].value);
  }
  values.resize(static_cast<std::size_t>(graph_[list.length].value));
  return values;
}

std::optional<std::vector<std::int64_t>> Expander::flat_constants(const ListValue& list,
                                                                  std::uint8_t depth) const {
  if (depth == 1) return constants(list);
  if (!graph_.is_constant(list.length)) return std::nullopt;
  std::vector<std::int64_t> values;
  for (const ListValue& row : list.rows) {
    const auto cells = constants(row);
    if (!cells) return std::nullopt;
    values.insert(values.end(), cells->begin(), cells->end());
  }
  return values;
}

Term Expander::lists_equal(const ListValue& left, const ListValue& right, std::uint8_t depth) {
  const ListValue* sides[] = {&left, &right};
  const auto width = [&](const ListValue& list) {
    return depth == 1 ? list.cells.size() : list.rows.size();
  };
  const auto cells_per_element = [&](const ListValue& list) {
    return depth == 1 ? std::size_t{1} : list.rows[0].cells.size();
  };
  const bool alike = depth == 1 || left.rows.empty() || right.rows.empty() ||
                     cells_per_element(left) == cells_per_element(right);
  // A list of the record against constants, or against another list of the record.
  for (std::size_t side = 0; side < 2 && alike; ++side) {
    const ListValue& list = *sides[side];
    const ListValue& other = *sides[1 - side];
    if (!list.slot) continue;
    if (auto values = flat_constants(other, depth)) {
      if (width(other) > width(list)) return graph_.constant(0);
      if (depth == 1 && values->size() > 2) {
        if (const auto key = packed_key(*values)) {
          const Term packed = graph_.make(TermKind::packed_key, {}, *list.slot,
                                          static_cast<std::int64_t>(values->size()));
          return graph_.make(TermKind::equal, {packed, graph_.constant(*key)});
        }
      }
      values->insert(values->begin(), graph_[other.length].value);
      return graph_.make(TermKind::equals_constants, {}, *list.slot,
                         graph_.add_set(std::move(*values)));
    }
    if (other.slot && width(list) > 0) {
      return graph_.make(TermKind::lists_equal,
                         {graph_.constant(static_cast<std::int64_t>(cells_per_element(list)))},
                         *left.slot, *right.slot);
    }
  }
  const std::size_t common = std::min(width(left), width(right));
  std::vector<Term> bodies{left.length};
  for (std::size_t i = 0; i < common; ++i) {
    bodies.push_back(depth == 1 ? graph_.make(TermKind::equal, {left.cells[i], right.cells[i]})
                                : lists_equal(left.rows[i], right.rows[i], 1));
  }
  const Term lengths = graph_.make(TermKind::equal, {left.length, right.length});
  if (graph_.is_constant(lengths) && graph_[lengths].value == 0) return lengths;
  return graph_.make(TermKind::logical_and,
                     {lengths, graph_.make(TermKind::fold_all, std::move(bodies))});
}

// A list of the record among constant lists of one length that have keys; `constant 2` where it is
// not so, which no condition is.
Term Expander::packed_membership(const ListValue& source, const ListValue& value) {
  const Term none = graph_.constant(2);
  if (!value.slot || source.rows.empty() || !graph_.is_constant(source.length)) return none;
  std::vector<std::int64_t> keys;
  std::size_t length = 0;
  for (const ListValue& row : source.rows) {
    const auto values = constants(row);
    if (!values || (!keys.empty() && values->size() != length)) return none;
    const auto key = packed_key(*values);
    if (!key || values->size() > value.cells.size()) return none;
    length = values->size();
    keys.push_back(*key);
  }
  const Term packed =
      graph_.make(TermKind::packed_key, {}, *value.slot, static_cast<std::int64_t>(length));
  return graph_.make(TermKind::in_constants, {packed}, graph_.add_set(std::move(keys)));
}

Term Expander::contains(const ListValue& source, const Expanded& value, std::uint8_t depth) {
  if (depth == 0) {
    if (auto values = constants(source)) {
      return graph_.make(TermKind::in_constants, {value.scalar},
                         graph_.add_set(std::move(*values)));
    }
  } else if (depth == 1) {
    const Term packed = packed_membership(source, value.list);
    if (graph_[packed].kind != TermKind::constant) return packed;
  }
  std::vector<Term> bodies{source.length};
  for (const Term cell : source.cells)
    bodies.push_back(graph_.make(TermKind::equal, {value.scalar, cell}));
  for (const ListValue& row : source.rows) bodies.push_back(lists_equal(value.list, row, depth));
  return graph_.make(TermKind::fold_any, std::move(bodies));
}

Term Expander::function_call(const Expression& expression) {
  const std::vector<Term> arguments = operands(expression);
  const std::size_t frame = std::exchange(frame_, variables_.size());
  for (const Term argument : arguments) variables_.push_back({.scalar = argument});
  const Term value = scalar(schema_.functions[expression.index].body);
  variables_.resize(frame_);
  frame_ = frame;
  return graph_.sequence(arguments, value);
}

Term Expander::fold(TermKind kind, const Expression& source) {
  if (source.kind != ExpressionKind::comprehension) {
    const ListValue values = list(source);
    std::vector<Term> bodies{values.length};
    append(bodies, values.cells);
    return graph_.sequence(values.effects, graph_.make(kind, std::move(bodies)));
  }
  const Expression& iterable = source.operands[1];
  ListValue over;
  if (iterable.kind == ExpressionKind::range) {
    const Term start =
        iterable.operands.size() == 2 ? scalar(iterable.operands[0]) : graph_.constant(0);
    const Term stop = scalar(iterable.operands.back());
    over.length = graph_.make(TermKind::range_length, {start, stop}, iterable.max_length);
    over.effects.push_back(over.length);
    for (std::int64_t i = 0; i < iterable.max_length; ++i)
      over.cells.push_back(graph_.make(TermKind::add, {start, graph_.constant(i)}));
  } else {
    over = list(iterable);
  }
  std::vector<Term> bodies{over.length};
  const std::size_t count = std::max(over.cells.size(), over.rows.size());
  for (std::size_t i = 0; i < count; ++i) {
    Expanded variable;
    if (over.rows.empty()) {
      variable.scalar = over.cells[i];
    } else {
      variable.list = over.rows[i];
    }
    variables_.push_back(std::move(variable));
    bodies.push_back(scalar(source.operands[0]));
    variables_.pop_back();
  }
  return graph_.sequence(over.effects, graph_.make(kind, std::move(bodies)));
}

Term Expander::builtin(const Expression& expression) {
  const auto two = [&](TermKind kind) {
    const std::vector<Term> values = operands(expression);
    Term best = values[0];
    for (std::size_t i = 1; i < values.size(); ++i) best = graph_.make(kind, {best, values[i]});
    return best;
  };
  const Expression& first = expression.operands[0];
  const bool one = expression.operands.size() == 1;
  switch (expression.builtin) {
    case Builtin::minimum:
      return one ? fold(TermKind::fold_minimum, first) : two(TermKind::minimum);
    case Builtin::maximum:
      return one ? fold(TermKind::fold_maximum, first) : two(TermKind::maximum);
    case Builtin::length: {
      const ListValue values = list(first);
      return graph_.sequence(values.effects, values.length);
    }
    case Builtin::absolute:
      return graph_.make(TermKind::absolute, operands(expression));
    case Builtin::all:
      return fold(TermKind::fold_all, first);
    case Builtin::any:
      return fold(TermKind::fold_any, first);
    case Builtin::sum:
      return fold(TermKind::fold_sum, first);
    case Builtin::ceil_div:
      return two(TermKind::ceil_div);
  }
  return graph_.constant(0);
}

}  // namespace convproof
