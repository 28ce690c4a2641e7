#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "selector/rules/outcome.h"

namespace convproof {

// The compiler's form of an expression: a graph of scalar terms in which equal terms are one node.
// Lists are taken apart into terms (list_value.h), functions and comprehensions are expanded.
enum class TermKind : std::uint8_t {
  constant,          // value
  slot,              // value: the record's slot
  add,               // two ints
  subtract,          // two ints
  multiply,          // two ints
  floor_divide,      // two ints
  modulo,            // two ints
  ceil_div,          // two ints
  minimum,           // two ints
  maximum,           // two ints
  negate,            // one int
  absolute,          // one int
  element,           // index; value: slot of a record's list of scalars. Raises outside it
  check_index,       // length, index: the index counted from 0. Raises outside the length
  load,              // index; value: a cell; extra: stride. The cell at value + index * stride
  pick,              // index, cells: the cell at the index
  range_length,      // start, stop; value: the most that may be
  packed_key,        // value: slot of a record's list, extra: its length if it has a key, else -1
  logical_not,       // one bool
  logical_and,       // bools, short-circuit
  logical_or,        // bools, short-circuit
  conditional,       // condition, value if true, value if false
  equal,             // two scalars
  less,              // two ints
  less_equal,        // two ints
  greater,           // two ints; not `less` exchanged, since the left side is evaluated first
  greater_equal,     // two ints
  in_constants,      // scalar; value: index in `sets`
  equals_constants,  // value: slot of a record's list, extra: index in `sets` of length, cells
  lists_equal,   // value, extra: slots of two lists of the record; one operand, a constant: cells
                 // per element
  fold_all,      // length, bodies: each of the first `length` bodies holds, short-circuit
  fold_any,      // length, bodies: one of them holds, short-circuit
  fold_sum,      // length, bodies
  fold_minimum,  // length, bodies; raises where the length is 0
  fold_maximum,  // length, bodies; raises where the length is 0
  sequence,      // terms evaluated in order for what they raise; the value of the last
};

using Term = std::uint32_t;

// More than this and a table is refused; the terms of real tables are hundreds.
inline constexpr std::size_t max_terms = 50'000;

struct TermNode {
  TermKind kind = TermKind::constant;
  std::int64_t value = 0;
  std::int64_t extra = 0;
  std::vector<Term> operands{};

  auto operator<=>(const TermNode&) const = default;
};

class TermGraph {
 public:
  // The node for `node`, folded where that keeps its meaning, raises included.
  Term make(TermNode node);
  Term make(TermKind kind, std::vector<Term> operands, std::int64_t value = 0,
            std::int64_t extra = 0) {
    return make(TermNode{kind, value, extra, std::move(operands)});
  }
  Term constant(std::int64_t value) { return make(TermKind::constant, {}, value); }
  Term slot(std::int64_t index) { return make(TermKind::slot, {}, index); }
  // `last` after `effects`, of which those that cannot raise are left out.
  Term sequence(std::span<const Term> effects, Term last);

  std::int64_t add_set(std::vector<std::int64_t> values);
  [[nodiscard]] const std::vector<std::int64_t>& set(std::int64_t index) const {
    return sets_[static_cast<std::size_t>(index)];
  }

  [[nodiscard]] const TermNode& operator[](Term term) const { return nodes_[term]; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] bool is_constant(Term term) const {
    return nodes_[term].kind == TermKind::constant;
  }
  [[nodiscard]] bool can_raise(Term term) const { return can_raise_[term]; }
  // Nodes of the tree below, saturating: what computing it costs.
  [[nodiscard]] std::uint32_t weight(Term term) const { return weight_[term]; }

 private:
  Term fold_logic(TermNode node);
  bool fold(TermNode& node) const;

  std::vector<TermNode> nodes_{};
  std::vector<bool> can_raise_{};
  std::vector<std::uint32_t> weight_{};
  std::map<TermNode, Term> known_{};
  std::vector<std::vector<std::int64_t>> sets_{};
};

}  // namespace convproof
