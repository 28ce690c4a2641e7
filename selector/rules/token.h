#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "selector/rules/expression.h"

namespace convproof {

enum class TokenKind : std::uint8_t { end, integer, text, name, keyword, sign, bad };

struct Token {
  TokenKind kind = TokenKind::end;
  std::string_view spelling{};  // as written; a text literal without its quotes
  std::int64_t value = 0;       // integer
  std::string_view rule{};      // bad: what is wrong
  SourceRange where{};
};

// Reads the token that starts at or after `position` and moves `position` past it.
Token next_token(std::string_view text, std::size_t& position);

}  // namespace convproof
