#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "selector/frontends/mlir_lexer.h"
#include "selector/frontends/source_text.h"
#include "selector/op/aten_call.h"
#include "selector/op/conv_op.h"
#include "selector/op/error.h"

namespace convproof {

// A convolution of torch-mlir's torch dialect.
struct TorchConvolution {
  std::expected<ConvOp, Error> op{};
  std::optional<AtenCall> aten{};  // where the operation could be read and padding is symmetric
  std::string note{};
  std::string_view image{};  // the names of the ConvOp's operands
  std::string_view kernel{};
};

// The constants of one function of the torch dialect, and the convolutions that take them.
//
// Read are aten.convolution and its older form _convolution, conv1d to conv3d and their `padding`
// variants, conv_transpose1d to conv_transpose3d, and convolution_backward, whose ConvOp is the
// first gradient that the mask asks for. Lists, flags and groups must be constants of the same
// function, tensor types static. Output padding of a convolution that is not transposed means
// nothing there, so that zeros of any number are taken for none.
class TorchFunction {
 public:
  // The convolution at the cursor, if that is the name of one: `word` ends at the cursor and stands
  // at `offset`; the generic form has its operands in parentheses.
  std::optional<TorchConvolution> read_convolution(const SourceText& source, MlirLexer& lexer,
                                                   std::string_view word, std::size_t offset,
                                                   bool generic) const;

  // Defines `result` where `word` is `torch.constant.*` or `torch.prim.ListConstruct`; anything
  // else leaves the cursor.
  void read_constant(MlirLexer& lexer, std::string_view word, std::string_view result);

 private:
  struct None {};
  struct Names {
    std::vector<std::string_view> values{};
  };
  using Value = std::variant<None, std::int64_t, bool, std::string_view, Names>;
  struct Operation;
  struct Reading;

  std::unordered_map<std::string_view, Value> values_;
};

}  // namespace convproof
