#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace convproof {

// A cursor over HLO text. White space and comments, `/* */` and `//`, separate words and are
// skipped before each of them. Nothing recurses: brackets are counted.
class HloLexer {
 public:
  explicit HloLexer(std::string_view text, std::size_t offset = 0) : text_(text), offset_(offset) {}

  [[nodiscard]] std::size_t offset() const { return offset_; }
  void seek(std::size_t offset) { offset_ = offset; }

  void skip_space();
  void skip_line();
  bool at_end();
  // The next character after white space, or '\0' at the end.
  char peek();
  // The next character itself, white space included.
  [[nodiscard]] char peek_raw() const { return offset_ < text_.size() ? text_[offset_] : '\0'; }
  bool consume(std::string_view expected);
  // A name or number: letters, digits, `_`, `.`, `-`, `$`, after an optional `%`, which is
  // dropped. Empty where there is none.
  std::string_view word();
  // From an opening bracket past its closing one, and what stands between them. Brackets of the
  // three kinds count alike; those inside strings and comments do not. None at the end of the text
  // when the bracket is never closed: the cursor then stays where it was.
  std::optional<std::string_view> bracketed();
  // The value of an attribute: a bracketed group, a string, or a run of words and brackets up to
  // white space or a comma. None where a bracket or string is never closed.
  std::optional<std::string_view> value();

 private:
  bool skip_string();

  std::string_view text_;
  std::size_t offset_ = 0;
};

}  // namespace convproof
