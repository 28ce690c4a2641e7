#include "selector/rules/facts.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>

#include "selector/rules/schema.h"
#include "selector/rules/term.h"

namespace convproof {
namespace {

// `term` compared with `constant`, the term on the left.
struct Against {
  TermKind kind = TermKind::equal;
  Term term = 0;
  std::int64_t constant = 0;
};

std::optional<Against> against_constant(const TermGraph& graph, Term condition) {
  const TermNode& node = graph[condition];
  const auto exchanged = [](TermKind kind) {
    switch (kind) {
      case TermKind::less:
        return TermKind::greater;
      case TermKind::less_equal:
        return TermKind::greater_equal;
      case TermKind::greater:
        return TermKind::less;
      case TermKind::greater_equal:
        return TermKind::less_equal;
      default:
        return kind;
    }
  };
  switch (node.kind) {
    case TermKind::equal:
    case TermKind::less:
    case TermKind::less_equal:
    case TermKind::greater:
    case TermKind::greater_equal:
      if (graph.is_constant(node.operands[1]))
        return Against{node.kind, node.operands[0], graph[node.operands[1]].value};
      if (graph.is_constant(node.operands[0]))
        return Against{exchanged(node.kind), node.operands[1], graph[node.operands[0]].value};
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

// Narrows what a term can be by one comparison that is known.
void narrow(Interval& range, const Against& fact, bool truth) {
  constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const std::int64_t c = fact.constant;
  const std::int64_t below = c == least ? least : c - 1;
  const std::int64_t above = c == most ? most : c + 1;
  const auto at_most = [&](std::int64_t value) { range.high = std::min(range.high, value); };
  const auto at_least = [&](std::int64_t value) { range.low = std::max(range.low, value); };
  switch (fact.kind) {
    case TermKind::equal:
      if (truth) {
        at_least(c);
        at_most(c);
      }
      return;
    case TermKind::less:
      return truth ? at_most(below) : at_least(c);
    case TermKind::less_equal:
      return truth ? at_most(c) : at_least(above);
    case TermKind::greater:
      return truth ? at_least(above) : at_most(c);
    case TermKind::greater_equal:
      return truth ? at_least(c) : at_most(below);
    default:
      return;
  }
}

// What the range says of a comparison.
std::optional<bool> decide(const Interval& range, const Against& question) {
  const std::int64_t c = question.constant;
  const auto decided = [](bool surely, bool surely_not) {
    return surely ? std::optional(true) : surely_not ? std::optional(false) : std::nullopt;
  };
  switch (question.kind) {
    case TermKind::equal:
      return decided(range.low == c && range.high == c, c < range.low || c > range.high);
    case TermKind::less:
      return decided(range.high < c, range.low >= c);
    case TermKind::less_equal:
      return decided(range.high <= c, range.low > c);
    case TermKind::greater:
      return decided(range.low > c, range.high <= c);
    case TermKind::greater_equal:
      return decided(range.low >= c, range.high < c);
    default:
      return std::nullopt;
  }
}

}  // namespace

void learn(Facts& facts, const TermGraph& graph, Term condition, bool truth) {
  while (graph[condition].kind == TermKind::logical_not) {
    condition = graph[condition].operands[0];
    truth = !truth;
  }
  facts[condition] = truth;
}

std::optional<Term> subject(const TermGraph& graph, Term condition) {
  while (graph[condition].kind == TermKind::logical_not) condition = graph[condition].operands[0];
  if (graph[condition].kind == TermKind::in_constants) return graph[condition].operands[0];
  const auto comparison = against_constant(graph, condition);
  return comparison ? std::optional(comparison->term) : std::nullopt;
}

std::optional<bool> known(const Facts& facts, const TermGraph& graph, Term condition) {
  const TermNode& node = graph[condition];
  if (node.kind == TermKind::logical_not) {
    const auto inner = known(facts, graph, node.operands[0]);
    return inner ? std::optional(!*inner) : std::nullopt;
  }
  if (node.kind == TermKind::constant) return node.value != 0;
  if (const auto found = facts.find(condition); found != facts.end()) return found->second;
  const auto about = subject(graph, condition);
  if (!about) return std::nullopt;
  Interval range;
  bool evaluated = !graph.can_raise(*about);  // else nothing is known before it was
  for (const auto& [fact, truth] : facts) {
    const auto comparison = against_constant(graph, fact);
    if (!comparison || comparison->term != *about) continue;
    narrow(range, *comparison, truth);
    evaluated = true;
  }
  if (!evaluated) return std::nullopt;
  if (node.kind == TermKind::in_constants) {
    if (range.low != range.high) return std::nullopt;
    return std::ranges::find(graph.set(node.value), range.low) != graph.set(node.value).end();
  }
  return decide(range, *against_constant(graph, condition));
}

}  // namespace convproof
