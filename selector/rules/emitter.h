#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <vector>

#include "selector/rules/instruction.h"
#include "selector/rules/program.h"
#include "selector/rules/term.h"

namespace convproof {

// A place in the code that jumps lead to. `known` is how many of the available terms are available
// on every way there.
struct Label {
  std::vector<std::size_t> jumps{};
  std::size_t known = std::numeric_limits<std::size_t>::max();
};

// Emits instructions for terms of one graph. A term that costs more than one instruction is
// computed once on each way through the code: where every way to a place has computed it, its
// register is read; where only some have, a bit tells. The code must run forwards.
class Emitter {
 public:
  // `conditions` are the terms that the code will test, to see which are tested again.
  Emitter(const TermGraph& graph, const std::vector<std::vector<Term>>& conditions,
          std::size_t record_size);

  // Which terms need a bit shows only while emitting, and bits change what is emitted: the whole
  // is to be emitted again until the number of bits stays.
  void restart();
  [[nodiscard]] std::size_t bit_count() const { return bits_.size(); }
  [[nodiscard]] bool is_too_large() const {
    return next_cell_ > max_cells || code_.size() > max_instructions;
  }

  // Code that no code before it leads to; `available` is what is computed on every way there.
  void start_entry() { start(std::vector<bool>(graph_.size(), false), true); }
  void start(const std::vector<bool>& available, bool entry);
  [[nodiscard]] const std::vector<Term>& available() const { return available_; }

  void set_site(CodeSite site) { site_ = site; }
  [[nodiscard]] std::size_t position() const { return code_.size(); }
  void put(Instruction instruction);
  void patch(const Label& label);  // the label's jumps lead here

  // A label is open from before the first jump to it until it is bound or closed; labels nest.
  void open(Label& label) { open_.push_back(&label); }
  void close() { open_.pop_back(); }
  void bind(Label& label);

  // Jumps to `label` where the condition's truth is `when`, and else goes on.
  void jump(Term condition, bool when, Label& label);

  // The cell that holds the term's value from here to the end of this way through the code.
  std::uint16_t result(Term term) { return value(term); }

  std::vector<Instruction>& code() { return code_; }
  std::vector<CodeSite>& sites() { return sites_; }
  std::vector<std::int64_t>& constants() { return constants_; }
  [[nodiscard]] const std::vector<bool>& slots_read() const { return slots_read_; }
  [[nodiscard]] std::size_t cell_count() const { return next_cell_; }

  static std::uint16_t code_of(Opcode opcode) { return static_cast<std::uint16_t>(opcode); }

 private:
  static constexpr std::size_t max_cells = std::numeric_limits<std::uint16_t>::max();
  static constexpr std::size_t max_bits = 64;
  static constexpr std::size_t max_instructions = 200'000;

  // Cells past what an instruction can name are refused once the whole is emitted.
  static std::uint16_t cell(std::size_t index) {
    return static_cast<std::uint16_t>(std::min(index, max_cells));
  }

  void lay_out_constants();
  std::size_t scalar_constant(std::int64_t value);
  std::uint16_t number_cell(std::int64_t number) { return cell(scalar_constant(number)); }
  std::uint16_t slot_cell(std::int64_t slot);
  std::uint16_t register_of(Term term);

  void put_jump(Instruction instruction, Label& label);
  void put_move(std::uint16_t destination, std::uint16_t from);
  void put_binary(Opcode opcode, const TermNode& node, std::uint16_t destination);
  void put_raise(RaiseCause cause);
  void forget(std::size_t known);
  void now_available(Term term);

  std::uint16_t value(Term term);  // code after which the cell returned holds the value
  void compute(Term term, std::uint16_t destination);
  void compute_element(const TermNode& node, std::uint16_t destination);
  void compute_pick(const TermNode& node, std::uint16_t destination);
  void compute_conditional(const TermNode& node, std::uint16_t destination);
  void compute_truth(Term term, std::uint16_t destination);
  void compute_fold(const TermNode& node, std::uint16_t destination);
  [[nodiscard]] bool is_cheap(Term term) const;

  void branch(Term term, bool when, Label& label);
  void branch_comparison(const TermNode& node, Opcode opcode, bool exchange, Label& label);
  void branch_chain(const TermNode& node, bool deciding, bool when, Label& label);
  void branch_conditional(const TermNode& node, bool when, Label& label);
  void branch_fold(const TermNode& node, bool deciding, bool when, Label& label);
  [[nodiscard]] bool folds_a_list(const TermNode& node) const;

  const TermGraph& graph_;
  std::size_t record_size_ = 0;
  std::vector<std::uint32_t> uses_{};  // places of the graph that read each term
  std::vector<std::int64_t> constants_{};
  std::map<std::int64_t, std::size_t> constant_cells_{};
  std::map<std::int64_t, std::size_t> set_cells_{};
  std::size_t first_register_ = 0;
  std::map<Term, std::uint16_t> bits_{};

  // Of the emission at hand.
  std::vector<Instruction> code_{};
  std::vector<CodeSite> sites_{};
  CodeSite site_{};
  std::map<Term, std::size_t> registers_{};
  std::size_t next_cell_ = 0;
  std::vector<bool> slots_read_{};
  std::vector<Term> available_{};  // in the order in which they became so
  std::vector<bool> is_available_{};
  std::vector<bool> emitted_{};
  std::vector<Label*> open_{};  // innermost last
};

}  // namespace convproof
