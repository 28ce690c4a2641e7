#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string_view>

#include "selector/frontends/document.h"
#include "selector/frontends/mlir_lexer.h"
#include "selector/frontends/mlir_type.h"
#include "selector/frontends/source_text.h"
#include "selector/op/error.h"

namespace convproof {

// A dense constant as it stands; its elements are read only when a golden value needs them.
struct MlirConstant {
  std::size_t literal_offset = 0;
  std::string_view literal{};  // between the angle brackets of `dense<...>`
  MlirTensorType type{};
};

// `dense<...> : tensor<...>` at the cursor; none, and the cursor anywhere, for any other attribute.
std::optional<MlirConstant> read_dense_constant(const SourceText& source, MlirLexer& lexer);

inline constexpr std::int64_t max_constant_elements = std::int64_t{1} << 26;

// The elements: nested decimal lists whose nesting is the shape, one splat element, or a hex string
// of little-endian elements, which is a splat where it holds one element only. Decimal numbers are
// rounded to the element type.
//
// Errors  more than `max_constant_elements`, counted from the type before anything is allocated;
//         lists, string length or numbers that do not fit the type; integers of 2^53 or more.
std::expected<Values, Error> read_elements(const SourceText& source, const MlirConstant& constant);

}  // namespace convproof
