#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace convproof::proofs {

// Integers of the prover: products of two int64 fit, wider results saturate far outside int64.
__extension__ using Wide = __int128;

// Both ends included.
struct WideInterval {
  Wide low = 0;
  Wide high = 0;

  bool operator==(const WideInterval&) const = default;
};

// A node of a graph; nodes are numbered so that operands stand before what uses them.
using Node = std::uint32_t;

enum class NodeKind : std::uint8_t {
  constant,      // value; a bool is 0 or 1
  variable,      // value: index of the variable
  add,           // two ints
  multiply,      // two ints
  floor_divide,  // two ints, rounds towards minus infinity; any value where the divisor is 0
  modulo,        // two ints, the divisor's sign; any value where the divisor is 0
  choose,        // bool, then two ints or two bools
  equal,         // two ints or two bools
  less_equal,    // two ints
  negation,      // one bool
  conjunction,   // bools
  disjunction,   // bools
};

struct NodeData {
  NodeKind kind = NodeKind::constant;
  bool boolean = false;
  std::int64_t value = 0;
  std::vector<Node> operands{};

  auto operator<=>(const NodeData&) const = default;
};

struct Variable {
  std::string name{};
  bool boolean = false;
  std::int64_t low = 0;
  std::int64_t high = 1;
};

// Formulas over mathematical integers, as a graph in which equal terms are one node. Terms are
// folded as they are made: constants are computed, comparisons that the ranges of their operands
// decide become constants, and a connective of one is that one.
class Graph {
 public:
  Node variable(Variable variable);
  Node constant(std::int64_t value);
  Node truth(bool value);

  Node add(Node a, Node b);
  Node subtract(Node a, Node b);
  Node multiply(Node a, Node b);
  Node floor_divide(Node a, Node b);
  Node modulo(Node a, Node b);
  Node choose(Node condition, Node yes, Node no);
  // Of ints, with the range that follows from both.
  Node minimum(Node a, Node b);
  Node maximum(Node a, Node b);
  Node equal(Node a, Node b);
  Node less_equal(Node a, Node b);
  Node less(Node a, Node b) { return negation(less_equal(b, a)); }
  Node negation(Node a);
  Node conjunction(std::vector<Node> operands);
  Node disjunction(std::vector<Node> operands);
  Node conjunction(Node a, Node b) { return conjunction(std::vector<Node>{a, b}); }
  Node disjunction(Node a, Node b) { return disjunction(std::vector<Node>{a, b}); }

  [[nodiscard]] const NodeData& operator[](Node node) const { return nodes_[node]; }
  [[nodiscard]] const WideInterval& range(Node node) const { return ranges_[node]; }
  [[nodiscard]] bool is_constant(Node node) const {
    return nodes_[node].kind == NodeKind::constant;
  }
  [[nodiscard]] bool is_true(Node node) const {
    return is_constant(node) && nodes_[node].boolean && nodes_[node].value == 1;
  }
  [[nodiscard]] bool is_false(Node node) const {
    return is_constant(node) && nodes_[node].boolean && nodes_[node].value == 0;
  }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] const std::vector<Variable>& variables() const { return variables_; }

  // The value of every node where the variables have the given values.
  [[nodiscard]] std::vector<Wide> evaluate(std::span<const std::int64_t> variables) const;

  // The node's value, once those of its operands stand in `values`.
  [[nodiscard]] Wide compute(Node node, std::span<const std::int64_t> variables,
                             std::span<const Wide> values) const;

 private:
  Node make(NodeData data, WideInterval range);
  Node connective(NodeKind kind, std::vector<Node> operands);

  std::vector<NodeData> nodes_{};
  std::vector<WideInterval> ranges_{};
  std::vector<Variable> variables_{};
  std::map<NodeData, Node> known_{};
};

}  // namespace convproof::proofs
