#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "selector/rules/expression.h"

namespace convproof {
namespace {

// How tightly an expression's outermost operator binds, loosest first.
enum class Binding : std::uint8_t {
  conditional,
  disjunction,
  conjunction,
  negation,
  comparison,
  sum,
  product,
  sign,
  postfix
};

Binding binding_of(const Expression& expression) {
  switch (expression.kind) {
    case ExpressionKind::conditional:
      return Binding::conditional;
    case ExpressionKind::logical_or:
      return Binding::disjunction;
    case ExpressionKind::logical_and:
      return Binding::conjunction;
    case ExpressionKind::logical_not:
      return Binding::negation;
    case ExpressionKind::comparison:
      return Binding::comparison;
    case ExpressionKind::add:
    case ExpressionKind::subtract:
      return Binding::sum;
    case ExpressionKind::multiply:
    case ExpressionKind::floor_divide:
    case ExpressionKind::modulo:
      return Binding::product;
    case ExpressionKind::negate:
      return Binding::sign;
    case ExpressionKind::integer_literal:  // a negative one, built by hand, prints with its sign
      return expression.value < 0 ? Binding::sign : Binding::postfix;
    case ExpressionKind::boolean_literal:
    case ExpressionKind::enum_literal:
    case ExpressionKind::list_literal:
    case ExpressionKind::labels_literal:
    case ExpressionKind::attribute:
    case ExpressionKind::definition:
    case ExpressionKind::parameter:
    case ExpressionKind::variable:
    case ExpressionKind::subscript:
    case ExpressionKind::builtin_call:
    case ExpressionKind::function_call:
    case ExpressionKind::comprehension:
    case ExpressionKind::range:
      return Binding::postfix;
  }
  return Binding::postfix;
}

Binding tighter(Binding binding) {
  return static_cast<Binding>(static_cast<std::uint8_t>(binding) + 1);
}

void print(const Expression& expression, std::string& out);

// Prints an operand where the grammar admits nothing looser than `least`.
void print_at(const Expression& expression, Binding least, std::string& out) {
  const bool parentheses = binding_of(expression) < least;
  if (parentheses) out += '(';
  print(expression, out);
  if (parentheses) out += ')';
}

void print_list(const Expression& expression, std::string& out) {
  for (std::size_t i = 0; i < expression.operands.size(); ++i) {
    if (i > 0) out += ", ";
    print_at(expression.operands[i], Binding::conditional, out);
  }
}

void print_joined(const Expression& expression, std::string_view word, Binding least,
                  std::string& out) {
  for (std::size_t i = 0; i < expression.operands.size(); ++i) {
    if (i > 0) out += word;
    print_at(expression.operands[i], least, out);
  }
}

// A left-associative binary operator.
void print_binary(const Expression& expression, std::string_view sign, std::string& out) {
  const Binding own = binding_of(expression);
  print_at(expression.operands[0], own, out);
  out += sign;
  print_at(expression.operands[1], tighter(own), out);
}

void print_comparison(const Expression& expression, std::string& out) {
  print_at(expression.operands[0], Binding::sum, out);
  for (std::size_t i = 0; i < expression.comparisons.size(); ++i) {
    out += ' ';
    out += name_of(expression.comparisons[i]);
    out += ' ';
    print_at(expression.operands[i + 1], Binding::sum, out);
  }
}

void print_call(std::string_view name, const Expression& expression, std::string& out) {
  out += name;
  out += '(';
  print_list(expression, out);
  out += ')';
}

void print(const Expression& expression, std::string& out) {
  const std::vector<Expression>& operands = expression.operands;
  switch (expression.kind) {
    case ExpressionKind::boolean_literal:
      out += expression.value != 0 ? "True" : "False";
      return;
    case ExpressionKind::integer_literal:
      out += std::to_string(expression.value);
      return;
    case ExpressionKind::enum_literal:
      out += '"' + expression.name + '"';
      return;
    case ExpressionKind::list_literal:
      out += '[';
      print_list(expression, out);
      out += ']';
      return;
    case ExpressionKind::labels_literal:
      out += expression.value == 0 ? "image_labels(\"" : "kernel_labels(\"";
      out += expression.name;
      out += "\")";
      return;
    case ExpressionKind::attribute:
    case ExpressionKind::definition:
    case ExpressionKind::parameter:
    case ExpressionKind::variable:
      out += expression.name;
      return;
    case ExpressionKind::negate:
      out += '-';
      print_at(operands[0], Binding::sign, out);
      return;
    case ExpressionKind::logical_not:
      out += "not ";
      print_at(operands[0], Binding::negation, out);
      return;
    case ExpressionKind::logical_and:
      print_joined(expression, " and ", Binding::negation, out);
      return;
    case ExpressionKind::logical_or:
      print_joined(expression, " or ", Binding::conjunction, out);
      return;
    case ExpressionKind::conditional:
      print_at(operands[0], Binding::disjunction, out);
      out += " if ";
      print_at(operands[1], Binding::disjunction, out);
      out += " else ";
      print_at(operands[2], Binding::conditional, out);
      return;
    case ExpressionKind::comparison:
      print_comparison(expression, out);
      return;
    case ExpressionKind::add:
      print_binary(expression, " + ", out);
      return;
    case ExpressionKind::subtract:
      print_binary(expression, " - ", out);
      return;
    case ExpressionKind::multiply:
      print_binary(expression, " * ", out);
      return;
    case ExpressionKind::floor_divide:
      print_binary(expression, " // ", out);
      return;
    case ExpressionKind::modulo:
      print_binary(expression, " % ", out);
      return;
    case ExpressionKind::subscript:
      print_at(operands[0], Binding::postfix, out);
      out += '[';
      print_at(operands[1], Binding::conditional, out);
      out += ']';
      return;
    case ExpressionKind::builtin_call:
      print_call(name_of(expression.builtin), expression, out);
      return;
    case ExpressionKind::function_call:
      print_call(expression.name, expression, out);
      return;
    case ExpressionKind::range:
      print_call("range", expression, out);
      return;
    case ExpressionKind::comprehension:
      print_at(operands[0], Binding::conditional, out);
      out += " for " + expression.name + " in ";
      print_at(operands[1], Binding::disjunction, out);
      return;
  }
}

}  // namespace

std::string to_string(const Expression& expression) {
  std::string text;
  print(expression, text);
  return text;
}

}  // namespace convproof
