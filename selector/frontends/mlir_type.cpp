#include "selector/frontends/mlir_type.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "selector/frontends/op_rules.h"

namespace convproof {
namespace {

// Signless integers are signed in StableHLO.
std::optional<ElementType> element_type_of(std::string_view name) {
  if (name == "f8E4M3FN") return ElementType::f8e4m3fn;
  if (name == "f8E5M2") return ElementType::f8e5m2;
  if (name == "ui8") return ElementType::u8;
  if (name.starts_with('f') || name == "bf16")
    return name.starts_with("f8") ? std::nullopt : element_type_named(name);
  if (name.starts_with("si")) name.remove_prefix(1);
  if (!name.starts_with('i')) return std::nullopt;
  return element_type_named(fmt::format("s{}", name.substr(1)));
}

// The element type's text: up to a comma or the closing bracket of the tensor.
std::string_view read_element_type(MlirLexer& lexer) {
  lexer.skip_space();
  const std::size_t begin = lexer.offset();
  std::size_t depth = 0;
  std::size_t end = begin;
  while (true) {
    const MlirToken token = lexer.peek();
    if (token.kind == MlirToken::Kind::end || token.kind == MlirToken::Kind::unclosed) break;
    if (depth == 0 && (token.is(",") || token.is(">"))) break;
    if (token.is("<")) ++depth;
    if (token.is(">")) --depth;
    lexer.next();
    end = lexer.offset();
  }
  return lexer.text().substr(begin, end - begin);
}

}  // namespace

std::expected<MlirTensorType, Error> read_tensor_type(const SourceText& source, MlirLexer& lexer) {
  const MlirToken head = lexer.next();
  MlirTensorType type{.offset = head.offset};
  if (!head.is("tensor") || !lexer.consume("<"))
    return std::unexpected(source.error(head.offset, excerpt(head.text), "must be a tensor type"));
  lexer.skip_space();
  // Extents run together with their `x`, as in `3x4xf32`, so they are read by the character.
  const std::string_view text = lexer.text();
  const auto at = [&](std::size_t i) { return i < text.size() ? text[i] : '\0'; };
  std::size_t offset = lexer.offset();
  while (true) {
    if (at(offset) == '*' || at(offset) == '?') {
      if (at(offset) == '*') type.ranked = false;
      type.extents.push_back(-1);
      ++offset;
    } else if (at(offset) >= '0' && at(offset) <= '9') {
      std::int64_t extent = 0;
      const char* const end = text.data() + text.size();
      const auto [last, status] = std::from_chars(text.data() + offset, end, extent);
      if (status != std::errc{}) {
        return std::unexpected(
            source.error(offset, excerpt(text.substr(offset, 24)), "extent must fit 64 bits"));
      }
      type.extents.push_back(extent);
      offset = static_cast<std::size_t>(last - text.data());
    } else {
      break;
    }
    while (at(offset) == ' ') ++offset;
    if (at(offset) != 'x') {
      return std::unexpected(source.error(offset, excerpt(text.substr(offset, 1)),
                                          "must be 'x' between extents and element type"));
    }
    ++offset;
    while (at(offset) == ' ') ++offset;
  }
  lexer.seek(offset);
  type.element_type = read_element_type(lexer);
  if (lexer.consume(",")) {
    while (!lexer.peek().is(">") && lexer.peek().kind != MlirToken::Kind::end) {
      if (lexer.next().is("<")) {
        read_element_type(lexer);
        while (lexer.consume(",")) read_element_type(lexer);
        lexer.consume(">");
      }
    }
  }
  if (!lexer.consume(">")) {
    return std::unexpected(
        source.error(head.offset, excerpt(text.substr(head.offset, lexer.offset() - head.offset)),
                     "is a type that is never closed"));
  }
  type.text = text.substr(head.offset, lexer.offset() - head.offset);
  return type;
}

std::expected<StaticTensor, Error> require_static(const SourceText& source,
                                                  const MlirTensorType& type) {
  const auto refuse = [&](std::string rule) {
    return std::unexpected(source.error(type.offset, excerpt(type.text), std::move(rule)));
  };
  if (!type.ranked) return refuse("must be ranked");
  StaticTensor tensor;
  const auto element_type = element_type_of(type.element_type);
  if (!element_type)
    return refuse(fmt::format("is not of a known element type ({})", known_element_types()));
  tensor.element_type = *element_type;
  for (const std::int64_t extent : type.extents) {
    if (extent < 0) return refuse("extents must be static");
  }
  if (type.extents.size() > max_rank)
    return refuse(fmt::format("must have at most {} dimensions, {} of them spatial", max_rank,
                              max_spatial_dims));
  tensor.shape = Shape(type.extents);
  return tensor;
}

}  // namespace convproof
