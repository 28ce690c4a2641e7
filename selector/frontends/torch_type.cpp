#include "selector/frontends/torch_type.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string_view>
#include <utility>
#include <vector>

namespace convproof {
namespace {

using Kind = MlirToken::Kind;

// `[2,?,9],` between the brackets of a tensor type; false where it is something else.
bool read_extents(MlirLexer& lexer, MlirTensorType& type) {
  if (!lexer.consume("[")) return false;
  while (!lexer.consume("]")) {
    if (!type.extents.empty() && !lexer.consume(",")) return false;
    const MlirToken extent = lexer.next();
    if (extent.is("?")) {
      type.extents.push_back(-1);
      continue;
    }
    const auto number = integer(extent);
    if (!number || *number < 0) return false;
    type.extents.push_back(*number);
  }
  return lexer.consume(",");
}

// Past the bracket that closes the one before the cursor.
bool skip_brackets(MlirLexer& lexer) {
  for (std::size_t depth = 1; depth > 0;) {
    const MlirToken token = lexer.next();
    if (token.kind == Kind::end || token.kind == Kind::unclosed) return false;
    if (token.is("<")) ++depth;
    if (token.is(">")) --depth;
  }
  return true;
}

}  // namespace

std::expected<MlirTensorType, Error> read_torch_type(const SourceText& source, MlirLexer& lexer) {
  const MlirToken head = lexer.next();
  MlirTensorType type{.offset = head.offset, .ranked = false};
  const auto refuse = [&](std::string_view text) {
    return std::unexpected(
        source.error(head.offset, excerpt(text), "must be a type of the torch dialect"));
  };
  if (head.kind != Kind::type) return refuse(head.text);
  const auto text = [&] { return lexer.text().substr(head.offset, lexer.offset() - head.offset); };
  if (lexer.consume("<")) {
    const std::size_t inside = lexer.offset();
    if ((head.text == "!torch.vtensor" || head.text == "!torch.tensor") && lexer.peek().is("[")) {
      if (!read_extents(lexer, type)) return refuse(text());
      const MlirToken element = lexer.next();
      type.ranked = true;
      type.element_type = element.text;
    } else {
      lexer.seek(inside);
    }
    if (!skip_brackets(lexer)) return refuse(text());
  }
  type.text = text();
  return type;
}

std::expected<std::vector<MlirTensorType>, Error> read_torch_types(const SourceText& source,
                                                                   MlirLexer& lexer) {
  std::vector<MlirTensorType> types;
  do {
    auto type = read_torch_type(source, lexer);
    if (!type) return std::unexpected(std::move(type.error()));
    types.push_back(std::move(*type));
  } while (lexer.consume(","));
  return types;
}

}  // namespace convproof
