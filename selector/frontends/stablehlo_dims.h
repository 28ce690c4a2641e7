#pragma once

#include <expected>

#include "selector/frontends/mlir_lexer.h"
#include "selector/frontends/source_text.h"
#include "selector/op/dim_labels.h"
#include "selector/op/error.h"

namespace convproof {

// `[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]` at the cursor.
std::expected<DimNumbers, Error> read_dim_groups(const SourceText& source, MlirLexer& lexer);

// `#stablehlo.conv<...>` at the cursor, or `#mhlo.conv<...>`: either groups as above, or `raw` and
// the nine numbers by name. Groups of different ranks are an error here; whether they fit the
// operands is the caller's to check.
std::expected<DimNumbers, Error> read_conv_attribute(const SourceText& source, MlirLexer& lexer);

}  // namespace convproof
