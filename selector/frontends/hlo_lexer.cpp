#include "selector/frontends/hlo_lexer.h"

#include <cstddef>
#include <optional>
#include <string_view>

namespace convproof {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}
bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '.' || c == '-' || c == '$';
}
bool is_opening(char c) { return c == '(' || c == '[' || c == '{'; }
bool is_closing(char c) { return c == ')' || c == ']' || c == '}'; }

}  // namespace

void HloLexer::skip_space() {
  while (offset_ < text_.size()) {
    if (is_space(text_[offset_])) {
      ++offset_;
    } else if (text_.substr(offset_, 2) == "//") {
      skip_line();
    } else if (text_.substr(offset_, 2) == "/*") {
      const std::size_t end = text_.find("*/", offset_ + 2);
      offset_ = end == std::string_view::npos ? text_.size() : end + 2;
    } else {
      return;
    }
  }
}

void HloLexer::skip_line() {
  const std::size_t end = text_.find('\n', offset_);
  offset_ = end == std::string_view::npos ? text_.size() : end + 1;
}

bool HloLexer::at_end() {
  skip_space();
  return offset_ >= text_.size();
}

char HloLexer::peek() {
  skip_space();
  return peek_raw();
}

bool HloLexer::consume(std::string_view expected) {
  skip_space();
  if (text_.substr(offset_, expected.size()) != expected) return false;
  offset_ += expected.size();
  return true;
}

std::string_view HloLexer::word() {
  skip_space();
  std::size_t begin = offset_;
  if (begin < text_.size() && text_[begin] == '%') ++begin;
  std::size_t end = begin;
  while (end < text_.size() && is_word(text_[end])) {
    if (text_.substr(end, 2) == "->") break;
    ++end;
  }
  if (end == begin) return {};
  offset_ = end;
  return text_.substr(begin, end - begin);
}

bool HloLexer::skip_string() {
  std::size_t end = offset_ + 1;
  while (end < text_.size() && text_[end] != '"') end += text_[end] == '\\' ? 2 : 1;
  if (end >= text_.size()) return false;
  offset_ = end + 1;
  return true;
}

std::optional<std::string_view> HloLexer::bracketed() {
  const std::size_t begin = offset_;
  std::size_t depth = 0;
  while (offset_ < text_.size()) {
    const char c = text_[offset_];
    if (c == '"') {
      if (!skip_string()) break;
      continue;
    }
    if (c == '/') {
      const std::size_t before = offset_;
      skip_space();
      if (offset_ == before) ++offset_;
      continue;
    }
    ++offset_;
    if (is_opening(c)) ++depth;
    if (is_closing(c) && --depth == 0) return text_.substr(begin + 1, offset_ - begin - 2);
  }
  offset_ = begin;
  return std::nullopt;
}

std::optional<std::string_view> HloLexer::value() {
  skip_space();
  const std::size_t begin = offset_;
  while (offset_ < text_.size()) {
    const char c = text_[offset_];
    if (is_opening(c)) {
      if (!bracketed()) return std::nullopt;
    } else if (c == '"') {
      if (!skip_string()) return std::nullopt;
    } else if (is_space(c) || c == ',' || is_closing(c) || text_.substr(offset_, 2) == "/*") {
      break;
    } else {
      ++offset_;
    }
  }
  return text_.substr(begin, offset_ - begin);
}

}  // namespace convproof
