#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "selector/rules/expression.h"
#include "selector/rules/located_error.h"

namespace convproof {

// What the grammar alone makes of a text; names and types are settled by the checker.
enum class SyntaxKind : std::uint8_t {
  boolean,
  integer,
  text,
  list,
  name,
  call,  // text: the function
  comprehension,
  negate,
  logical_not,
  logical_and,
  logical_or,
  conditional,
  comparison,
  add,
  subtract,
  multiply,
  floor_divide,
  modulo,
  subscript,
};

struct Syntax {
  SyntaxKind kind = SyntaxKind::boolean;
  std::int64_t value = 0;
  std::string text{};  // name, function, text literal, variable of a comprehension
  std::vector<Comparison> comparisons{};
  std::vector<Syntax> operands{};  // as in Expression
  std::size_t height = 1;
  SourceRange where{};  // the whole phrase
  SourceRange sign{};   // of an operator, or the name that a call or comprehension starts with
};

// Hostile input is refused beyond these, so that no reader of an expression can overflow its stack.
inline constexpr std::size_t max_expression_length = 4096;
inline constexpr std::size_t max_nesting = 64;     // of the tree
inline constexpr std::size_t max_recursion = 128;  // of the parser, which counts parentheses too
inline constexpr std::size_t max_list_elements = 64;
inline constexpr std::size_t max_arguments = 16;

// Parses a whole text; `place` is the path that errors name.
std::expected<Syntax, LocatedError> parse_syntax(std::string_view text, std::string_view place);

}  // namespace convproof
