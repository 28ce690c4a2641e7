#include "selector/frontends/mlir_attributes.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "selector/frontends/mlir_type.h"

namespace convproof {
namespace {

// Attributes of a convolution are short; a long list is a mistake that would only cost memory.
constexpr std::size_t max_integers = 64;

std::unexpected<Error> refused(const SourceText& source, const MlirToken& token, std::string rule) {
  return std::unexpected(source.error(token.offset, excerpt(token.text), std::move(rule)));
}

// Past one attribute's value: up to a comma or closing brace outside all brackets.
void skip_value(MlirLexer& lexer) {
  std::size_t depth = 0;
  while (true) {
    const std::size_t before = lexer.offset();
    const MlirToken token = lexer.next();
    if (token.kind == MlirToken::Kind::end || token.kind == MlirToken::Kind::unclosed ||
        (depth == 0 && (token.is(",") || token.is("}")))) {
      lexer.seek(before);
      return;
    }
    if (token.is("(") || token.is("[") || token.is("{") || token.is("<")) ++depth;
    if (depth > 0 && (token.is(")") || token.is("]") || token.is("}") || token.is(">"))) --depth;
  }
}

std::optional<std::int64_t> integer_or_bool(const MlirToken& token) {
  if (token.is("true")) return 1;
  if (token.is("false")) return 0;
  return integer(token);
}

// The inside of `dense<...>` or `array<...>`, nested lists flattened. `nested` says whether there
// were brackets, which a splat lacks.
std::expected<std::vector<std::int64_t>, Error> read_dense_integers(const SourceText& source,
                                                                    MlirLexer& lexer,
                                                                    bool& nested) {
  std::vector<std::int64_t> values;
  while (true) {
    const MlirToken token = lexer.next();
    if (token.is(">")) return values;
    if (token.is("[")) nested = true;
    if (token.is("[") || token.is("]") || token.is(",")) continue;
    const auto value = integer_or_bool(token);
    if (!value) return refused(source, token, "must be an integer");
    if (values.size() == max_integers)
      return refused(source, token, fmt::format("must be one of at most {}", max_integers));
    values.push_back(*value);
  }
}

std::expected<IntegerList, Error> read_dense(const SourceText& source,
                                             const MlirAttribute& attribute, MlirLexer& lexer) {
  bool nested = false;
  auto values = read_dense_integers(source, lexer, nested);
  if (!values) return std::unexpected(values.error());
  if (!lexer.consume(":"))
    return std::unexpected(source.error(attribute.offset, std::string(attribute.name),
                                        "must state the type of its constant"));
  auto type = read_tensor_type(source, lexer);
  if (!type) return std::unexpected(type.error());
  std::size_t count = 1;
  for (const std::int64_t extent : type->extents) {
    if (extent < 0 || static_cast<std::size_t>(extent) > max_integers ||
        count * static_cast<std::size_t>(extent) > max_integers) {
      return std::unexpected(
          source.error(type->offset, excerpt(type->text),
                       fmt::format("must hold at most {} integers", max_integers)));
    }
    count *= static_cast<std::size_t>(extent);
  }
  if (!nested && values->size() == 1) values->assign(count, values->front());
  if (values->size() != count) {
    return std::unexpected(
        source.error(type->offset, excerpt(type->text),
                     fmt::format("must have {} elements, as its constant has", values->size())));
  }
  return IntegerList{type->extents, std::move(*values)};
}

}  // namespace

std::expected<std::vector<MlirAttribute>, Error> read_attribute_dictionary(const SourceText& source,
                                                                           MlirLexer& lexer) {
  std::vector<MlirAttribute> attributes;
  const MlirToken opening = lexer.next();
  if (!opening.is("{")) return refused(source, opening, "must be '{'");
  if (lexer.consume("}")) return attributes;
  while (true) {
    const MlirToken name = lexer.next();
    if (name.kind != MlirToken::Kind::word && name.kind != MlirToken::Kind::string)
      return refused(source, name, "must be an attribute's name");
    MlirAttribute attribute{.offset = name.offset, .name = name.text};
    if (lexer.consume("=")) {
      lexer.skip_space();
      attribute.value_offset = lexer.offset();
      skip_value(lexer);
      attribute.value =
          lexer.text().substr(attribute.value_offset, lexer.offset() - attribute.value_offset);
    }
    attributes.push_back(attribute);
    const MlirToken separator = lexer.next();
    if (separator.is("}")) return attributes;
    if (!separator.is(",")) {
      if (separator.kind == MlirToken::Kind::end)
        return std::unexpected(source.error(opening.offset, "{", "is never closed"));
      return refused(source, separator, "must be ',' or '}' after an attribute");
    }
  }
}

std::expected<IntegerList, Error> read_integers(const SourceText& source,
                                                const MlirAttribute& attribute) {
  MlirLexer lexer = attribute.lexer(source);
  const MlirToken head = lexer.next();
  const bool dense = head.is("dense");
  if ((!dense && !head.is("array")) || !lexer.consume("<")) {
    return std::unexpected(source.error(attribute.value_offset, excerpt(attribute.value),
                                        "must be array<i64: ...> or dense<...>"));
  }
  if (dense) return read_dense(source, attribute, lexer);
  const MlirToken type = lexer.next();
  if (type.kind != MlirToken::Kind::word) return refused(source, type, "must be an element type");
  IntegerList list;
  if (!lexer.consume(">")) {
    if (!lexer.consume(":")) return refused(source, lexer.next(), "must be ':'");
    bool nested = false;
    auto values = read_dense_integers(source, lexer, nested);
    if (!values) return std::unexpected(values.error());
    list.values = std::move(*values);
  }
  list.shape = {static_cast<std::int64_t>(list.values.size())};
  return list;
}

std::expected<std::vector<std::int64_t>, Error> read_bracketed_integers(const SourceText& source,
                                                                        MlirLexer& lexer) {
  std::vector<std::int64_t> values;
  const MlirToken opening = lexer.next();
  if (!opening.is("[")) return refused(source, opening, "must be '['");
  if (lexer.consume("]")) return values;
  while (true) {
    const MlirToken token = lexer.next();
    const auto value = integer_or_bool(token);
    if (!value) return refused(source, token, "must be an integer");
    if (values.size() == max_integers)
      return refused(source, token, fmt::format("must be one of at most {}", max_integers));
    values.push_back(*value);
    const MlirToken separator = lexer.next();
    if (separator.is("]")) return values;
    if (!separator.is(",")) return refused(source, separator, "must be ',' or ']'");
  }
}

std::expected<std::int64_t, Error> read_integer(const SourceText& source,
                                                const MlirAttribute& attribute) {
  MlirLexer lexer = attribute.lexer(source);
  const auto value = integer(lexer.next());
  if (value) return *value;
  return std::unexpected(
      source.error(attribute.value_offset, excerpt(attribute.value), "must be an integer"));
}

}  // namespace convproof
