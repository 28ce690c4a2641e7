#pragma once

#include <cstddef>
#include <expected>
#include <string_view>

#include "selector/frontends/mlir_lexer.h"
#include "selector/frontends/source_text.h"
#include "selector/op/conv_op.h"
#include "selector/op/error.h"

namespace convproof {

struct StablehloConvolution {
  ConvOp op{};
  std::string_view image{};  // the operands' names, `%0#1`
  std::string_view kernel{};
};

// The convolution whose name, `stablehlo.convolution` or the same in quotes, ends at the cursor and
// stands at `offset`. The quoted, generic form has all of it in one dictionary, the other has
// `dim_numbers` and `window` between the operands and the dictionary.
//
// Errors  the first thing that does not parse, or the first rule of the StableHLO verifier that the
//         operation breaks, at the place of the part to blame.
std::expected<StablehloConvolution, Error> read_stablehlo_convolution(const SourceText& source,
                                                                      MlirLexer& lexer,
                                                                      std::size_t offset,
                                                                      bool generic);

}  // namespace convproof
