#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string_view>
#include <vector>

#include "selector/frontends/mlir_lexer.h"
#include "selector/frontends/source_text.h"
#include "selector/op/element_type.h"
#include "selector/op/error.h"
#include "selector/op/perm.h"

namespace convproof {

// A tensor type as it stands, `tensor<2x?x9xbf16>`; what is wrong with it for a convolution is
// said only where it is used as an operand or result.
struct MlirTensorType {
  std::size_t offset = 0;
  std::string_view text{};              // the whole type
  std::vector<std::int64_t> extents{};  // -1 where dynamic
  bool ranked = true;
  std::string_view element_type{};  // as spelled: `f32`, `si8`, `complex<f32>`
};

// A static tensor of a known element type and at most `max_rank` dimensions.
struct StaticTensor {
  ElementType element_type = ElementType::f32;
  Shape shape{};
};

// Reads `tensor<...>` at the cursor; the encoding after a comma is skipped.
std::expected<MlirTensorType, Error> read_tensor_type(const SourceText& source, MlirLexer& lexer);

std::expected<StaticTensor, Error> require_static(const SourceText& source,
                                                  const MlirTensorType& type);

}  // namespace convproof
