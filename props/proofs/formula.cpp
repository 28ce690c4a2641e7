#include "props/proofs/formula.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <span>
#include <utility>
#include <vector>

namespace convproof::proofs {
namespace {

// Far outside int64, and two of them still multiply inside 128 bits.
constexpr Wide widest = Wide{1} << 62;
constexpr Wide limit = widest * widest;

Wide saturate(Wide value) { return std::clamp(value, -limit, limit); }

Wide wide_product(Wide a, Wide b) {
  Wide result = 0;
  if (__builtin_mul_overflow(a, b, &result)) return (a < 0) == (b < 0) ? limit : -limit;
  return saturate(result);
}

Wide floored(Wide a, Wide b) {
  if (b == 0) return 0;
  const Wide quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}

WideInterval hull(std::initializer_list<Wide> values) {
  return {std::min(values), std::max(values)};
}

bool fits(Wide value) {
  return value >= std::numeric_limits<std::int64_t>::min() &&
         value <= std::numeric_limits<std::int64_t>::max();
}

}  // namespace

Node Graph::make(NodeData data, WideInterval range) {
  if (data.kind != NodeKind::constant && data.kind != NodeKind::variable &&
      range.low == range.high && fits(range.low)) {
    data = {.boolean = data.boolean, .value = static_cast<std::int64_t>(range.low)};
  }
  const auto [at, added] = known_.try_emplace(std::move(data), static_cast<Node>(nodes_.size()));
  if (added) {
    nodes_.push_back(at->first);
    ranges_.push_back(range);
  }
  return at->second;
}

Node Graph::variable(Variable variable) {
  const auto index = static_cast<std::int64_t>(variables_.size());
  variables_.push_back(std::move(variable));
  const Variable& added = variables_.back();
  return make({.kind = NodeKind::variable, .boolean = added.boolean, .value = index},
              {added.low, added.high});
}

Node Graph::constant(std::int64_t value) { return make({.value = value}, {value, value}); }

Node Graph::truth(bool value) {
  return make({.boolean = true, .value = value ? 1 : 0}, {value ? 1 : 0, value ? 1 : 0});
}

Node Graph::add(Node a, Node b) {
  const WideInterval& x = ranges_[a];
  const WideInterval& y = ranges_[b];
  const WideInterval range{saturate(x.low + y.low), saturate(x.high + y.high)};
  if (x.low == x.high && x.low == 0) return b;
  if (y.low == y.high && y.low == 0) return a;
  if (is_constant(a)) std::swap(a, b);  // constants last
  // (t + c) + d is t + (c + d).
  if (is_constant(b) && nodes_[a].kind == NodeKind::add && is_constant(nodes_[a].operands[1])) {
    const Wide sum = Wide{nodes_[b].value} + nodes_[nodes_[a].operands[1]].value;
    if (fits(sum)) return add(nodes_[a].operands[0], constant(static_cast<std::int64_t>(sum)));
  }
  return make({.kind = NodeKind::add, .operands = {a, b}}, range);
}

Node Graph::subtract(Node a, Node b) {
  if (a == b) return constant(0);
  return add(a, multiply(b, constant(-1)));
}

Node Graph::multiply(Node a, Node b) {
  if (is_constant(a)) std::swap(a, b);
  if (is_constant(b) && nodes_[b].value == 1) return a;
  if (!is_constant(b) && a > b) std::swap(a, b);  // one node for both orders
  const WideInterval& x = ranges_[a];
  const WideInterval& y = ranges_[b];
  return make({.kind = NodeKind::multiply, .operands = {a, b}},
              hull({wide_product(x.low, y.low), wide_product(x.low, y.high),
                    wide_product(x.high, y.low), wide_product(x.high, y.high)}));
}

Node Graph::floor_divide(Node a, Node b) {
  if (is_constant(b) && nodes_[b].value == 1) return a;
  const WideInterval& x = ranges_[a];
  const WideInterval& y = ranges_[b];
  WideInterval range;
  if (y.low > 0 || y.high < 0) {
    range = hull({floored(x.low, y.low), floored(x.low, y.high), floored(x.high, y.low),
                  floored(x.high, y.high)});
  } else {
    const Wide most = std::max({x.high, -x.low, Wide{1}});
    range = {-most, most};
  }
  return make({.kind = NodeKind::floor_divide, .operands = {a, b}}, range);
}

Node Graph::modulo(Node a, Node b) {
  const WideInterval& x = ranges_[a];
  const WideInterval& y = ranges_[b];
  if (y.low > 0 && x.low >= 0 && x.high < y.low) return a;
  WideInterval range{std::min<Wide>(0, y.low + 1), std::max<Wide>(0, y.high - 1)};
  if (y.low > 0 && x.low >= 0) range.high = std::min(range.high, x.high);
  if (is_constant(a) && is_constant(b) && nodes_[b].value != 0) {
    const Wide rest = x.low - floored(x.low, y.low) * y.low;
    range = {rest, rest};
  }
  return make({.kind = NodeKind::modulo, .operands = {a, b}}, range);
}

Node Graph::choose(Node condition, Node yes, Node no) {
  if (is_true(condition) || yes == no) return yes;
  if (is_false(condition)) return no;
  if (nodes_[yes].boolean) {
    return disjunction(conjunction(condition, yes), conjunction(negation(condition), no));
  }
  const WideInterval& x = ranges_[yes];
  const WideInterval& y = ranges_[no];
  return make({.kind = NodeKind::choose, .operands = {condition, yes, no}},
              {std::min(x.low, y.low), std::max(x.high, y.high)});
}

Node Graph::minimum(Node a, Node b) {
  const Node first = less(a, b);
  if (is_true(first) || a == b) return a;
  if (is_false(first)) return b;
  const WideInterval& x = ranges_[a];
  const WideInterval& y = ranges_[b];
  return make({.kind = NodeKind::choose, .operands = {first, a, b}},
              {std::min(x.low, y.low), std::min(x.high, y.high)});
}

Node Graph::maximum(Node a, Node b) {
  const Node second = less(a, b);
  if (is_true(second)) return b;
  if (is_false(second) || a == b) return a;
  const WideInterval& x = ranges_[a];
  const WideInterval& y = ranges_[b];
  return make({.kind = NodeKind::choose, .operands = {second, b, a}},
              {std::max(x.low, y.low), std::max(x.high, y.high)});
}

Node Graph::equal(Node a, Node b) {
  if (a == b) return truth(true);
  if (nodes_[a].boolean) {
    if (is_constant(a)) std::swap(a, b);
    if (is_constant(b)) return nodes_[b].value != 0 ? a : negation(a);
  }
  const WideInterval& x = ranges_[a];
  const WideInterval& y = ranges_[b];
  if (x.high < y.low || y.high < x.low) return truth(false);
  if (x.low == x.high && x == y) return truth(true);
  if (a > b) std::swap(a, b);
  return make({.kind = NodeKind::equal, .boolean = true, .operands = {a, b}}, {0, 1});
}

Node Graph::less_equal(Node a, Node b) {
  const WideInterval& x = ranges_[a];
  const WideInterval& y = ranges_[b];
  if (a == b || x.high <= y.low) return truth(true);
  if (x.low > y.high) return truth(false);
  return make({.kind = NodeKind::less_equal, .boolean = true, .operands = {a, b}}, {0, 1});
}

Node Graph::negation(Node a) {
  if (is_constant(a)) return truth(nodes_[a].value == 0);
  if (nodes_[a].kind == NodeKind::negation) return nodes_[a].operands[0];
  return make({.kind = NodeKind::negation, .boolean = true, .operands = {a}}, {0, 1});
}

Node Graph::connective(NodeKind kind, std::vector<Node> operands) {
  const bool neutral = kind == NodeKind::conjunction;
  std::vector<Node> kept;
  for (const Node operand : operands) {
    if (is_constant(operand)) {
      if ((nodes_[operand].value != 0) != neutral) return truth(!neutral);
      continue;
    }
    if (nodes_[operand].kind == kind) {
      kept.insert(kept.end(), nodes_[operand].operands.begin(), nodes_[operand].operands.end());
    } else {
      kept.push_back(operand);
    }
  }
  std::ranges::sort(kept);
  kept.erase(std::ranges::unique(kept).begin(), kept.end());
  for (const Node operand : kept) {
    if (nodes_[operand].kind == NodeKind::negation &&
        std::ranges::binary_search(kept, nodes_[operand].operands[0])) {
      return truth(!neutral);
    }
  }
  if (kept.empty()) return truth(neutral);
  if (kept.size() == 1) return kept[0];
  return make({.kind = kind, .boolean = true, .operands = std::move(kept)}, {0, 1});
}

Node Graph::conjunction(std::vector<Node> operands) {
  return connective(NodeKind::conjunction, std::move(operands));
}

Node Graph::disjunction(std::vector<Node> operands) {
  return connective(NodeKind::disjunction, std::move(operands));
}

Wide Graph::compute(Node node, std::span<const std::int64_t> variables,
                    std::span<const Wide> values) const {
  const NodeData& data = nodes_[node];
  const auto operand = [&](std::size_t i) { return values[data.operands[i]]; };
  const auto any = [&](bool wanted) {
    for (const Node operand : data.operands) {
      if ((values[operand] != 0) == wanted) return true;
    }
    return false;
  };
  switch (data.kind) {
    case NodeKind::constant:
      return data.value;
    case NodeKind::variable:
      return variables[static_cast<std::size_t>(data.value)];
    case NodeKind::add:
      return saturate(operand(0) + operand(1));
    case NodeKind::multiply:
      return wide_product(operand(0), operand(1));
    case NodeKind::floor_divide:
      return floored(operand(0), operand(1));
    case NodeKind::modulo:
      return operand(0) - wide_product(floored(operand(0), operand(1)), operand(1));
    case NodeKind::choose:
      return operand(0) != 0 ? operand(1) : operand(2);
    case NodeKind::equal:
      return operand(0) == operand(1) ? 1 : 0;
    case NodeKind::less_equal:
      return operand(0) <= operand(1) ? 1 : 0;
    case NodeKind::negation:
      return operand(0) == 0 ? 1 : 0;
    case NodeKind::conjunction:
      return any(false) ? 0 : 1;
    case NodeKind::disjunction:
      return any(true) ? 1 : 0;
  }
  return 0;
}

std::vector<Wide> Graph::evaluate(std::span<const std::int64_t> variables) const {
  std::vector<Wide> values(nodes_.size(), 0);
  for (Node node = 0; node < nodes_.size(); ++node) {
    values[node] = compute(node, variables, values);
  }
  return values;
}

}  // namespace convproof::proofs
