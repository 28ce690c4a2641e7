#include "selector/rules/syntax.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "selector/rules/token.h"

namespace convproof {
namespace {

using Parsed = std::expected<Syntax, LocatedError>;

struct Operator {
  std::string_view spelling;
  SyntaxKind kind;
};

class Parser {
 public:
  Parser(std::string_view text, std::string_view place) : text_(text), place_(place) { advance(); }

  Parsed whole() {
    Parsed parsed = conditional();
    if (!parsed) return parsed;
    if (token_.kind != TokenKind::end) return fail_here("an operator or the end of the expression");
    return parsed;
  }

 private:
  // Counts the grammar's levels of recursion while it lives.
  class Nested {
   public:
    explicit Nested(std::size_t& depth) : depth_(depth) { ++depth_; }
    ~Nested() { --depth_; }
    Nested(const Nested&) = delete;
    Nested& operator=(const Nested&) = delete;

   private:
    std::size_t& depth_;
  };

  void advance() {
    previous_end_ = position_;
    token_ = next_token(text_, position_);
  }

  [[nodiscard]] bool at_sign(std::string_view sign) const {
    return token_.kind == TokenKind::sign && token_.spelling == sign;
  }
  [[nodiscard]] bool at_keyword(std::string_view keyword) const {
    return token_.kind == TokenKind::keyword && token_.spelling == keyword;
  }

  [[nodiscard]] std::unexpected<LocatedError> fail(SourceRange where, std::string value,
                                                   std::string rule) const {
    return std::unexpected(LocatedError{
        Error{fmt::format("{}:{}", place_, where.column), std::move(value), std::move(rule)},
        std::string(text_), where.column, where.length});
  }

  // The token at hand is not what the grammar wants.
  [[nodiscard]] std::unexpected<LocatedError> fail_here(std::string_view expected) const {
    std::string value = std::string(text_.substr(token_.where.column - 1, token_.where.length));
    if (token_.kind == TokenKind::bad) return fail(token_.where, value, std::string(token_.rule));
    if (token_.kind == TokenKind::end) value = "end of the expression";
    if (at_sign("=")) return fail(token_.where, value, "compare with `==`");
    if (at_sign("/")) return fail(token_.where, value, "divide with `//`");
    return fail(token_.where, value, fmt::format("expected {}", expected));
  }

  // The phrase from `start` up to the last token read.
  [[nodiscard]] SourceRange since(SourceRange start) const {
    return {start.column, static_cast<std::uint32_t>(previous_end_ + 1 - start.column)};
  }

  [[nodiscard]] std::unexpected<LocatedError> too_deep(SourceRange where) const {
    return fail(where, "", fmt::format("nests deeper than {} levels", max_nesting));
  }

  // The phrase from `start` up to the last token read, unless its tree is too high.
  [[nodiscard]] Parsed finished(Syntax node, SourceRange start) const {
    node.where = since(start);
    for (const Syntax& operand : node.operands)
      node.height = std::max(node.height, operand.height + 1);
    if (node.height > max_nesting) return too_deep(node.sign);
    return node;
  }

  Parsed conditional() {
    const Nested nested(depth_);
    const SourceRange start = token_.where;
    if (depth_ > max_recursion) return too_deep(start);
    Parsed value = disjunction();
    if (!value || !at_keyword("if")) return value;
    const SourceRange sign = token_.where;
    advance();
    Parsed condition = disjunction();
    if (!condition) return condition;
    if (!at_keyword("else")) return fail_here("`else`");
    advance();
    Parsed otherwise = conditional();
    if (!otherwise) return otherwise;
    Syntax node{.kind = SyntaxKind::conditional, .sign = sign};
    node.operands.push_back(std::move(*value));
    node.operands.push_back(std::move(*condition));
    node.operands.push_back(std::move(*otherwise));
    return finished(std::move(node), start);
  }

  // `and` and `or`: a chain without parentheses is one node.
  template <class Next>
  Parsed chain(std::string_view word, SyntaxKind kind, Next next) {
    const SourceRange start = token_.where;
    Parsed first = next();
    if (!first || !at_keyword(word)) return first;
    Syntax node{.kind = kind, .sign = token_.where};
    node.operands.push_back(std::move(*first));
    while (at_keyword(word)) {
      advance();
      Parsed operand = next();
      if (!operand) return operand;
      node.operands.push_back(std::move(*operand));
    }
    return finished(std::move(node), start);
  }

  Parsed disjunction() {
    return chain("or", SyntaxKind::logical_or, [this] { return conjunction(); });
  }
  Parsed conjunction() {
    return chain("and", SyntaxKind::logical_and, [this] { return negation(); });
  }

  Parsed negation() {
    if (!at_keyword("not")) return comparison();
    return prefixed(SyntaxKind::logical_not, [this] { return negation(); });
  }

  template <class Next>
  Parsed prefixed(SyntaxKind kind, Next next) {
    const Nested nested(depth_);
    const SourceRange start = token_.where;
    if (depth_ > max_recursion) return too_deep(start);
    advance();
    Parsed operand = next();
    if (!operand) return operand;
    Syntax node{.kind = kind, .sign = start};
    node.operands.push_back(std::move(*operand));
    return finished(std::move(node), start);
  }

  // The comparison that starts at the token at hand, which is then read.
  std::optional<Comparison> take_comparison() {
    for (const Comparison comparison :
         {Comparison::equal, Comparison::not_equal, Comparison::less, Comparison::less_equal,
          Comparison::greater, Comparison::greater_equal}) {
      if (at_sign(name_of(comparison))) {
        advance();
        return comparison;
      }
    }
    if (at_keyword("in")) {
      advance();
      return Comparison::in;
    }
    if (at_keyword("not")) {
      advance();
      if (at_keyword("in")) {
        advance();
        return Comparison::not_in;
      }
      missing_in_ = true;
    }
    return std::nullopt;
  }

  Parsed comparison() {
    const SourceRange start = token_.where;
    Parsed first = sum();
    if (!first) return first;
    Syntax node{.kind = SyntaxKind::comparison, .sign = token_.where};
    while (const auto comparison = take_comparison()) {
      if (node.operands.empty()) node.operands.push_back(std::move(*first));
      Parsed operand = sum();
      if (!operand) return operand;
      node.comparisons.push_back(*comparison);
      node.operands.push_back(std::move(*operand));
    }
    if (missing_in_) return fail_here("`in`");
    if (node.operands.empty()) return first;
    return finished(std::move(node), start);
  }

  // A left-associative level of binary operators.
  template <class Next>
  Parsed binary(std::initializer_list<Operator> operators, Next next) {
    const SourceRange start = token_.where;
    Parsed left = next();
    while (left) {
      const Operator* found = nullptr;
      for (const Operator& candidate : operators) {
        if (at_sign(candidate.spelling)) found = &candidate;
      }
      if (found == nullptr) return left;
      const SourceRange sign = token_.where;
      advance();
      Parsed right = next();
      if (!right) return right;
      Syntax node{.kind = found->kind, .sign = sign};
      node.operands.push_back(std::move(*left));
      node.operands.push_back(std::move(*right));
      left = finished(std::move(node), start);
    }
    return left;
  }

  Parsed sum() {
    return binary({{"+", SyntaxKind::add}, {"-", SyntaxKind::subtract}},
                  [this] { return product(); });
  }
  Parsed product() {
    return binary(
        {{"*", SyntaxKind::multiply}, {"//", SyntaxKind::floor_divide}, {"%", SyntaxKind::modulo}},
        [this] { return sign(); });
  }

  Parsed sign() {
    if (!at_sign("-")) return postfix();
    return prefixed(SyntaxKind::negate, [this] { return sign(); });
  }

  Parsed postfix() {
    const SourceRange start = token_.where;
    Parsed node = atom();
    while (node && at_sign("[")) {
      const SourceRange sign = token_.where;
      advance();
      Parsed index = conditional();
      if (!index) return index;
      if (!at_sign("]")) return fail_here("`]`");
      advance();
      Syntax subscript{.kind = SyntaxKind::subscript, .sign = sign};
      subscript.operands.push_back(std::move(*node));
      subscript.operands.push_back(std::move(*index));
      node = finished(std::move(subscript), start);
    }
    return node;
  }

  Parsed atom() {
    const Token token = token_;
    Syntax node{.where = token.where, .sign = token.where};
    switch (token.kind) {
      case TokenKind::integer:
        advance();
        node.kind = SyntaxKind::integer;
        node.value = token.value;
        return node;
      case TokenKind::text:
        advance();
        node.kind = SyntaxKind::text;
        node.text = std::string(token.spelling);
        return node;
      case TokenKind::name:
        advance();
        if (token.spelling == "True" || token.spelling == "true" || token.spelling == "False" ||
            token.spelling == "false") {
          node.value = token.spelling[0] == 'T' || token.spelling[0] == 't' ? 1 : 0;
          return node;
        }
        node.text = std::string(token.spelling);
        if (at_sign("(")) return call(std::move(node));
        node.kind = SyntaxKind::name;
        return node;
      case TokenKind::sign:
        if (token.spelling == "(") return parenthesised();
        if (token.spelling == "[") return list();
        break;
      case TokenKind::keyword:
      case TokenKind::end:
      case TokenKind::bad:
        break;
    }
    return fail_here("a value");
  }

  Parsed parenthesised() {
    advance();
    Parsed node = conditional();
    if (!node) return node;
    if (!at_sign(")")) return fail_here("`)`");
    advance();
    return node;
  }

  Parsed list() {
    Syntax node{.kind = SyntaxKind::list, .where = token_.where, .sign = token_.where};
    const SourceRange start = token_.where;
    advance();
    while (!at_sign("]")) {
      if (!node.operands.empty()) {
        if (!at_sign(",")) return fail_here("`,` or `]`");
        advance();
        if (at_sign("]")) break;
      }
      if (node.operands.size() == max_list_elements) {
        return fail(token_.where, "",
                    fmt::format("a list has at most {} elements", max_list_elements));
      }
      Parsed element = conditional();
      if (!element) return element;
      node.operands.push_back(std::move(*element));
    }
    advance();
    return finished(std::move(node), start);
  }

  Parsed call(Syntax node) {
    node.kind = SyntaxKind::call;
    const SourceRange start = node.where;
    advance();
    while (!at_sign(")")) {
      if (!node.operands.empty()) {
        if (!at_sign(",")) return fail_here("`,` or `)`");
        advance();
        if (at_sign(")")) break;
      }
      if (node.operands.size() == max_arguments) {
        return fail(token_.where, "",
                    fmt::format("a call has at most {} arguments", max_arguments));
      }
      Parsed argument = argument_or_comprehension();
      if (!argument) return argument;
      node.operands.push_back(std::move(*argument));
    }
    advance();
    return finished(std::move(node), start);
  }

  Parsed argument_or_comprehension() {
    const SourceRange start = token_.where;
    Parsed body = conditional();
    if (!body || !at_keyword("for")) return body;
    advance();
    if (token_.kind != TokenKind::name) return fail_here("the name of a variable");
    Syntax node{.kind = SyntaxKind::comprehension,
                .text = std::string(token_.spelling),
                .sign = token_.where};
    advance();
    if (!at_keyword("in")) return fail_here("`in`");
    advance();
    Parsed iterable = disjunction();
    if (!iterable) return iterable;
    node.operands.push_back(std::move(*body));
    node.operands.push_back(std::move(*iterable));
    return finished(std::move(node), start);
  }

  std::string_view text_;
  std::string_view place_;
  std::size_t position_ = 0;
  std::size_t previous_end_ = 0;
  std::size_t depth_ = 0;
  bool missing_in_ = false;
  Token token_{};
};

}  // namespace

std::expected<Syntax, LocatedError> parse_syntax(std::string_view text, std::string_view place) {
  if (text.size() > max_expression_length) {
    return std::unexpected(LocatedError{
        Error{std::string(place), fmt::format("{} bytes", text.size()),
              fmt::format("an expression has at most {} bytes", max_expression_length)}});
  }
  return Parser(text, place).whole();
}

}  // namespace convproof
