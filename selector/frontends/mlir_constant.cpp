#include "selector/frontends/mlir_constant.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

#include <fmt/format.h>

#include "selector/frontends/element_bits.h"
#include "selector/op/element_type.h"
#include "selector/op/tensor.h"

namespace convproof {
namespace {

constexpr double integer_bound = 9007199254740992.0;  // 2^53: below it, double is exact

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

template <class Number>
std::optional<Number> number(std::string_view text, int base_or_zero) {
  Number value{};
  const char* end = text.data() + text.size();
  std::from_chars_result result{};
  if constexpr (std::is_floating_point_v<Number>) {
    result = std::from_chars(text.data(), end, value);
  } else {
    result = std::from_chars(text.data(), end, value, base_or_zero);
  }
  if (result.ec != std::errc{} || result.ptr != end) return std::nullopt;
  return value;
}

// One element as spelled in a list; none where it does not fit the type.
std::optional<double> decimal_element(ElementType type, const MlirToken& token) {
  if (token.kind != MlirToken::Kind::number) return std::nullopt;
  const std::string_view text = token.text;
  const ElementTypeInfo& element = info(type);
  if (text.starts_with("0x")) {
    const auto bits = number<std::uint64_t>(text.substr(2), 16);
    if (!bits || (element.bytes < 8 && *bits >> (8 * element.bytes) != 0)) return std::nullopt;
    return decode_element(type, *bits);
  }
  if (element.integer) {
    const auto value = number<std::int64_t>(text, 10);
    if (!value) return std::nullopt;
    const bool is_unsigned = type == ElementType::u8;
    const int value_bits = 8 * element.bytes - (is_unsigned ? 0 : 1);
    if (value_bits < 63) {
      const std::int64_t bound = std::int64_t{1} << value_bits;
      if (*value >= bound || *value < (is_unsigned ? 0 : -bound)) return std::nullopt;
    }
    return static_cast<double>(*value);
  }
  // Straight to f32 where it is one: rounding twice could be off by one unit.
  if (type == ElementType::f32) {
    if (const auto value = number<float>(text, 0)) return static_cast<double>(*value);
  }
  const auto value = number<double>(text, 0);
  if (!value) return std::nullopt;
  return round_to_element(type, *value);
}

std::expected<void, Error> read_hex(const SourceText& source, const MlirConstant& constant,
                                    const StaticTensor& tensor, std::string_view digits,
                                    std::size_t count, Values& values) {
  const auto bytes = static_cast<std::size_t>(info(tensor.element_type).bytes);
  const std::size_t per_element = 2 * bytes;
  if (!digits.starts_with("0x") || (digits.size() - 2 != count * per_element &&
                                    (digits.size() - 2 != per_element || count == 0))) {
    return std::unexpected(
        source.error(constant.literal_offset, excerpt(digits),
                     fmt::format("must be 0x and {} digits for {}", count * per_element,
                                 excerpt(constant.type.text))));
  }
  digits.remove_prefix(2);
  const std::size_t present = digits.size() / per_element;
  for (std::size_t element = 0; element < present; ++element) {
    std::uint64_t bits = 0;
    for (std::size_t byte = 0; byte < bytes; ++byte) {
      const std::size_t at = element * per_element + 2 * byte;
      const int high = hex_digit(digits[at]);
      const int low = hex_digit(digits[at + 1]);
      if (high < 0 || low < 0) {
        return std::unexpected(source.error(constant.literal_offset + 3 + at,
                                            excerpt(digits.substr(at, 2)),
                                            "must be hexadecimal digits"));
      }
      bits |= static_cast<std::uint64_t>(high * 16 + low) << (8 * byte);
    }
    values.elements.push_back(decode_element(tensor.element_type, bits));
  }
  return {};
}

// Nested lists, read without recursion: `filled[d]` counts the entries of the open list at depth d.
std::expected<void, Error> read_lists(const SourceText& source, const StaticTensor& tensor,
                                      MlirLexer& lexer, Values& values) {
  std::array<std::int64_t, max_rank + 1> filled{};
  std::size_t depth = 0;
  const std::size_t rank = tensor.shape.size();
  bool separated = true;  // an entry may begin here
  while (true) {
    const MlirToken token = lexer.next();
    const auto refuse = [&](std::string rule) {
      return std::unexpected(source.error(token.offset, excerpt(token.text), std::move(rule)));
    };
    if (token.kind == MlirToken::Kind::end)
      return depth == 0 ? std::expected<void, Error>{} : refuse("list is never closed");
    if (token.is(",")) {
      if (separated || depth == 0) return refuse("must not stand here in a list");
      separated = true;
    } else if (token.is("]")) {
      if (depth == 0) return refuse("has no opening");
      if (separated && filled[depth] > 0) return refuse("must not follow a comma");
      if (filled[depth] != tensor.shape[depth - 1]) {
        return refuse(fmt::format("closes a list of {} entries where the type has {}",
                                  filled[depth], tensor.shape[depth - 1]));
      }
      --depth;
      separated = false;
    } else {
      if (!separated) return refuse("must follow a comma");
      if (depth > 0 && filled[depth] == tensor.shape[depth - 1])
        return refuse(fmt::format("is beyond the {} entries of the type", filled[depth]));
      ++filled[depth];
      if (token.is("[")) {
        if (depth == rank) return refuse(fmt::format("nests deeper than the {} dimensions", rank));
        filled[++depth] = 0;
        continue;
      }
      if (depth != rank && depth != 0)
        return refuse(fmt::format("stands at depth {} of {} dimensions", depth, rank));
      const auto element = token.is("true") || token.is("false")
                               ? std::nullopt
                               : decimal_element(tensor.element_type, token);
      if (!element)
        return refuse(fmt::format("must be an element of {}", name_of(tensor.element_type)));
      values.elements.push_back(*element);
      separated = false;
    }
  }
}

}  // namespace

std::optional<MlirConstant> read_dense_constant(const SourceText& source, MlirLexer& lexer) {
  if (!lexer.consume("dense") || !lexer.consume("<")) return std::nullopt;
  MlirConstant constant;
  lexer.skip_space();
  constant.literal_offset = lexer.offset();
  while (true) {
    const MlirToken token = lexer.next();
    if (token.kind == MlirToken::Kind::end || token.kind == MlirToken::Kind::unclosed ||
        token.is("<") || token.is("{")) {
      return std::nullopt;
    }
    if (!token.is(">")) continue;
    constant.literal =
        lexer.text().substr(constant.literal_offset, token.offset - constant.literal_offset);
    break;
  }
  if (!lexer.consume(":")) return std::nullopt;
  auto type = read_tensor_type(source, lexer);
  if (!type) return std::nullopt;
  constant.type = std::move(*type);
  return constant;
}

std::expected<Values, Error> read_elements(const SourceText& source, const MlirConstant& constant) {
  const auto tensor = require_static(source, constant.type);
  if (!tensor) return std::unexpected(tensor.error());
  std::int64_t count = 1;
  for (const std::int64_t extent : tensor->shape) {
    if (__builtin_mul_overflow(count, extent, &count) || count > max_constant_elements) {
      return std::unexpected(
          source.error(constant.type.offset, excerpt(constant.type.text),
                       fmt::format("must hold at most {} elements", max_constant_elements)));
    }
  }
  Values values{.shape = tensor->shape};
  MlirLexer lexer(source.text().substr(0, constant.literal_offset + constant.literal.size()),
                  constant.literal_offset);
  const auto wanted = static_cast<std::size_t>(count);
  const MlirToken first = lexer.peek();
  auto read = first.kind == MlirToken::Kind::string
                  ? read_hex(source, constant, *tensor, first.text, wanted, values)
                  : read_lists(source, *tensor, lexer, values);
  if (!read) return std::unexpected(read.error());
  const bool splat = values.elements.size() == 1 && !first.is("[");
  if (splat) values.elements.assign(wanted, values.elements.front());
  if (values.elements.size() != wanted) {
    return std::unexpected(
        source.error(constant.literal_offset, fmt::format("{} elements", values.elements.size()),
                     fmt::format("must be {} for {}", wanted, excerpt(constant.type.text))));
  }
  if (info(tensor->element_type).integer) {
    for (const double element : values.elements) {
      if (std::fabs(element) < integer_bound) continue;
      return std::unexpected(source.error(constant.literal_offset, excerpt(constant.type.text),
                                          "must hold integers below 2^53"));
    }
  }
  return values;
}

}  // namespace convproof
