#include "selector/rules/term.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "selector/rules/checked_arithmetic.h"

namespace convproof {
namespace {

// Whether the node itself may raise, whatever its operands do.
bool raises_itself(TermKind kind) {
  switch (kind) {
    case TermKind::add:
    case TermKind::subtract:
    case TermKind::multiply:
    case TermKind::floor_divide:
    case TermKind::modulo:
    case TermKind::ceil_div:
    case TermKind::negate:
    case TermKind::absolute:
    case TermKind::element:
    case TermKind::check_index:
    case TermKind::range_length:
    case TermKind::fold_sum:
    case TermKind::fold_minimum:
    case TermKind::fold_maximum:
      return true;
    default:
      return false;
  }
}

std::optional<std::int64_t> fold_integers(TermKind kind, std::int64_t a, std::int64_t b) {
  const auto checked = [](CheckedInteger result) {
    return result ? std::optional(*result) : std::nullopt;
  };
  switch (kind) {
    case TermKind::add:
      return checked(checked_add(a, b));
    case TermKind::subtract:
      return checked(checked_subtract(a, b));
    case TermKind::multiply:
      return checked(checked_multiply(a, b));
    case TermKind::floor_divide:
      return checked(checked_floor_divide(a, b));
    case TermKind::modulo:
      return checked(checked_modulo(a, b));
    case TermKind::ceil_div:
      return checked(checked_ceil_div(a, b));
    case TermKind::minimum:
      return std::min(a, b);
    case TermKind::maximum:
      return std::max(a, b);
    case TermKind::negate:
      return checked(checked_subtract(0, a));
    case TermKind::absolute:
      return a < 0 ? checked(checked_subtract(0, a)) : std::optional(a);
    case TermKind::equal:
      return a == b ? 1 : 0;
    case TermKind::less:
      return a < b ? 1 : 0;
    case TermKind::less_equal:
      return a <= b ? 1 : 0;
    case TermKind::greater:
      return a > b ? 1 : 0;
    case TermKind::greater_equal:
      return a >= b ? 1 : 0;
    case TermKind::logical_not:
      return a == 0 ? 1 : 0;
    case TermKind::check_index: {
      const std::int64_t index = b < 0 ? b + a : b;
      return index >= 0 && index < a ? std::optional(index) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace

bool TermGraph::fold(TermNode& node) const {
  if (node.operands.empty()) return false;
  if (node.kind == TermKind::in_constants) {
    if (!is_constant(node.operands[0])) return false;
    const auto& values = set(node.value);
    const std::int64_t value = nodes_[node.operands[0]].value;
    node = {.value = std::ranges::find(values, value) != values.end() ? 1 : 0};
    return true;
  }
  if (node.kind == TermKind::range_length && is_constant(node.operands[0]) &&
      is_constant(node.operands[1])) {
    const CheckedInteger length =
        checked_subtract(nodes_[node.operands[1]].value, nodes_[node.operands[0]].value);
    if (!length || *length > node.value) return false;
    node = {.value = std::max<std::int64_t>(*length, 0)};
    return true;
  }
  if (node.operands.size() > 2 || node.kind == TermKind::lists_equal) return false;
  if (!std::ranges::all_of(node.operands, [&](Term t) { return is_constant(t); })) return false;
  const auto value =
      fold_integers(node.kind, nodes_[node.operands[0]].value, nodes_[node.operands.back()].value);
  if (!value) return false;
  node = {.value = *value};
  return true;
}

// `and`, `or`: neutral constants go; nothing after a deciding constant is evaluated.
Term TermGraph::fold_logic(TermNode node) {
  const std::int64_t neutral = node.kind == TermKind::logical_and ? 1 : 0;
  std::vector<Term> operands;
  bool decided = false;
  for (const Term operand : node.operands) {
    if (!is_constant(operand)) {
      operands.push_back(operand);
    } else if (nodes_[operand].value != neutral) {
      decided = true;
      break;
    }
  }
  if (decided) {
    // What cannot raise need not be evaluated before the constant that decides.
    while (!operands.empty() && !can_raise_[operands.back()]) operands.pop_back();
    if (operands.empty()) return constant(1 - neutral);
    operands.push_back(constant(1 - neutral));
  }
  if (operands.empty()) return constant(neutral);
  if (operands.size() == 1) return operands[0];
  node.operands = std::move(operands);
  if (const auto found = known_.find(node); found != known_.end()) return found->second;
  return make(std::move(node));
}

Term TermGraph::make(TermNode node) {
  if (node.kind == TermKind::logical_and || node.kind == TermKind::logical_or) {
    const bool plain = node.operands.size() > 1 &&
                       std::ranges::none_of(node.operands, [&](Term t) { return is_constant(t); });
    const bool ends =
        node.operands.size() > 1 && is_constant(node.operands.back()) &&
        can_raise_[node.operands[node.operands.size() - 2]] &&
        nodes_[node.operands.back()].value == (node.kind == TermKind::logical_and ? 0 : 1) &&
        std::none_of(node.operands.begin(), node.operands.end() - 1,
                     [&](Term t) { return is_constant(t); });
    if (!plain && !ends) return fold_logic(std::move(node));
  }
  if ((node.kind == TermKind::fold_all || node.kind == TermKind::fold_any) &&
      is_constant(node.operands[0])) {
    const auto length = static_cast<std::size_t>(nodes_[node.operands[0]].value);
    node.kind = node.kind == TermKind::fold_all ? TermKind::logical_and : TermKind::logical_or;
    node.operands.erase(node.operands.begin());
    node.operands.resize(std::min(length, node.operands.size()));
    return make(std::move(node));
  }
  if (node.kind == TermKind::conditional && is_constant(node.operands[0])) {
    return node.operands[nodes_[node.operands[0]].value != 0 ? 1 : 2];
  }
  if (node.kind == TermKind::conditional && node.operands[1] == node.operands[2] &&
      !can_raise_[node.operands[0]]) {
    return node.operands[1];
  }
  if (node.kind == TermKind::pick && is_constant(node.operands[0])) {
    return node.operands[static_cast<std::size_t>(nodes_[node.operands[0]].value) + 1];
  }
  fold(node);
  const auto [place, added] = known_.try_emplace(node, static_cast<Term>(nodes_.size()));
  if (!added) return place->second;
  bool raises = raises_itself(node.kind);
  std::uint32_t weight = 1;
  for (const Term operand : node.operands) {
    raises = raises || can_raise_[operand];
    weight = std::min<std::uint32_t>(weight + weight_[operand], 1U << 20);
  }
  if (node.kind == TermKind::constant || node.kind == TermKind::slot) weight = 0;
  can_raise_.push_back(raises);
  weight_.push_back(weight);
  nodes_.push_back(std::move(node));
  return place->second;
}

Term TermGraph::sequence(std::span<const Term> effects, Term last) {
  std::vector<Term> terms;
  for (const Term effect : effects) {
    if (can_raise_[effect] && std::ranges::find(terms, effect) == terms.end())
      terms.push_back(effect);
  }
  if (terms.empty() || (terms.size() == 1 && terms[0] == last)) return last;
  terms.push_back(last);
  return make(TermKind::sequence, std::move(terms));
}

std::int64_t TermGraph::add_set(std::vector<std::int64_t> values) {
  const auto found = std::ranges::find(sets_, values);
  if (found != sets_.end()) return found - sets_.begin();
  sets_.push_back(std::move(values));
  return static_cast<std::int64_t>(sets_.size()) - 1;
}

}  // namespace convproof
