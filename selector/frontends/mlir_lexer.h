#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace convproof {

struct MlirToken {
  enum class Kind : unsigned char {
    end,
    value,     // `%0`, `%0#1`, `%arg0`
    symbol,    // `@main`
    hash,      // `#stablehlo.conv`
    type,      // `!quant.uniform`
    word,      // `stablehlo.convolution`, `dense`, `x3xf32`
    number,    // `-1`, `1.5e+00`, `0x7FC0`
    string,    // the text between the quotes, escapes as they stand
    unclosed,  // a string without an end on its line
    mark       // `->`, `>=`, `<=`, `==`, `::` or one character
  };
  Kind kind = Kind::end;
  std::string_view text{};
  std::size_t offset = 0;

  [[nodiscard]] bool is(std::string_view expected) const {
    return (kind == Kind::mark || kind == Kind::word) && text == expected;
  }
};

// A cursor over MLIR text that gives one token at a time; comments and white space are skipped.
class MlirLexer {
 public:
  explicit MlirLexer(std::string_view text, std::size_t offset = 0)
      : text_(text), offset_(offset) {}

  [[nodiscard]] std::string_view text() const { return text_; }
  [[nodiscard]] std::size_t offset() const { return offset_; }
  void seek(std::size_t offset) { offset_ = offset; }

  MlirToken next();
  MlirToken peek();
  // Takes the next token where it is this mark or word.
  bool consume(std::string_view expected);

  void skip_space();
  [[nodiscard]] char peek_raw() const { return offset_ < text_.size() ? text_[offset_] : '\0'; }

 private:
  MlirToken token(MlirToken::Kind kind, std::size_t begin, std::size_t end);
  MlirToken string_token(std::size_t begin);
  MlirToken number_token(std::size_t begin);

  std::string_view text_;
  std::size_t offset_ = 0;
};

std::optional<std::int64_t> integer(const MlirToken& token);

}  // namespace convproof
