#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "props/proofs/formula.h"
#include "selector/rules/expression.h"
#include "selector/rules/predicate.h"
#include "selector/rules/schema.h"

namespace convproof::proofs {

// What one shape of the record fixes: slots with one value, as list lengths and the attributes that
// decide them.
using FixedSlots = std::map<std::uint32_t, std::int64_t>;

// A list read through a permutation: `values[order[k]]`. By index in Schema::attributes.
struct PermutedList {
  std::uint32_t values = 0;
  std::uint32_t order = 0;

  bool operator==(const PermutedList&) const = default;
};

// One way to read a schema's records as variables.
struct RecordShape {
  FixedSlots fixed{};
  std::vector<PermutedList> permuted{};  // `order` is a permutation in every well-formed record
  std::int64_t limit = 0;                // of the magnitude of every int; 0: the schema's bounds
};

// The shapes that together hold every well-formed record of the schema: one for each value of the
// small attributes that the axioms tie list lengths to. `predicates` are looked through, beside the
// axioms, for lists that are read through a permutation.
std::vector<RecordShape> record_shapes(const Schema& schema, std::span<const Predicate> predicates);

// A value of the language as formulas. Lists have as many elements as there can be.
struct SymbolicValue {
  Node scalar = 0;
  Node length = 0;
  std::vector<SymbolicValue> elements{};
};

// What an evaluation comes to: `value` holds where `raises` is false.
struct SymbolicOutcome {
  Node raises = 0;
  SymbolicValue value{};
};

struct SymbolicPredicate {
  Node matched = 0;
  Node raised = 0;
  std::vector<Node> raised_at{};  // by clause
  std::vector<Node> holds{};      // by clause, by itself: neither false nor raising
};

// Turns checked expressions of one schema into formulas over the variables of one record shape,
// with the order of evaluation, short circuits and raises of the language.
class Encoder {
 public:
  Encoder(const Schema& schema, RecordShape shape);

  SymbolicOutcome expression(const Expression& expression);
  SymbolicPredicate predicate(const Predicate& predicate);
  // One node per axiom of the schema, in order.
  [[nodiscard]] const std::vector<Node>& axioms() const { return axioms_; }
  // Whether an operation so far could leave int64 within the shape's limit.
  [[nodiscard]] bool may_overflow() const { return may_overflow_; }

  [[nodiscard]] const Graph& graph() const { return graph_; }
  Graph& graph() { return graph_; }

  // Whether the record is of this encoder's shape.
  [[nodiscard]] bool fits(std::span<const std::int64_t> record) const;
  // The record that values of the graph's variables stand for, and the other way round for a
  // well-formed record that fits. Slots past a list's length are 0.
  [[nodiscard]] std::vector<std::int64_t> record(std::span<const std::int64_t> variables) const;
  [[nodiscard]] std::vector<std::int64_t> variables(std::span<const std::int64_t> record) const;

 private:
  struct PermutedCells {
    std::uint32_t order = 0;
    std::vector<Node> cells{};  // in the permutation's order
  };

  void add_attribute(const Attribute& attribute, std::uint32_t index);
  Node add_variable(const Attribute& attribute, std::uint32_t slot, std::string name, bool boolean,
                    std::int64_t low, std::int64_t high);
  Node fresh_cell(const Attribute& attribute, std::uint32_t slot, std::string name);
  SymbolicValue list_of(const Attribute& attribute, std::uint32_t index);

  Node guarded(Node value);  // adds an overflow of `value` to the raises at hand
  SymbolicValue evaluate(const Expression& expression);
  SymbolicValue literal_list(const Expression& expression);
  SymbolicValue definition(std::uint32_t index);
  SymbolicValue arithmetic(const Expression& expression);
  SymbolicValue logic(const Expression& expression, bool decisive);
  SymbolicValue conditional(const Expression& expression);
  SymbolicValue comparison(const Expression& expression);
  SymbolicValue subscript(const Expression& expression);
  SymbolicValue range(const Expression& expression);
  SymbolicValue function(const Expression& expression);
  SymbolicValue builtin(const Expression& expression);
  SymbolicValue quantified(const Expression& source, bool decisive);
  SymbolicValue sum(const Expression& source);
  SymbolicValue extreme(const Expression& expression);
  std::vector<SymbolicOutcome> items(const Expression& source, Node& length);
  std::optional<Node> permuted_cell(const Expression& expression);
  Node divide_guarded(Node a, Node b);

  Node holds(const SymbolicValue& left, Comparison comparison, const SymbolicValue& right,
             const Type& left_type);
  Node equal(const SymbolicValue& left, const SymbolicValue& right, std::uint8_t depth);
  Node contains(const SymbolicValue& list, const SymbolicValue& value, std::uint8_t depth);
  SymbolicValue merge(Node condition, const SymbolicValue& yes, const SymbolicValue& no,
                      std::uint8_t depth);
  static SymbolicValue scalar(Node node) { return {.scalar = node, .length = 0, .elements = {}}; }

  // Runs `body` with raises of its own, which come back beside its value.
  template <class Body>
  SymbolicOutcome apart(Body body);

  const Schema& schema_;
  RecordShape shape_;
  Graph graph_{};
  std::vector<SymbolicValue> attributes_{};
  std::map<std::uint32_t, PermutedCells> permuted_{};  // by index of the list
  std::vector<std::optional<SymbolicOutcome>> definitions_{};
  std::vector<Node> slots_{};  // what stands in each slot of the record
  std::vector<std::pair<std::uint32_t, std::int64_t>> homes_{};  // of each variable: slot, or list
                                                                 // index and place in its order
  std::vector<Node> axioms_{};
  std::vector<SymbolicValue> bound_{};  // variables of comprehensions and functions
  std::size_t frame_ = 0;
  std::vector<Node> raising_{};  // conditions under which the expression at hand raises
  bool may_overflow_ = false;
};

}  // namespace convproof::proofs
