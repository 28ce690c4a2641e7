#include "selector/frontends/hlo_shape.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "selector/frontends/op_rules.h"

namespace convproof {
namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view space = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(space);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(space) - begin + 1);
}

}  // namespace

std::optional<std::vector<std::int64_t>> integers(std::string_view text, char separator) {
  std::vector<std::int64_t> result;
  if (trimmed(text).empty()) return result;
  while (true) {
    const std::size_t end = text.find(separator);
    const std::string_view part = trimmed(text.substr(0, end));
    std::int64_t value = 0;
    const auto [last, status] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (status != std::errc{} || last != part.data() + part.size()) return std::nullopt;
    result.push_back(value);
    if (end == std::string_view::npos) return result;
    text.remove_prefix(end + 1);
  }
}

std::optional<HloShape> read_hlo_shape(HloLexer& lexer) {
  HloShape shape;
  if (lexer.peek() == '(') {
    shape.offset = lexer.offset();
    if (!lexer.bracketed()) return std::nullopt;
    return shape;
  }
  shape.offset = lexer.offset();
  shape.element_type = lexer.word();
  if (shape.element_type.empty() || lexer.peek_raw() != '[') return std::nullopt;
  const auto extents = lexer.bracketed();
  if (!extents) return std::nullopt;
  shape.extents = *extents;
  if (lexer.peek_raw() == '{') {
    shape.layout = lexer.bracketed();
    if (!shape.layout) return std::nullopt;
  }
  return shape;
}

std::expected<HloArray, Error> interpret(const SourceText& source, const HloShape& shape) {
  if (shape.is_tuple())
    return std::unexpected(source.error(shape.offset, "a tuple", "must be an array"));
  HloArray array;
  const auto type = element_type_named(shape.element_type);
  if (!type) {
    return std::unexpected(
        source.error(shape.offset, excerpt(shape.element_type),
                     fmt::format("is not a known element type ({})", known_element_types())));
  }
  array.element_type = *type;
  const std::string shown = excerpt(fmt::format("{}[{}]", shape.element_type, shape.extents));
  const auto extents = integers(shape.extents, ',');
  if (!extents) {
    const bool dynamic = shape.extents.find_first_of("<?") != std::string_view::npos;
    return std::unexpected(source.error(
        shape.offset, shown,
        dynamic ? "extents must be static" : "extents must be integers separated by commas"));
  }
  if (extents->size() > max_rank) {
    return std::unexpected(
        source.error(shape.offset, shown,
                     fmt::format("must have at most {} dimensions, {} of them spatial", max_rank,
                                 max_spatial_dims)));
  }
  array.extents = Shape(*extents);
  array.storage = identity_perm(extents->size());
  if (!shape.layout) return array;
  const auto minor_to_major = integers(shape.layout->substr(0, shape.layout->find(':')), ',');
  // `{:T(256)}` tiles without an order, which then is row-major.
  if (minor_to_major && minor_to_major->empty()) return array;
  if (!minor_to_major || minor_to_major->size() != extents->size() ||
      !is_permutation(*minor_to_major)) {
    return std::unexpected(source.error(
        shape.offset, excerpt(fmt::format("{}{{{}}}", shown, *shape.layout)),
        fmt::format("layout must be a permutation of the {} dimensions", extents->size())));
  }
  for (std::size_t place = 0; place < extents->size(); ++place)
    array.storage[place] = (*minor_to_major)[extents->size() - 1 - place];
  return array;
}

}  // namespace convproof
