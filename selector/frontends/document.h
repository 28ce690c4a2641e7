#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "selector/op/aten_call.h"
#include "selector/op/conv_op.h"
#include "selector/op/error.h"

namespace convproof {

// Where something stands in an input file; lines and columns count from 1, 0 where unknown.
struct SourcePlace {
  std::string file{};
  int line = 0;
  int column = 0;

  bool operator==(const SourcePlace&) const = default;
};

// `file:line:column`
std::string to_string(const SourcePlace& place);

// A tensor's values widened to double, in the storage order of the ConvOp they belong to.
// Integers up to 2^53 and all float types up to f64 are exact.
struct Values {
  Shape shape{};
  std::vector<double> elements{};
};

// Operands and the expected result of one convolution, where a file carries them.
struct Golden {
  Values image{};
  Values kernel{};
  Values expected{};
  std::vector<double>
      bias{};  // added to each output feature of the result; empty where there is none
};

// What one table should make of an operation; a part that is absent is not stated.
struct ExpectedOutcome {
  std::optional<std::string> row{};    // the row that takes it; empty for none
  std::optional<std::string> value{};  // the class of the check, as `equal` or `different`

  bool operator==(const ExpectedOutcome&) const = default;
};

// What a case file says should come out of an operation.
struct Expectation {
  std::optional<Shape> out_shape{};    // in the axis order of the file's result
  std::optional<std::string> error{};  // the operation must be refused; the text is the reason
  std::map<std::string, ExpectedOutcome, std::less<>> tables{};  // by table name
};

// One convolution found in a file: either a ConvOp or the reason why it is none.
//
// `aten` is the same operation as a call of aten, for files that state one and for operations that
// aten can express. It stays beside an error where the call can be read but no ConvOp computes it.
// Of a backward call, `op` is one gradient that the call asks for.
struct FoundOp {
  std::string name{};  // the file's own name for it: `%conv.3`, `case-001`
  SourcePlace place{};
  std::expected<ConvOp, Error> op{};
  std::optional<AtenCall> aten{};
  std::optional<Golden> golden{};
  std::optional<Expectation> expectation{};
  std::string
      note{};  // what the reader should know, as that a reduced size stands in for the real one
};

// Everything a reader found in one file. `errors` are problems outside any single operation;
// reading goes on after each.
struct Document {
  std::vector<FoundOp> ops{};
  std::vector<Error> errors{};
};

// The readers. `file` names the input in messages only. An error means that nothing could be read.
std::expected<Document, Error> read_hlo(std::string_view text, const std::string& file);
std::expected<Document, Error> read_stablehlo(std::string_view text, const std::string& file);
std::expected<Document, Error> read_json_cases(std::string_view text, const std::string& file);

// A format beyond the built-in ones, told by the end of a file's name. Its reader lives in a
// library of its own, so that only programs that want it link what it needs.
struct DocumentFormat {
  std::string_view extension{};  // `.onnx`
  std::expected<Document, Error> (*read)(const std::string& path) = nullptr;
};

// Reads the file at `path` with the reader of the format that its name ends on; of other names,
// with the reader for what the text is: JSON, HLO, MLIR of StableHLO, MHLO or torch, or a problem
// list of benchdnn.
std::expected<Document, Error> read_document(const std::string& path,
                                             std::span<const DocumentFormat> further = {});

}  // namespace convproof
