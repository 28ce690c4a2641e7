#include "selector/rules/token.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace convproof {
namespace {

// The locale plays no part, and bytes above 127 belong to no class.
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name(char c) { return is_name_start(c) || is_digit(c); }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

constexpr std::array<std::string_view, 8> keywords{"and", "or",   "not", "in",
                                                   "if",  "else", "for", "is"};

// Longest first.
constexpr std::array<std::string_view, 19> signs{"//", "==", "!=", "<=", ">=", "**", "<",
                                                 ">",  "+",  "-",  "*",  "%",  "(",  ")",
                                                 "[",  "]",  ",",  "/",  "="};

Token make(TokenKind kind, std::string_view text, std::size_t from, std::size_t to) {
  return {.kind = kind,
          .spelling = text.substr(from, to - from),
          .where = {static_cast<std::uint32_t>(from + 1), static_cast<std::uint32_t>(to - from)}};
}

Token read_integer(std::string_view text, std::size_t from, std::size_t& position) {
  std::size_t to = from;
  std::int64_t value = 0;
  bool overflow = false;
  for (; to < text.size() && (is_name(text[to]) || text[to] == '.'); ++to) {
    if (!is_digit(text[to])) continue;
    overflow |= __builtin_mul_overflow(value, std::int64_t{10}, &value);
    overflow |= __builtin_add_overflow(value, std::int64_t{text[to] - '0'}, &value);
  }
  position = to;
  Token token = make(TokenKind::integer, text, from, to);
  token.value = value;
  if (!std::ranges::all_of(token.spelling, is_digit)) {
    token.kind = TokenKind::bad;
    token.rule = "not a decimal integer";
  } else if (overflow) {
    token.kind = TokenKind::bad;
    token.rule = "outside the 64-bit integers";
  } else if (token.spelling.size() > 1 && token.spelling[0] == '0') {
    token.kind = TokenKind::bad;
    token.rule = "an integer does not start with 0";
  }
  return token;
}

Token read_text(std::string_view text, std::size_t from, std::size_t& position) {
  const std::size_t close = text.find(text[from], from + 1);
  if (close == std::string_view::npos) {
    position = text.size();
    Token token = make(TokenKind::bad, text, from, text.size());
    token.rule = "the closing quote is missing";
    return token;
  }
  position = close + 1;
  Token token = make(TokenKind::text, text, from, close + 1);
  token.spelling = text.substr(from + 1, close - from - 1);
  if (!std::ranges::all_of(token.spelling,
                           [](char c) { return c >= 0x20 && c < 0x7f && c != '\\' && c != '"'; })) {
    token.kind = TokenKind::bad;
    token.rule = "a text holds printable characters without quotes and backslashes";
  }
  return token;
}

}  // namespace

Token next_token(std::string_view text, std::size_t& position) {
  std::size_t from = position;
  while (from < text.size() && is_space(text[from])) ++from;
  if (from == text.size()) {
    position = from;
    return make(TokenKind::end, text, from, from);
  }
  const char first = text[from];
  if (is_digit(first)) return read_integer(text, from, position);
  if (first == '"' || first == '\'') return read_text(text, from, position);
  if (is_name_start(first)) {
    std::size_t to = from;
    while (to < text.size() && is_name(text[to])) ++to;
    position = to;
    Token token = make(TokenKind::name, text, from, to);
    if (std::ranges::find(keywords, token.spelling) != keywords.end())
      token.kind = TokenKind::keyword;
    return token;
  }
  for (const std::string_view sign : signs) {
    if (text.substr(from).starts_with(sign)) {
      position = from + sign.size();
      return make(TokenKind::sign, text, from, position);
    }
  }
  std::size_t to = from + 1;  // a character of several bytes is one character
  while (to < text.size() && (static_cast<unsigned char>(text[to]) & 0xc0) == 0x80) ++to;
  position = to;
  Token token = make(TokenKind::bad, text, from, to);
  token.rule = "unexpected character";
  return token;
}

}  // namespace convproof
