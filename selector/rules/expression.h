#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "selector/rules/type.h"

namespace convproof {

// Every node of a checked expression is of one of these kinds; the comment gives the members used
// beside `type`. A reader that switches over them all reads the whole language.
enum class ExpressionKind : std::uint8_t {
  boolean_literal,  // value 0 or 1
  integer_literal,  // value, never negative (`-1` is `negate` of 1)
  enum_literal,     // name, and its index in the enumeration as value
  list_literal,     // operands: the elements
  labels_literal,   // name: the glyphs; value: 0 image_labels, 1 kernel_labels; operands: the perm
                    // as integer literals
  attribute,        // name, index in Schema::attributes
  definition,       // name, index in Schema::definitions
  parameter,        // name, index in the parameters of the scope, and the constant as value
  variable,         // name, index: level, counted from the outermost binder of the expression; in a
                    // function's body the function's parameters are levels 0, 1, ...
  negate,           // operands: one int
  logical_not,      // operands: one bool
  logical_and,      // operands: two or more bools, evaluated left to right, short-circuit
  logical_or,       // operands: two or more bools, evaluated left to right, short-circuit
  conditional,      // operands: value if true, condition, value if false (source order)
  comparison,       // operands: n + 1, comparisons: n; chained and short-circuit as in Python
  add,              // operands: two ints
  subtract,         // operands: two ints
  multiply,         // operands: two ints
  floor_divide,     // operands: two ints; rounds towards minus infinity
  modulo,           // operands: two ints; the result has the divisor's sign
  subscript,        // operands: list, int; negative indices count from the end
  builtin_call,     // builtin; operands: the arguments
  function_call,    // name, index in Schema::functions; operands: the arguments
  comprehension,    // name of the variable, index: its level; operands: body, iterable. Only as the
                    // sole argument of all, any, min, max, sum
  range,            // operands: stop, or start and stop; only as the iterable of a comprehension
};

enum class Comparison : std::uint8_t {
  equal,
  not_equal,
  less,
  less_equal,
  greater,
  greater_equal,
  in,
  not_in
};

// `minimum`, `maximum`: two or more ints, or one list of ints or comprehension. `all`, `any`: one
// list of bools or comprehension. `sum`: one list of ints or comprehension. `ceil_div(a, b)` is
// `-(-a // b)`.
enum class Builtin : std::uint8_t { minimum, maximum, length, absolute, all, any, sum, ceil_div };

std::string_view name_of(Comparison comparison);  // `==`, `not in`
std::string_view name_of(Builtin builtin);        // `min`

// Columns count bytes from 1; column 0 means that the node was not read from text.
struct SourceRange {
  std::uint32_t column = 0;
  std::uint32_t length = 0;

  bool operator==(const SourceRange&) const = default;
};

// A checked expression, as a regular value: a tree of nodes.
//
// `max_length` bounds the length of a list (and of a range); `inner_length` is the exact length of
// each element of a list of lists, 0 where it is not known (no elements, or elements of several
// lengths, which only the right side of `in` admits).
// `==` compares the trees and ignores where they were read.
struct Expression {
  ExpressionKind kind = ExpressionKind::boolean_literal;
  Type type{};
  std::int64_t value = 0;
  std::uint32_t index = 0;
  Builtin builtin = Builtin::minimum;
  std::uint32_t max_length = 0;
  std::uint32_t inner_length = 0;
  std::string name{};
  std::vector<Comparison> comparisons{};
  std::vector<Expression> operands{};
  SourceRange where{};

  bool operator==(const Expression& other) const;
};

// Canonical text with as few parentheses as the grammar allows: parsing it gives an equal
// expression, and printing that gives the same text.
std::string to_string(const Expression& expression);

// Nodes for code that builds or rewrites expressions (mutation, tests); no checks.
Expression boolean_literal(bool value);
Expression integer_literal(std::int64_t value);  // `negate` of a literal for a negative value

}  // namespace convproof
