#include <algorithm>
#include <array>
#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "selector/frontends/document.h"
#include "selector/frontends/hlo_convolution.h"
#include "selector/frontends/hlo_lexer.h"
#include "selector/frontends/source_text.h"

namespace convproof {
namespace {

// Tables that newer compilers print between the module's header and its computations.
constexpr std::array table_names{std::string_view{"FileNames"}, std::string_view{"FunctionNames"},
                                 std::string_view{"FileLocations"},
                                 std::string_view{"StackFrames"}};

// A bracket that is never closed is found by reading on to the end; so many such searches are
// allowed before the rest of the file is given up.
constexpr int max_unclosed = 8;

class HloReader {
 public:
  explicit HloReader(const SourceText& source) : source_(source), lexer_(source.text()) {}

  Document read() {
    while (!lexer_.at_end() && unclosed_ < max_unclosed) read_top_level();
    end_computation();
    end_module();
    return std::move(document_);
  }

 private:
  struct Found {
    std::size_t op = 0;           // index in the document
    std::size_t computation = 0;  // the one it stands in
  };

  void fail(std::size_t offset, std::string value, std::string rule) {
    add_error(document_, source_.error(offset, std::move(value), std::move(rule)));
  }

  void unclosed(std::size_t offset) {
    ++unclosed_;
    fail(offset, excerpt(source_.text().substr(offset, 1)), "is never closed");
  }

  // Past the text up to here; what follows is tried from the next line on.
  void resume_after(std::size_t offset) {
    lexer_.seek(offset);
    lexer_.skip_line();
  }

  void read_top_level() {
    const std::size_t begin = lexer_.offset();
    std::string_view word = lexer_.word();
    if (word == "HloModule") {
      end_computation();
      end_module();
      lexer_.word();
      read_attributes(begin, nullptr);
      return;
    }
    if (std::ranges::find(table_names, word) != table_names.end()) return;
    if (!word.empty() && word.find_first_not_of("0123456789") == std::string_view::npos) {
      if (!lexer_.value()) skip_unclosed(lexer_.offset());
      return;
    }
    if (!word.empty() && lexer_.peek() == '=') {
      // Instructions outside any computation, as an excerpt of a dump has them, form one.
      lexer_.seek(begin);
      if (!computation_open_) begin_computation(false);
      read_instruction();
      return;
    }
    const bool entry = word == "ENTRY";
    if (entry) word = lexer_.word();
    if (word == "ROOT" && !entry) {
      lexer_.seek(begin);
      if (!computation_open_) begin_computation(false);
      read_instruction();
      return;
    }
    read_computation(begin, word, entry);
  }

  void skip_unclosed(std::size_t offset) {
    unclosed(offset);
    resume_after(offset);
  }

  // `name (parameters) -> shape { instructions }, attributes`
  void read_computation(std::size_t begin, std::string_view name, bool entry) {
    end_computation();
    if (lexer_.peek() == '(') {
      const std::size_t parameters = lexer_.offset();
      if (!lexer_.bracketed()) return skip_unclosed(parameters);
    }
    if (lexer_.consume("->") && !read_hlo_shape(lexer_)) {
      fail(lexer_.offset(), "", "must be the shape of the computation's result");
      return resume_after(std::max(begin, lexer_.offset()));
    }
    if (!lexer_.consume("{")) {
      fail(begin, excerpt(source_.text().substr(begin, 40)),
           "must begin a module, a computation or an instruction");
      return resume_after(begin);
    }
    begin_computation(entry);
    const int unclosed_before = unclosed_;
    while (!lexer_.at_end() && unclosed_ < max_unclosed) {
      if (lexer_.consume("}")) {
        end_computation();
        return read_attributes(lexer_.offset(), nullptr);
      }
      const std::size_t offset = lexer_.offset();
      const std::string_view word = lexer_.word();
      lexer_.seek(offset);
      if (word == "HloModule" || word == "ENTRY") break;
      read_instruction();
    }
    // A cut within an instruction has been told already.
    if (unclosed_ == unclosed_before)
      fail(begin, excerpt(name), "is a computation that is never closed");
    end_computation();
  }

  // `ROOT name = shape opcode(operands), attributes`
  void read_instruction() {
    HloInstruction instruction;
    lexer_.skip_space();
    const std::size_t begin = lexer_.offset();
    instruction.offset = begin;
    instruction.name = lexer_.word();
    if (instruction.name == "ROOT" && lexer_.peek() != '=') {
      lexer_.skip_space();
      instruction.offset = lexer_.offset();
      instruction.name = lexer_.word();
    }
    if (instruction.name.empty() || !lexer_.consume("=")) return not_an_instruction(begin);
    lexer_.skip_space();
    const std::size_t shape_offset = lexer_.offset();
    const auto shape = read_hlo_shape(lexer_);
    if (!shape) {
      if (lexer_.peek_raw() == '(' || lexer_.peek_raw() == '[' || lexer_.peek_raw() == '{')
        return skip_unclosed(lexer_.offset());
      fail(shape_offset, excerpt(source_.text().substr(shape_offset, 40)), "must be a shape");
      return resume_after(std::max(shape_offset, lexer_.offset()));
    }
    instruction.shape = *shape;
    instruction.opcode = lexer_.word();
    lexer_.skip_space();
    if (instruction.opcode.empty() || lexer_.peek_raw() != '(') return not_an_instruction(begin);
    const auto operands = lexer_.bracketed();
    if (!operands) return skip_unclosed(lexer_.offset());
    instruction.operands = *operands;
    instruction.operands_offset = lexer_.offset() - 1 - operands->size();
    read_attributes(begin, &instruction);
    if (!cut_) define(std::move(instruction));
  }

  void not_an_instruction(std::size_t begin) {
    const std::string_view rest = source_.text().substr(begin, 40);
    fail(begin, excerpt(rest.substr(0, rest.find('\n'))),
         "must be an instruction: NAME = SHAPE OPCODE(OPERANDS)");
    resume_after(std::max(begin, lexer_.offset()));
  }

  // `, name=value` as often as it stands; kept in `instruction` where there is one.
  void read_attributes(std::size_t begin, HloInstruction* instruction) {
    cut_ = false;
    while (lexer_.consume(",")) {
      lexer_.skip_space();
      HloAttribute attribute{.offset = lexer_.offset(), .name = lexer_.word()};
      if (attribute.name.empty() || !lexer_.consume("=")) {
        cut_ = true;
        fail(attribute.offset, excerpt(attribute.name), "must be an attribute: NAME=VALUE");
        return resume_after(std::max(begin, lexer_.offset()));
      }
      lexer_.skip_space();
      attribute.value_offset = lexer_.offset();
      const auto value = lexer_.value();
      if (!value) {
        cut_ = true;
        return skip_unclosed(lexer_.offset());
      }
      attribute.value = *value;
      if (instruction != nullptr) instruction->attributes.push_back(attribute);
    }
  }

  void define(HloInstruction instruction) {
    definitions_[instruction.name] = {instruction.shape, instruction.opcode == "parameter"};
    if (instruction.opcode == "convolution") convolutions_.push_back(std::move(instruction));
  }

  void begin_computation(bool entry) {
    computation_open_ = true;
    ++computations_;
    if (entry) entry_ = computations_;
  }

  // Operands may be defined below their use, so that convolutions wait for the end.
  void end_computation() {
    for (const HloInstruction& instruction : convolutions_) {
      FoundOp found{.name = fmt::format("%{}", instruction.name),
                    .place = source_.place(instruction.offset),
                    .op = build_convolution(source_, instruction, definitions_)};
      found_.push_back({document_.ops.size(), computations_});
      document_.ops.push_back(std::move(found));
    }
    convolutions_.clear();
    definitions_.clear();
    computation_open_ = false;
  }

  // Only the entry computation's parameters are inputs of the graph. A module that marks no entry
  // ends with it.
  void end_module() {
    const std::size_t entry = entry_.value_or(computations_);
    for (const Found& found : found_) {
      if (found.computation == entry) continue;
      auto& op = document_.ops[found.op].op;
      if (!op) continue;
      op->input_is_graph_input = false;
      op->kernel_is_graph_input = false;
    }
    found_.clear();
    entry_.reset();
  }

  const SourceText& source_;
  HloLexer lexer_;
  Document document_;
  HloDefinitions definitions_;                // of the open computation
  std::vector<HloInstruction> convolutions_;  // of the open computation
  std::vector<Found> found_;                  // of the open module
  std::size_t computations_ = 0;              // begun so far, in all modules
  std::optional<std::size_t> entry_;          // of the open module
  bool computation_open_ = false;
  bool cut_ = false;  // the last attributes did not end well
  int unclosed_ = 0;
};

}  // namespace

std::expected<Document, Error> read_hlo(std::string_view text, const std::string& file) {
  const SourceText source(text, file);
  return HloReader(source).read();
}

}  // namespace convproof
