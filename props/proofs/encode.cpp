#include "props/proofs/encode.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace convproof::proofs {
namespace {

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

}  // namespace

Encoder::Encoder(const Schema& schema, RecordShape shape)
    : schema_(schema),
      shape_(std::move(shape)),
      definitions_(schema.definitions.size()),
      slots_(schema.record_size, graph_.constant(0)) {
  // Permutations first: the cells of a permuted list are described through them.
  attributes_.resize(schema.attributes.size());
  const auto is_permuted = [&](std::uint32_t index) {
    return std::ranges::find(shape_.permuted, index, &PermutedList::values) !=
           shape_.permuted.end();
  };
  for (const bool permuted : {false, true}) {
    for (std::uint32_t i = 0; i < schema.attributes.size(); ++i) {
      if (is_permuted(i) == permuted) add_attribute(schema.attributes[i], i);
    }
  }
  for (const Axiom& axiom : schema.axioms) {
    const SymbolicOutcome outcome = expression(axiom.holds);
    axioms_.push_back(graph_.conjunction(graph_.negation(outcome.raises), outcome.value.scalar));
  }
  may_overflow_ = false;  // axioms that could overflow do not hold there
}

Node Encoder::fresh_cell(const Attribute& attribute, std::uint32_t slot, std::string name) {
  const auto fixed = shape_.fixed.find(slot);
  const bool boolean = attribute.type.scalar == ScalarType::boolean;
  if (fixed != shape_.fixed.end()) {
    return boolean ? graph_.truth(fixed->second != 0) : graph_.constant(fixed->second);
  }
  std::int64_t low = attribute.low;
  std::int64_t high = attribute.high;
  if (shape_.limit > 0 && attribute.type.scalar == ScalarType::integer) {
    low = std::clamp(low, -shape_.limit, shape_.limit);
    high = std::clamp(high, -shape_.limit, shape_.limit);
  }
  return add_variable(attribute, slot, std::move(name), boolean, low, high);
}

Node Encoder::add_variable(const Attribute& /*attribute*/, std::uint32_t slot, std::string name,
                           bool boolean, std::int64_t low, std::int64_t high) {
  homes_.emplace_back(slot, -1);
  return graph_.variable({.name = std::move(name), .boolean = boolean, .low = low, .high = high});
}

void Encoder::add_attribute(const Attribute& attribute, std::uint32_t index) {
  if (!attribute.type.is_list()) {
    const Node node = fresh_cell(attribute, attribute.slot, attribute.name);
    slots_[attribute.slot] = node;
    attributes_[index] = scalar(node);
    return;
  }
  attributes_[index] = list_of(attribute, index);
}

SymbolicValue Encoder::list_of(const Attribute& attribute, std::uint32_t index) {
  SymbolicValue list;
  const auto fixed = shape_.fixed.find(attribute.slot);
  std::size_t count = attribute.max_length;
  if (fixed != shape_.fixed.end()) {
    count = static_cast<std::size_t>(fixed->second);
    list.length = graph_.constant(fixed->second);
  } else {
    homes_.emplace_back(attribute.slot, -1);
    list.length = graph_.variable({.name = attribute.name + ".length",
                                   .low = 0,
                                   .high = static_cast<std::int64_t>(attribute.max_length)});
  }
  slots_[attribute.slot] = list.length;
  const auto permuted = std::ranges::find(shape_.permuted, index, &PermutedList::values);
  if (permuted != shape_.permuted.end()) {
    // Variables stand for what is read through the permutation: a bijection of well-formed records.
    PermutedCells cells{.order = permuted->order};
    for (std::size_t k = 0; k < count; ++k) {
      cells.cells.push_back(fresh_cell(attribute, static_cast<std::uint32_t>(schema_.record_size),
                                       fmt::format("{}@{}", attribute.name, k)));
      homes_.back() = {index, static_cast<std::int64_t>(k)};
    }
    const SymbolicValue& order = attributes_[permuted->order];
    for (std::size_t i = 0; i < count; ++i) {
      Node cell = cells.cells.back();
      for (std::size_t k = count - 1; k-- > 0;) {
        cell = graph_.choose(
            graph_.equal(order.elements[k].scalar, graph_.constant(static_cast<std::int64_t>(i))),
            cells.cells[k], cell);
      }
      slots_[attribute.slot + 1 + i] = cell;
      list.elements.push_back(scalar(cell));
    }
    permuted_.emplace(index, std::move(cells));
    return list;
  }
  std::uint32_t slot = attribute.slot + 1;
  for (std::size_t i = 0; i < count; ++i) {
    if (attribute.type.depth == 1) {
      const Node cell = fresh_cell(attribute, slot, fmt::format("{}.{}", attribute.name, i));
      slots_[slot++] = cell;
      list.elements.push_back(scalar(cell));
      continue;
    }
    SymbolicValue inner{.length = graph_.constant(attribute.inner_length)};
    for (std::uint32_t j = 0; j < attribute.inner_length; ++j) {
      const Node cell = fresh_cell(attribute, slot, fmt::format("{}.{}.{}", attribute.name, i, j));
      slots_[slot++] = cell;
      inner.elements.push_back(scalar(cell));
    }
    list.elements.push_back(std::move(inner));
  }
  return list;
}

bool Encoder::fits(std::span<const std::int64_t> record) const {
  return std::ranges::all_of(shape_.fixed,
                             [&](const auto& slot) { return record[slot.first] == slot.second; });
}

std::vector<std::int64_t> Encoder::record(std::span<const std::int64_t> variables) const {
  const std::vector<Wide> values = graph_.evaluate(variables);
  std::vector<std::int64_t> record;
  for (const Node slot : slots_) record.push_back(static_cast<std::int64_t>(values[slot]));
  return record;
}

std::vector<std::int64_t> Encoder::variables(std::span<const std::int64_t> record) const {
  std::vector<std::int64_t> values;
  for (const auto& [home, place] : homes_) {
    if (place < 0) {
      values.push_back(record[home]);
      continue;
    }
    const Attribute& list = schema_.attributes[home];
    const Attribute& order = schema_.attributes[permuted_.at(home).order];
    const std::int64_t at = record[order.slot + 1 + static_cast<std::size_t>(place)];
    values.push_back(record[list.slot + 1 + static_cast<std::size_t>(at)]);
  }
  return values;
}

template <class Body>
SymbolicOutcome Encoder::apart(Body body) {
  std::vector<Node> outer = std::exchange(raising_, {});
  SymbolicValue value = body();
  SymbolicOutcome outcome{.raises = graph_.disjunction(std::exchange(raising_, std::move(outer))),
                          .value = std::move(value)};
  return outcome;
}

SymbolicOutcome Encoder::expression(const Expression& expression) {
  return apart([&] { return evaluate(expression); });
}

SymbolicPredicate Encoder::predicate(const Predicate& predicate) {
  SymbolicPredicate result;
  Node reached = graph_.truth(true);
  for (const Clause& clause : predicate.clauses) {
    const SymbolicOutcome outcome = expression(clause.condition);
    const Node value = outcome.value.scalar;
    const Node holds = graph_.conjunction(graph_.negation(outcome.raises), value);
    const Node aborts = clause.message ? graph_.disjunction(outcome.raises, graph_.negation(value))
                                       : outcome.raises;
    result.raised_at.push_back(graph_.conjunction(reached, aborts));
    result.holds.push_back(holds);
    reached = graph_.conjunction(reached, holds);
  }
  result.matched = reached;
  result.raised = graph_.disjunction(result.raised_at);
  return result;
}

Node Encoder::guarded(Node value) {
  const WideInterval& range = graph_.range(value);
  if (range.low < least || range.high > most) {
    may_overflow_ = true;
    raising_.push_back(graph_.less(value, graph_.constant(least)));
    raising_.push_back(graph_.less(graph_.constant(most), value));
  }
  return value;
}

SymbolicValue Encoder::evaluate(const Expression& expression) {
  switch (expression.kind) {
    case ExpressionKind::boolean_literal:
      return scalar(graph_.truth(expression.value != 0));
    case ExpressionKind::integer_literal:
    case ExpressionKind::enum_literal:
      return scalar(graph_.constant(expression.value));
    case ExpressionKind::list_literal:
    case ExpressionKind::labels_literal:
      return literal_list(expression);
    case ExpressionKind::attribute:
      return attributes_[expression.index];
    case ExpressionKind::definition:
      return definition(expression.index);
    case ExpressionKind::parameter:
      return scalar(expression.type.scalar == ScalarType::boolean
                        ? graph_.truth(expression.value != 0)
                        : graph_.constant(expression.value));
    case ExpressionKind::variable:
      return bound_[frame_ + expression.index];
    case ExpressionKind::logical_not:
      return scalar(graph_.negation(evaluate(expression.operands[0]).scalar));
    case ExpressionKind::logical_and:
      return logic(expression, false);
    case ExpressionKind::logical_or:
      return logic(expression, true);
    case ExpressionKind::conditional:
      return conditional(expression);
    case ExpressionKind::comparison:
      return comparison(expression);
    case ExpressionKind::negate:
    case ExpressionKind::add:
    case ExpressionKind::subtract:
    case ExpressionKind::multiply:
    case ExpressionKind::floor_divide:
    case ExpressionKind::modulo:
      return arithmetic(expression);
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
  return {};
}

SymbolicValue Encoder::literal_list(const Expression& expression) {
  SymbolicValue list{.length =
                         graph_.constant(static_cast<std::int64_t>(expression.operands.size()))};
  for (const Expression& operand : expression.operands) list.elements.push_back(evaluate(operand));
  return list;
}

SymbolicValue Encoder::definition(std::uint32_t index) {
  if (!definitions_[index]) {
    const std::size_t frame = std::exchange(frame_, bound_.size());
    definitions_[index] = expression(schema_.definitions[index].body);
    frame_ = frame;
  }
  raising_.push_back(definitions_[index]->raises);
  return definitions_[index]->value;
}

Node Encoder::divide_guarded(Node a, Node b) {
  raising_.push_back(graph_.equal(b, graph_.constant(0)));
  return guarded(graph_.floor_divide(a, b));
}

SymbolicValue Encoder::arithmetic(const Expression& expression) {
  const Node left = evaluate(expression.operands[0]).scalar;
  if (expression.kind == ExpressionKind::negate) {
    return scalar(guarded(graph_.multiply(left, graph_.constant(-1))));
  }
  const Node right = evaluate(expression.operands[1]).scalar;
  switch (expression.kind) {
    case ExpressionKind::add:
      return scalar(guarded(graph_.add(left, right)));
    case ExpressionKind::subtract:
      return scalar(guarded(graph_.subtract(left, right)));
    case ExpressionKind::multiply:
      return scalar(guarded(graph_.multiply(left, right)));
    case ExpressionKind::floor_divide:
      return scalar(divide_guarded(left, right));
    default:
      break;
  }
  raising_.push_back(graph_.equal(right, graph_.constant(0)));
  return scalar(graph_.modulo(left, right));
}

// `decisive` is the value that ends the evaluation: false of `and`, true of `or`.
SymbolicValue Encoder::logic(const Expression& expression, bool decisive) {
  Node reached = graph_.truth(true);
  std::vector<Node> values;
  for (const Expression& operand : expression.operands) {
    const SymbolicOutcome outcome = this->expression(operand);
    raising_.push_back(graph_.conjunction(reached, outcome.raises));
    values.push_back(outcome.value.scalar);
    reached = graph_.conjunction(
        reached, decisive ? graph_.negation(outcome.value.scalar) : outcome.value.scalar);
  }
  return scalar(decisive ? graph_.disjunction(std::move(values))
                         : graph_.conjunction(std::move(values)));
}

SymbolicValue Encoder::conditional(const Expression& expression) {
  const Node condition = evaluate(expression.operands[1]).scalar;
  const SymbolicOutcome yes = this->expression(expression.operands[0]);
  const SymbolicOutcome no = this->expression(expression.operands[2]);
  raising_.push_back(graph_.choose(condition, yes.raises, no.raises));
  return merge(condition, yes.value, no.value, expression.type.depth);
}

SymbolicValue Encoder::merge(Node condition, const SymbolicValue& yes, const SymbolicValue& no,
                             std::uint8_t depth) {
  if (depth == 0) return scalar(graph_.choose(condition, yes.scalar, no.scalar));
  SymbolicValue merged{.length = graph_.choose(condition, yes.length, no.length)};
  for (std::size_t i = 0; i < std::max(yes.elements.size(), no.elements.size()); ++i) {
    if (i >= yes.elements.size()) {
      merged.elements.push_back(no.elements[i]);
    } else if (i >= no.elements.size()) {
      merged.elements.push_back(yes.elements[i]);
    } else {
      merged.elements.push_back(
          merge(condition, yes.elements[i], no.elements[i], static_cast<std::uint8_t>(depth - 1)));
    }
  }
  return merged;
}

SymbolicValue Encoder::comparison(const Expression& expression) {
  SymbolicValue left = evaluate(expression.operands[0]);
  Node reached = graph_.truth(true);
  for (std::size_t i = 0; i < expression.comparisons.size(); ++i) {
    SymbolicOutcome right = this->expression(expression.operands[i + 1]);
    raising_.push_back(graph_.conjunction(reached, right.raises));
    reached = graph_.conjunction(
        reached, holds(left, expression.comparisons[i], right.value, expression.operands[i].type));
    left = std::move(right.value);
  }
  return scalar(reached);
}

Node Encoder::holds(const SymbolicValue& left, Comparison comparison, const SymbolicValue& right,
                    const Type& left_type) {
  switch (comparison) {
    case Comparison::equal:
      return equal(left, right, left_type.depth);
    case Comparison::not_equal:
      return graph_.negation(equal(left, right, left_type.depth));
    case Comparison::less:
      return graph_.less(left.scalar, right.scalar);
    case Comparison::less_equal:
      return graph_.less_equal(left.scalar, right.scalar);
    case Comparison::greater:
      return graph_.less(right.scalar, left.scalar);
    case Comparison::greater_equal:
      return graph_.less_equal(right.scalar, left.scalar);
    case Comparison::in:
      return contains(right, left, left_type.depth);
    case Comparison::not_in:
      return graph_.negation(contains(right, left, left_type.depth));
  }
  return graph_.truth(false);
}

Node Encoder::equal(const SymbolicValue& left, const SymbolicValue& right, std::uint8_t depth) {
  if (depth == 0) return graph_.equal(left.scalar, right.scalar);
  std::vector<Node> all{graph_.equal(left.length, right.length)};
  for (std::size_t i = 0; i < std::min(left.elements.size(), right.elements.size()); ++i) {
    const Node present = graph_.less(graph_.constant(static_cast<std::int64_t>(i)), left.length);
    all.push_back(graph_.disjunction(
        graph_.negation(present),
        equal(left.elements[i], right.elements[i], static_cast<std::uint8_t>(depth - 1))));
  }
  return graph_.conjunction(std::move(all));
}

Node Encoder::contains(const SymbolicValue& list, const SymbolicValue& value, std::uint8_t depth) {
  std::vector<Node> any;
  for (std::size_t i = 0; i < list.elements.size(); ++i) {
    any.push_back(
        graph_.conjunction(graph_.less(graph_.constant(static_cast<std::int64_t>(i)), list.length),
                           equal(list.elements[i], value, depth)));
  }
  return graph_.disjunction(std::move(any));
}

// `values[order[k]]` of a permuted list, where k is a constant within the permutation.
std::optional<Node> Encoder::permuted_cell(const Expression& expression) {
  const Expression& list = expression.operands[0];
  const Expression& index = expression.operands[1];
  if (list.kind != ExpressionKind::attribute || index.kind != ExpressionKind::subscript ||
      index.operands[0].kind != ExpressionKind::attribute) {
    return std::nullopt;
  }
  const auto permuted = permuted_.find(list.index);
  if (permuted == permuted_.end() || permuted->second.order != index.operands[0].index) {
    return std::nullopt;
  }
  const SymbolicOutcome place = this->expression(index.operands[1]);
  if (!graph_.is_false(place.raises) || !graph_.is_constant(place.value.scalar)) {
    return std::nullopt;
  }
  const auto length = static_cast<std::int64_t>(permuted->second.cells.size());
  std::int64_t at = graph_[place.value.scalar].value;
  if (at < 0) at += length;
  if (at < 0 || at >= length) return std::nullopt;
  return permuted->second.cells[static_cast<std::size_t>(at)];
}

SymbolicValue Encoder::subscript(const Expression& expression) {
  if (const auto cell = permuted_cell(expression)) return scalar(*cell);
  const SymbolicValue list = evaluate(expression.operands[0]);
  const Node index = evaluate(expression.operands[1]).scalar;
  const Node zero = graph_.constant(0);
  const Node at = graph_.choose(graph_.less(index, zero), graph_.add(index, list.length), index);
  raising_.push_back(graph_.disjunction(graph_.less(at, zero), graph_.less_equal(list.length, at)));
  if (list.elements.empty()) {
    // Always raises; the value only needs the right form.
    return expression.type.is_list() ? SymbolicValue{.length = zero} : scalar(zero);
  }
  if (graph_.is_constant(at)) {
    const std::int64_t place = graph_[at].value;
    if (place >= 0 && place < static_cast<std::int64_t>(list.elements.size())) {
      return list.elements[static_cast<std::size_t>(place)];
    }
    return list.elements.back();
  }
  SymbolicValue value = list.elements.back();
  for (std::size_t i = list.elements.size() - 1; i-- > 0;) {
    value = merge(graph_.equal(at, graph_.constant(static_cast<std::int64_t>(i))), list.elements[i],
                  value, expression.type.depth);
  }
  return value;
}

SymbolicValue Encoder::range(const Expression& expression) {
  const bool has_start = expression.operands.size() == 2;
  const Node start = has_start ? evaluate(expression.operands[0]).scalar : graph_.constant(0);
  const Node stop = evaluate(expression.operands.back()).scalar;
  const Node zero = graph_.constant(0);
  const Node span = graph_.subtract(stop, start);
  SymbolicValue list{.length = graph_.choose(graph_.less(span, zero), zero, span)};
  const auto longest = static_cast<std::int64_t>(expression.max_length);
  raising_.push_back(graph_.less(graph_.constant(longest), list.length));
  const Wide count = std::min<Wide>(longest, graph_.range(list.length).high);
  for (std::int64_t i = 0; i < count; ++i) {
    list.elements.push_back(scalar(graph_.add(start, graph_.constant(i))));
  }
  return list;
}

SymbolicValue Encoder::function(const Expression& expression) {
  std::vector<SymbolicValue> arguments;
  for (const Expression& operand : expression.operands) arguments.push_back(evaluate(operand));
  const std::size_t frame = std::exchange(frame_, bound_.size());
  for (SymbolicValue& argument : arguments) bound_.push_back(std::move(argument));
  SymbolicValue value = evaluate(schema_.functions[expression.index].body);
  bound_.resize(frame_);
  frame_ = frame;
  return value;
}

// The values that all, any, sum, min and max see, one by one, each with its own raises. The raises
// of the list itself go to the expression at hand.
std::vector<SymbolicOutcome> Encoder::items(const Expression& source, Node& length) {
  const bool lazy = source.kind == ExpressionKind::comprehension;
  const Expression& iterable = lazy ? source.operands[1] : source;
  const SymbolicValue list = evaluate(iterable);
  length = list.length;
  const auto visit = [&](const SymbolicValue& element) {
    if (!lazy) return SymbolicOutcome{.raises = graph_.truth(false), .value = element};
    bound_.push_back(element);
    SymbolicOutcome outcome = expression(source.operands[0]);
    bound_.pop_back();
    return outcome;
  };
  std::vector<SymbolicOutcome> outcomes;
  if (iterable.kind == ExpressionKind::attribute) {
    // The order of the cells does not matter where none of them raises.
    if (const auto permuted = permuted_.find(iterable.index); permuted != permuted_.end()) {
      bool raising = false;
      for (const Node cell : permuted->second.cells) {
        outcomes.push_back(visit(scalar(cell)));
        raising = raising || !graph_.is_false(outcomes.back().raises);
      }
      if (!raising) return outcomes;
      outcomes.clear();
    }
  }
  for (const SymbolicValue& element : list.elements) outcomes.push_back(visit(element));
  return outcomes;
}

SymbolicValue Encoder::quantified(const Expression& source, bool decisive) {
  Node length = 0;
  const std::vector<SymbolicOutcome> found = items(source, length);
  Node reached = graph_.truth(true);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Node present = graph_.less(graph_.constant(static_cast<std::int64_t>(i)), length);
    raising_.push_back(graph_.conjunction({reached, present, found[i].raises}));
    const Node decides = decisive ? found[i].value.scalar : graph_.negation(found[i].value.scalar);
    reached = graph_.conjunction(reached, graph_.negation(graph_.conjunction(present, decides)));
  }
  return scalar(decisive ? graph_.negation(reached) : reached);
}

SymbolicValue Encoder::sum(const Expression& source) {
  Node length = 0;
  const std::vector<SymbolicOutcome> found = items(source, length);
  Node total = graph_.constant(0);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Node present = graph_.less(graph_.constant(static_cast<std::int64_t>(i)), length);
    raising_.push_back(graph_.conjunction(present, found[i].raises));
    total = guarded(graph_.choose(present, graph_.add(total, found[i].value.scalar), total));
  }
  return scalar(total);
}

SymbolicValue Encoder::extreme(const Expression& expression) {
  const bool minimum = expression.builtin == Builtin::minimum;
  const auto better = [&](Node value, Node best) {
    return minimum ? graph_.minimum(value, best) : graph_.maximum(best, value);
  };
  if (expression.operands.size() > 1) {
    Node best = evaluate(expression.operands[0]).scalar;
    for (std::size_t i = 1; i < expression.operands.size(); ++i) {
      best = better(evaluate(expression.operands[i]).scalar, best);
    }
    return scalar(best);
  }
  Node length = 0;
  const std::vector<SymbolicOutcome> found = items(expression.operands[0], length);
  raising_.push_back(graph_.less_equal(length, graph_.constant(0)));
  if (found.empty()) return scalar(graph_.constant(0));
  Node best = found[0].value.scalar;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Node present = graph_.less(graph_.constant(static_cast<std::int64_t>(i)), length);
    raising_.push_back(graph_.conjunction(present, found[i].raises));
    best = graph_.choose(present, better(found[i].value.scalar, best), best);
  }
  return scalar(best);
}

SymbolicValue Encoder::builtin(const Expression& expression) {
  switch (expression.builtin) {
    case Builtin::length:
      return scalar(evaluate(expression.operands[0]).length);
    case Builtin::absolute: {
      const Node value = evaluate(expression.operands[0]).scalar;
      const Node negative = graph_.multiply(value, graph_.constant(-1));
      return scalar(
          guarded(graph_.choose(graph_.less(value, graph_.constant(0)), negative, value)));
    }
    case Builtin::ceil_div: {
      const Node a = evaluate(expression.operands[0]).scalar;
      const Node b = evaluate(expression.operands[1]).scalar;
      const Node minus = graph_.constant(-1);
      const Node negated = guarded(graph_.multiply(a, minus));
      return scalar(guarded(graph_.multiply(divide_guarded(negated, b), minus)));
    }
    case Builtin::all:
      return quantified(expression.operands[0], false);
    case Builtin::any:
      return quantified(expression.operands[0], true);
    case Builtin::sum:
      return sum(expression.operands[0]);
    case Builtin::minimum:
    case Builtin::maximum:
      return extreme(expression);
  }
  return {};
}

}  // namespace convproof::proofs
