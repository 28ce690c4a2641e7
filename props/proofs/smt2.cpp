#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "props/proofs/formula.h"
#include "props/proofs/solve.h"

namespace convproof::proofs {
namespace {

std::string number(std::int64_t value) {
  if (value >= 0) return fmt::to_string(value);
  return fmt::format("(- {})", fmt::to_string(value).substr(1));
}

std::string_view function_of(NodeKind kind) {
  switch (kind) {
    case NodeKind::add:
      return "+";
    case NodeKind::multiply:
      return "*";
    case NodeKind::floor_divide:
      return "floor_divide";
    case NodeKind::modulo:
      return "floor_modulo";
    case NodeKind::choose:
      return "ite";
    case NodeKind::equal:
      return "=";
    case NodeKind::less_equal:
      return "<=";
    case NodeKind::negation:
      return "not";
    case NodeKind::conjunction:
      return "and";
    case NodeKind::disjunction:
      return "or";
    case NodeKind::constant:
    case NodeKind::variable:
      break;
  }
  return "";
}

std::string name_of(const Graph& graph, Node node) {
  const NodeData& data = graph[node];
  if (data.kind == NodeKind::constant) {
    return data.boolean ? (data.value != 0 ? "true" : "false") : number(data.value);
  }
  if (data.kind == NodeKind::variable) {
    return fmt::format("|{}|", graph.variables()[static_cast<std::size_t>(data.value)].name);
  }
  return fmt::format("n{}", node);
}

}  // namespace

std::string to_smt2(const Graph& graph, std::span<const Node> background,
                    std::span<const Node> required, std::string_view comment) {
  std::set<Node> needed;
  std::vector<Node> open(background.begin(), background.end());
  open.insert(open.end(), required.begin(), required.end());
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    if (!needed.insert(node).second) continue;
    open.insert(open.end(), graph[node].operands.begin(), graph[node].operands.end());
  }
  std::string text = fmt::format(
      "; {}\n(set-logic ALL)\n"
      "(define-fun floor_divide ((a Int) (b Int)) Int\n"
      "  (ite (= b 0) 0 (ite (> b 0) (div a b) (div (- a) (- b)))))\n"
      "(define-fun floor_modulo ((a Int) (b Int)) Int (- a (* b (floor_divide a b))))\n",
      comment);
  for (const Node node : needed) {  // operands stand first
    const NodeData& data = graph[node];
    if (data.kind == NodeKind::constant) continue;
    const std::string name = name_of(graph, node);
    if (data.kind == NodeKind::variable) {
      const Variable& variable = graph.variables()[static_cast<std::size_t>(data.value)];
      text += fmt::format("(declare-const {} {})\n", name, variable.boolean ? "Bool" : "Int");
      if (variable.boolean) continue;
      text += fmt::format("(assert (<= {} {} {}))\n", number(variable.low), name,
                          number(variable.high));
      continue;
    }
    text += fmt::format("(define-fun {} () {} ({}", name, data.boolean ? "Bool" : "Int",
                        function_of(data.kind));
    for (const Node operand : data.operands) text += fmt::format(" {}", name_of(graph, operand));
    text += "))\n";
  }
  for (const Node node : background) text += fmt::format("(assert {})\n", name_of(graph, node));
  for (const Node node : required) text += fmt::format("(assert {})\n", name_of(graph, node));
  text += "(check-sat)\n";
  return text;
}

}  // namespace convproof::proofs
