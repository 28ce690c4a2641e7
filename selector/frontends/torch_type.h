#pragma once

#include <expected>
#include <vector>

#include "selector/frontends/mlir_lexer.h"
#include "selector/frontends/mlir_type.h"
#include "selector/frontends/source_text.h"
#include "selector/op/error.h"

namespace convproof {

// A type of the torch dialect at the cursor. `!torch.vtensor<[2,?],f32>` and `!torch.tensor<..>`
// have extents and element type as a `tensor` has; any other type is unranked, its text alone kept.
std::expected<MlirTensorType, Error> read_torch_type(const SourceText& source, MlirLexer& lexer);

// `T, T, T`, each in this form.
std::expected<std::vector<MlirTensorType>, Error> read_torch_types(const SourceText& source,
                                                                   MlirLexer& lexer);

}  // namespace convproof
