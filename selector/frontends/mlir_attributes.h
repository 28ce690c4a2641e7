#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string_view>
#include <vector>

#include "selector/frontends/mlir_lexer.h"
#include "selector/frontends/source_text.h"
#include "selector/op/error.h"

namespace convproof {

struct MlirAttribute {
  std::size_t offset = 0;
  std::string_view name{};
  std::size_t value_offset = 0;
  std::string_view value{};  // as it stands, its type included; empty for a unit attribute

  // A cursor over the value alone.
  [[nodiscard]] MlirLexer lexer(const SourceText& source) const {
    return MlirLexer(source.text().substr(0, value_offset + value.size()), value_offset);
  }
};

// `{name = value, ...}` at the cursor.
std::expected<std::vector<MlirAttribute>, Error> read_attribute_dictionary(const SourceText& source,
                                                                           MlirLexer& lexer);

// Integers, or booleans as 0 and 1, with the shape that their spelling or type gives them. A splat
// has the shape of its type and the one value as often as that asks, within a bound.
struct IntegerList {
  std::vector<std::int64_t> shape{};
  std::vector<std::int64_t> values{};
};

// `array<i64: 1, 2>`, `dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>`, `dense<1> : tensor<2xi64>`
std::expected<IntegerList, Error> read_integers(const SourceText& source,
                                                const MlirAttribute& attribute);

// `[1, 2]`, `[]`, `[false, true]` at the cursor.
std::expected<std::vector<std::int64_t>, Error> read_bracketed_integers(const SourceText& source,
                                                                        MlirLexer& lexer);

// `1 : i64`
std::expected<std::int64_t, Error> read_integer(const SourceText& source,
                                                const MlirAttribute& attribute);

}  // namespace convproof
