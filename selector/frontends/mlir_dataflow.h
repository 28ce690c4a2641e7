#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "selector/frontends/document.h"
#include "selector/frontends/mlir_constant.h"
#include "selector/frontends/source_text.h"

namespace convproof {

// Where a value of a function comes from, as far as golden values need to know.
struct MlirOrigin {
  enum class Kind : unsigned char { unknown, argument, constant, convolution, call, alias };
  Kind kind = Kind::unknown;
  std::size_t index = 0;        // of the constant or the operation in the document
  std::string_view callee{};    // of a call
  std::size_t result = 0;       // of the operation, the first that the name stands for
  std::string_view alias_of{};  // the operand that the value equals
};

struct MlirFunction {
  std::string_view name{};
  std::unordered_map<std::string_view, MlirOrigin> values{};  // by name without `#k`
  std::vector<std::string_view> returned{};
  int returns = 0;
};

// What is known about one module of a file, collected in order of reading. Calls name functions
// that may stand further down, so that everything is resolved at the end.
class MlirDataflow {
 public:
  // Values before the first function belong to a nameless one.
  MlirDataflow() { begin_function({}); }

  void begin_function(std::string_view name) { functions_.push_back({.name = name}); }
  [[nodiscard]] std::string_view function_name() const { return functions_.back().name; }
  void define(std::string_view value, const MlirOrigin& origin) {
    functions_.back().values[value] = origin;
  }
  void add_return(std::vector<std::string_view> values);
  void add_call(std::string_view callee) { called_.insert(callee); }
  std::size_t add_constant(MlirConstant constant);
  void add_convolution(std::size_t op, std::string_view image, std::string_view kernel);
  // The two values, or the value and the constant, are stated to be equal.
  void add_check(std::string_view actual, std::string_view expected);
  void add_check(std::string_view actual, std::size_t constant);

  // Fills the golden values and the graph-input flags of the document's operations. An operand is a
  // graph input where it is an argument of a function that no other function of the module calls.
  // `budget` is how many golden elements the document may still hold.
  void resolve(const SourceText& source, Document& document, std::int64_t& budget);

 private:
  struct Constant {
    MlirConstant text{};
    std::optional<std::expected<Values, Error>> elements{};  // once asked for
  };
  struct Convolution {
    std::size_t op = 0;
    std::size_t function = 0;
    std::string_view image{};
    std::string_view kernel{};
  };
  struct Check {
    std::size_t function = 0;
    std::string_view actual{};
    std::string_view expected{};  // empty where the constant stands in the check itself
    std::size_t constant = 0;
  };

  [[nodiscard]] MlirOrigin trace(std::size_t function, std::string_view value) const;
  const Values* elements_of(const MlirOrigin& origin, const SourceText& source, Document& document);
  void apply(const Check& check, const SourceText& source, Document& document,
             std::int64_t& budget);

  std::vector<MlirFunction> functions_;
  std::unordered_map<std::string_view, std::size_t> function_of_name_;
  std::unordered_set<std::string_view> called_;
  std::vector<Constant> constants_;
  std::vector<Convolution> convolutions_;
  std::unordered_map<std::size_t, std::size_t> convolution_of_op_;
  std::vector<Check> checks_;
};

}  // namespace convproof
