#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "selector/rules/expression.h"
#include "selector/rules/schema.h"
#include "selector/rules/term.h"

namespace convproof {

// A list taken apart. Once `effects` are evaluated in order nothing in the list raises any more.
struct ListValue {
  Term length = 0;
  std::vector<Term> cells{};      // list of scalars: as many as there can be
  std::vector<ListValue> rows{};  // list of lists
  std::vector<Term> effects{};
  std::optional<std::int64_t> slot{};  // where it stands in the record as length and cells
};

// An expression in the compiler's form: a term, or a list of terms.
struct Expanded {
  Term scalar = 0;
  ListValue list{};
};

// Turns checked expressions of one schema into terms of one graph.
class Expander {
 public:
  Expander(const Schema& schema, TermGraph& graph)
      : schema_(schema), graph_(graph), definitions_(schema.definitions.size()) {}

  Term condition(const Expression& expression) { return scalar(expression); }

 private:
  Expanded expand(const Expression& expression);
  Term scalar(const Expression& expression) { return expand(expression).scalar; }
  ListValue list(const Expression& expression) { return expand(expression).list; }
  Expanded expand_definition(std::uint32_t index);
  Expanded conditional(const Expression& expression);
  Expanded subscript(const Expression& expression);
  ListValue list_literal(const Expression& expression);
  ListValue list_attribute(const Attribute& attribute);
  ListValue list_conditional(Term condition, const ListValue& yes, const ListValue& no);
  Expanded element_at(const ListValue& list, Term index, bool of_lists);
  Term comparison(const Expression& expression);
  Term compare(const Expanded& left, const Type& left_type, Comparison comparison,
               const Expanded& right, const Type& right_type);
  Term equal(const Expanded& left, const Expanded& right, std::uint8_t depth);
  Term lists_equal(const ListValue& left, const ListValue& right, std::uint8_t depth);
  Term contains(const ListValue& list, const Expanded& value, std::uint8_t depth);
  Term packed_membership(const ListValue& list, const ListValue& value);
  Term builtin(const Expression& expression);
  Term fold(TermKind kind, const Expression& source);
  Term function_call(const Expression& expression);
  std::vector<Term> operands(const Expression& expression);
  std::optional<std::vector<std::int64_t>> constants(const ListValue& list) const;
  std::optional<std::vector<std::int64_t>> flat_constants(const ListValue& list,
                                                          std::uint8_t depth) const;

  const Schema& schema_;
  TermGraph& graph_;
  std::vector<std::optional<Expanded>> definitions_;
  std::vector<Expanded> variables_{};
  std::size_t frame_ = 0;  // where the variables of the body at hand start
};

// The key of a list of at most 7 values of 0 to 255: its length and values, a byte each.
std::optional<std::int64_t> packed_key(std::span<const std::int64_t> values);

}  // namespace convproof
