#include "selector/frontends/mlir_lexer.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace convproof {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word(char c) { return is_letter(c) || is_digit(c) || c == '$' || c == '.'; }

}  // namespace

void MlirLexer::skip_space() {
  while (offset_ < text_.size()) {
    const char c = text_[offset_];
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v') {
      ++offset_;
    } else if (text_.substr(offset_, 2) == "//") {
      const std::size_t end = text_.find('\n', offset_);
      offset_ = end == std::string_view::npos ? text_.size() : end;
    } else {
      return;
    }
  }
}

MlirToken MlirLexer::token(MlirToken::Kind kind, std::size_t begin, std::size_t end) {
  offset_ = end;
  return {kind, text_.substr(begin, end - begin), begin};
}

MlirToken MlirLexer::string_token(std::size_t begin) {
  std::size_t end = begin + 1;
  while (end < text_.size() && text_[end] != '"' && text_[end] != '\n')
    end += text_[end] == '\\' ? 2 : 1;
  if (end >= text_.size() || text_[end] != '"') {
    return token(MlirToken::Kind::unclosed, begin, end < text_.size() ? end : text_.size());
  }
  offset_ = end + 1;
  return {MlirToken::Kind::string, text_.substr(begin + 1, end - begin - 1), begin};
}

MlirToken MlirLexer::number_token(std::size_t begin) {
  const auto at = [&](std::size_t i) { return i < text_.size() ? text_[i] : '\0'; };
  std::size_t end = begin + (text_[begin] == '-' ? 1 : 0);
  if (at(end) == '0' && at(end + 1) == 'x' && is_hex(at(end + 2))) {
    end += 2;
    while (is_hex(at(end))) ++end;
    return token(MlirToken::Kind::number, begin, end);
  }
  while (is_digit(at(end))) ++end;
  if (at(end) == '.') {
    ++end;
    while (is_digit(at(end))) ++end;
    if (at(end) == 'e' || at(end) == 'E') {
      std::size_t exponent = end + 1;
      if (at(exponent) == '+' || at(exponent) == '-') ++exponent;
      if (is_digit(at(exponent))) {
        end = exponent;
        while (is_digit(at(end))) ++end;
      }
    }
  }
  return token(MlirToken::Kind::number, begin, end);
}

MlirToken MlirLexer::next() {
  skip_space();
  const std::size_t begin = offset_;
  if (begin >= text_.size()) return {MlirToken::Kind::end, {}, text_.size()};
  const char c = text_[begin];
  const char after = begin + 1 < text_.size() ? text_[begin + 1] : '\0';
  std::size_t end = begin + 1;
  const auto take_word = [&] {
    while (end < text_.size() && is_word(text_[end])) ++end;
  };
  if (c == '"') return string_token(begin);
  if (is_digit(c) || (c == '-' && is_digit(after))) return number_token(begin);
  if (is_letter(c)) {
    take_word();
    return token(MlirToken::Kind::word, begin, end);
  }
  if (c == '%' && is_word(after)) {
    take_word();
    if (end + 1 < text_.size() && text_[end] == '#' && is_digit(text_[end + 1])) {
      ++end;
      while (end < text_.size() && is_digit(text_[end])) ++end;
    }
    return token(MlirToken::Kind::value, begin, end);
  }
  if (c == '@' && after == '"') {
    MlirToken name = string_token(begin + 1);
    if (name.kind == MlirToken::Kind::string) name.kind = MlirToken::Kind::symbol;
    return name;
  }
  if ((c == '@' || c == '#' || c == '!') && is_word(after)) {
    take_word();
    if (c == '@') {
      offset_ = end;
      return {MlirToken::Kind::symbol, text_.substr(begin + 1, end - begin - 1), begin};
    }
    return token(c == '#' ? MlirToken::Kind::hash : MlirToken::Kind::type, begin, end);
  }
  const std::string_view two = text_.substr(begin, 2);
  if (two == "->" || two == ">=" || two == "<=" || two == "==" || two == "::") ++end;
  return token(MlirToken::Kind::mark, begin, end);
}

MlirToken MlirLexer::peek() {
  const std::size_t before = offset_;
  const MlirToken token = next();
  offset_ = before;
  return token;
}

bool MlirLexer::consume(std::string_view expected) {
  const std::size_t before = offset_;
  if (next().is(expected)) return true;
  offset_ = before;
  return false;
}

std::optional<std::int64_t> integer(const MlirToken& token) {
  if (token.kind != MlirToken::Kind::number) return std::nullopt;
  std::int64_t value = 0;
  const char* end = token.text.data() + token.text.size();
  const auto [last, status] = std::from_chars(token.text.data(), end, value);
  if (status != std::errc{} || last != end) return std::nullopt;
  return value;
}

}  // namespace convproof
