#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "selector/frontends/document.h"
#include "selector/frontends/mlir_attributes.h"
#include "selector/frontends/mlir_constant.h"
#include "selector/frontends/mlir_dataflow.h"
#include "selector/frontends/mlir_lexer.h"
#include "selector/frontends/source_text.h"
#include "selector/frontends/stablehlo_convolution.h"
#include "selector/frontends/stablehlo_dims.h"
#include "selector/frontends/torch_convolution.h"

namespace convproof {
namespace {

using Kind = MlirToken::Kind;
using Origin = MlirOrigin::Kind;

constexpr std::array function_words{std::string_view{"func"}, std::string_view{"func.func"},
                                    std::string_view{"util.func"}};
constexpr std::array constant_words{
    std::string_view{"stablehlo.constant"}, std::string_view{"mhlo.constant"},
    std::string_view{"arith.constant"}, std::string_view{"util.unfoldable_constant"}};
constexpr std::array convolution_words{std::string_view{"stablehlo.convolution"},
                                       std::string_view{"mhlo.convolution"}};
constexpr std::array call_words{std::string_view{"call"}, std::string_view{"func.call"},
                                std::string_view{"util.call"}};
constexpr std::array return_words{std::string_view{"return"}, std::string_view{"func.return"},
                                  std::string_view{"util.return"}};
constexpr std::array barrier_words{std::string_view{"util.optimization_barrier"},
                                   std::string_view{"stablehlo.optimization_barrier"}};
constexpr std::array custom_call_words{std::string_view{"stablehlo.custom_call"},
                                       std::string_view{"mhlo.custom_call"}};
constexpr std::array check_words{
    std::string_view{"check.expect_eq_const"}, std::string_view{"check.expect_almost_eq_const"},
    std::string_view{"check.expect_eq"}, std::string_view{"check.expect_almost_eq"}};

bool is_one_of(const auto& words, std::string_view word) {
  return std::ranges::find(words, word) != words.end();
}

// Reads one module: operations are recognised by their names wherever they stand, and everything
// else is passed over token by token, so that unknown dialects need no grammar.
class ModuleReader {
 public:
  ModuleReader(const SourceText& source, std::size_t begin, std::size_t end, Document& document)
      : source_(source), lexer_(source.text().substr(0, end), begin), document_(document) {}

  void read(std::int64_t& golden_budget) {
    while (true) {
      const MlirToken token = lexer_.next();
      if (token.kind == Kind::end) break;
      read_token(token);
      // Names wait for the operation that follows their `=`, and for no later one.
      if (token.kind != Kind::value) defined_.clear();
    }
    if (!open_.empty() && !mismatched_) {
      const std::size_t offset = open_.back();
      add_error(document_,
                source_.error(offset, std::string(1, source_.text()[offset]), "is never closed"));
    }
    dataflow_.resolve(source_, document_, golden_budget);
  }

 private:
  struct Defined {
    std::string_view name{};
    std::size_t result = 0;  // of the operation, the first that the name stands for
  };

  void read_token(const MlirToken& token) {
    switch (token.kind) {
      case Kind::unclosed:
        add_error(document_,
                  source_.error(token.offset, excerpt(token.text), "is a string never closed"));
        mismatched_ = true;  // brackets behind it are not to be trusted
        break;
      case Kind::value:
        read_value(token);
        break;
      case Kind::word:
        read_operation(token, false);
        break;
      case Kind::string:
        if (lexer_.peek().is("(")) read_operation(token, true);
        break;
      case Kind::hash:
        read_hash(token);
        break;
      case Kind::mark:
        track_bracket(token);
        break;
      case Kind::end:
      case Kind::symbol:
      case Kind::type:
      case Kind::number:
        break;
    }
  }

  // A module that ends inside brackets has been cut.
  void track_bracket(const MlirToken& token) {
    const char c = token.text[0];
    if (mismatched_ || token.text.size() > 1) return;
    if (c == '(' || c == '[' || c == '{') open_.push_back(token.offset);
    if (c != ')' && c != ']' && c != '}') return;
    const char opening = c == ')' ? '(' : c == ']' ? '[' : '{';
    if (!open_.empty() && source_.text()[open_.back()] == opening) {
      open_.pop_back();
      return;
    }
    mismatched_ = true;
    add_error(document_, source_.error(token.offset, std::string(token.text), "has no opening"));
  }

  // `%a, %b:2 = `: the names that the next operation defines. A list that no `=` follows is a use;
  // it is not looked at again, which keeps long lists linear.
  void read_value(const MlirToken& first) {
    std::vector<Defined> names{{first.text, 0}};
    std::size_t results = 1;
    while (true) {
      const MlirToken token = lexer_.peek();
      if (token.is("=")) {
        lexer_.next();
        defined_ = std::move(names);
        defined_offset_ = first.offset;
        for (const Defined& one : defined_) dataflow_.define(one.name, {});
        return;
      }
      const std::size_t before = lexer_.offset();
      lexer_.next();
      const MlirToken after = lexer_.peek();
      if (token.is(":") && after.kind == Kind::number) {
        const auto count = integer(lexer_.next()).value_or(1);
        if (count > 1) results += static_cast<std::size_t>(count) - 1;
      } else if (token.is(",") && after.kind == Kind::value) {
        names.push_back({lexer_.next().text, results++});
      } else {
        lexer_.seek(before);
        return;
      }
    }
  }

  void read_operation(const MlirToken& name, bool generic) {
    const std::string_view word = name.text;
    if (is_one_of(convolution_words, word)) return read_convolution(name, generic);
    if (is_one_of(constant_words, word)) return read_constant(generic);
    if (word.starts_with("torch.")) return read_torch(name, generic);
    if (word == "loc" && lexer_.peek().is("(")) return skip_location();
    if (generic) return;
    if (is_one_of(function_words, word)) return read_function();
    if (is_one_of(call_words, word)) return read_call();
    if (is_one_of(return_words, word)) return dataflow_.add_return(read_value_list());
    if (is_one_of(barrier_words, word)) return read_barrier();
    if (is_one_of(custom_call_words, word)) return read_custom_call();
    if (is_one_of(check_words, word)) return read_check();
  }

  void define(const MlirOrigin& origin) {
    for (const Defined& one : defined_) {
      MlirOrigin of_one = origin;
      of_one.result = one.result;
      dataflow_.define(one.name, of_one);
    }
  }

  // Back to `offset`, to read what a failed attempt passed over; as often as the text is long,
  // since attempts may nest.
  void go_back(std::size_t offset) {
    reread_ += lexer_.offset() - offset;
    if (reread_ <= lexer_.text().size()) lexer_.seek(offset);
  }

  void read_convolution(const MlirToken& name, bool generic) {
    if (!lexer_.peek().is("(")) return;
    const std::size_t after_name = lexer_.offset();
    auto convolution = read_stablehlo_convolution(source_, lexer_, name.offset, generic);
    FoundOp found = begin_found(name);
    if (convolution) {
      found.op = convolution->op;
      dataflow_.add_convolution(document_.ops.size(), convolution->image, convolution->kernel);
      define({.kind = Origin::convolution, .index = document_.ops.size()});
    } else {
      found.op = std::unexpected(std::move(convolution.error()));
      told_until_ = lexer_.offset();
      // What is wrong may reach past the operation, so reading goes on behind its name.
      go_back(after_name);
    }
    document_.ops.push_back(std::move(found));
  }

  void read_torch(const MlirToken& name, bool generic) {
    const std::size_t after_name = lexer_.offset();
    auto convolution = torch_.read_convolution(source_, lexer_, name.text, name.offset, generic);
    if (!convolution) {
      if (!generic && !defined_.empty())
        torch_.read_constant(lexer_, name.text, defined_.front().name);
      return;
    }
    FoundOp found = begin_found(name);
    found.op = std::move(convolution->op);
    found.aten = std::move(convolution->aten);
    found.note = std::move(convolution->note);
    if (found.op) {
      dataflow_.add_convolution(document_.ops.size(), convolution->image, convolution->kernel);
    } else {
      go_back(after_name);
    }
    document_.ops.push_back(std::move(found));
  }

  [[nodiscard]] FoundOp begin_found(const MlirToken& name) const {
    const std::string_view function = dataflow_.function_name();
    FoundOp found{.name = function.empty() ? std::string() : fmt::format("@{}:", function),
                  .place = source_.place(defined_.empty() ? name.offset : defined_offset_)};
    found.name += defined_.empty() ? name.text : defined_.front().name;
    return found;
  }

  // `dense<...> : T`, or the generic `() {value = dense<...> : T} : () -> T`
  void read_constant(bool generic) {
    const std::size_t begin = lexer_.offset();
    std::optional<MlirConstant> constant;
    if (generic) {
      lexer_.consume("(");
      lexer_.consume(")");
      lexer_.consume("<");
      if (lexer_.peek().is("{")) {
        const auto attributes = read_attribute_dictionary(source_, lexer_);
        if (attributes) {
          for (const MlirAttribute& attribute : *attributes) {
            if (attribute.name != "value") continue;
            MlirLexer value = attribute.lexer(source_);
            constant = read_dense_constant(source_, value);
          }
        }
      }
    } else {
      constant = read_dense_constant(source_, lexer_);
    }
    if (constant) {
      define({.kind = Origin::constant, .index = dataflow_.add_constant(std::move(*constant))});
      return;
    }
    go_back(begin);
  }

  // `public @name(%arg0: T {attributes}, ...)`; the body is read as everything else.
  void read_function() {
    MlirToken token = lexer_.peek();
    while (token.kind == Kind::word) {  // visibility
      lexer_.next();
      token = lexer_.peek();
    }
    if (token.kind != Kind::symbol) return;
    lexer_.next();
    dataflow_.begin_function(token.text);
    torch_ = {};
    if (!lexer_.peek().is("(")) return;
    const std::size_t arguments = lexer_.offset();
    std::size_t depth = 0;
    do {
      token = lexer_.next();
      if (token.is("(") || token.is("{")) ++depth;
      if (token.is(")") || token.is("}")) --depth;
      if (token.kind == Kind::value && depth == 1)
        dataflow_.define(token.text, {.kind = Origin::argument});
    } while (depth > 0 && token.kind != Kind::end);
    if (depth > 0) go_back(arguments);
  }

  // `@callee(%a, %b)`
  void read_call() {
    if (lexer_.peek().kind != Kind::symbol) return;
    const std::string_view callee = lexer_.next().text;
    dataflow_.add_call(callee);
    define({.kind = Origin::call, .callee = callee});
  }

  void read_barrier() {
    const auto operands = read_value_list();
    if (operands.size() == 1) define({.kind = Origin::alias, .alias_of = operands.front()});
  }

  void read_custom_call() {
    if (lexer_.peek().kind != Kind::symbol) return;
    const std::string_view target = lexer_.next().text;
    if (!target.starts_with("check.")) return;
    const std::size_t before = lexer_.offset();
    lexer_.consume("(");
    const auto operands = read_value_list();
    go_back(before);
    if (operands.size() == 2) dataflow_.add_check(operands[0], operands[1]);
  }

  // `%actual, dense<...> : T` or `%actual, %expected`, in parentheses or not
  void read_check() {
    const std::size_t before = lexer_.offset();
    lexer_.consume("(");
    const auto operands = read_value_list();
    if (operands.size() == 1) {
      lexer_.consume(",");
      if (auto constant = read_dense_constant(source_, lexer_))
        dataflow_.add_check(operands[0], dataflow_.add_constant(std::move(*constant)));
    } else if (operands.size() >= 2) {
      dataflow_.add_check(operands[0], operands[1]);
    }
    go_back(before);
  }

  // `%a, %b` with the cursor left behind the last name.
  std::vector<std::string_view> read_value_list() {
    std::vector<std::string_view> values;
    while (lexer_.peek().kind == Kind::value) {
      values.push_back(lexer_.next().text);
      const std::size_t before = lexer_.offset();
      if (!lexer_.consume(",")) break;
      if (lexer_.peek().kind != Kind::value) lexer_.seek(before);
    }
    return values;
  }

  // Locations may hold any text in quotes.
  void skip_location() {
    std::size_t depth = 0;
    const std::size_t before = lexer_.offset();
    MlirToken token;
    do {
      token = lexer_.next();
      if (token.is("(")) ++depth;
      if (token.is(")")) --depth;
    } while (depth > 0 && token.kind != Kind::end);
    if (depth > 0) go_back(before);
  }

  // A convolution's dimension numbers outside any operation, as in a module's attributes.
  void read_hash(const MlirToken& token) {
    if ((token.text != "#stablehlo.conv" && token.text != "#mhlo.conv") || !lexer_.peek().is("<"))
      return;
    const std::size_t after = lexer_.offset();
    lexer_.seek(token.offset);
    if (auto numbers = read_conv_attribute(source_, lexer_); !numbers) {
      if (token.offset >= told_until_) add_error(document_, std::move(numbers.error()));
      go_back(after);
    }
  }

  const SourceText& source_;
  MlirLexer lexer_;
  Document& document_;
  MlirDataflow dataflow_;
  TorchFunction torch_;           // the constants of the function being read
  std::vector<Defined> defined_;  // by the operation that comes next
  std::size_t defined_offset_ = 0;
  std::size_t told_until_ = 0;     // an operation refused reaches so far
  std::size_t reread_ = 0;         // bytes gone back over
  std::vector<std::size_t> open_;  // brackets not yet closed
  bool mismatched_ = false;
};

}  // namespace

std::expected<Document, Error> read_stablehlo(std::string_view text, const std::string& file) {
  const SourceText source(text, file);
  Document document;
  std::int64_t golden_budget = max_constant_elements;
  // `// -----` on a line of its own separates modules.
  std::size_t begin = 0;
  while (begin <= text.size()) {
    std::size_t end = text.size();
    if (text.substr(begin).starts_with("// -----")) begin = std::min(begin + 8, end);
    const std::size_t split = text.find("\n// -----", begin);
    if (split != std::string_view::npos) end = split + 1;
    ModuleReader(source, begin, end, document).read(golden_budget);
    if (end == text.size()) break;
    begin = end;
  }
  return document;
}

}  // namespace convproof
