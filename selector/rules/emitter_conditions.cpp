#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "selector/rules/emitter.h"
#include "selector/rules/instruction.h"
#include "selector/rules/outcome.h"
#include "selector/rules/program.h"
#include "selector/rules/term.h"

namespace convproof {

// Jumps to `label` where the condition's truth is `when`, and else goes on.
void Emitter::jump(Term term, bool when, Label& label) {
  // What is dear is computed into a register the second time it is asked for.
  if (is_available_[term] ||
      (graph_.weight(term) > 8 && uses_[term] > 1 && graph_[term].kind != TermKind::sequence)) {
    const std::uint16_t truth = value(term);
    put_jump({.code = code_of(when ? Opcode::jump_if : Opcode::jump_unless), .left = truth}, label);
    return;
  }
  branch(term, when, label);
}

void Emitter::branch(Term term, bool when, Label& label) {
  if (is_too_large()) return;
  const TermNode& node = graph_[term];
  switch (node.kind) {
    case TermKind::constant:
      if ((node.value != 0) == when) put_jump({.code = code_of(Opcode::jump)}, label);
      return;
    case TermKind::logical_not:
      return jump(node.operands[0], !when, label);
    case TermKind::logical_and:
      return branch_chain(node, false, when, label);
    case TermKind::logical_or:
      return branch_chain(node, true, when, label);
    case TermKind::sequence:
      for (std::size_t i = 0; i + 1 < node.operands.size(); ++i) value(node.operands[i]);
      return jump(node.operands.back(), when, label);
    case TermKind::conditional:
      return branch_conditional(node, when, label);
    case TermKind::fold_all:
      return branch_fold(node, false, when, label);
    case TermKind::fold_any:
      return branch_fold(node, true, when, label);
    case TermKind::equal:
      return branch_comparison(node, when ? Opcode::jump_equal : Opcode::jump_not_equal, false,
                               label);
    case TermKind::less:  // not a < b is b <= a
      return branch_comparison(node, when ? Opcode::jump_less : Opcode::jump_less_equal, !when,
                               label);
    case TermKind::less_equal:
      return branch_comparison(node, when ? Opcode::jump_less_equal : Opcode::jump_less, !when,
                               label);
    case TermKind::greater:
      return branch_comparison(node, when ? Opcode::jump_less : Opcode::jump_less_equal, when,
                               label);
    case TermKind::greater_equal:
      return branch_comparison(node, when ? Opcode::jump_less_equal : Opcode::jump_less, when,
                               label);
    case TermKind::in_constants: {
      const std::uint16_t candidate = value(node.operands[0]);
      put_jump({.code = code_of(when ? Opcode::jump_in : Opcode::jump_not_in),
                .destination = cell(graph_.set(node.value).size()),
                .left = candidate,
                .right = cell(set_cells_[node.value])},
               label);
      return;
    }
    case TermKind::equals_constants:
      put_jump({.code = code_of(when ? Opcode::jump_cells_equal : Opcode::jump_cells_differ),
                .destination = cell(graph_.set(node.extra).size()),
                .left = slot_cell(node.value),
                .right = cell(set_cells_[node.extra])},
               label);
      return;
    case TermKind::lists_equal:
      put_jump({.code = code_of(when ? Opcode::jump_lists_equal : Opcode::jump_lists_differ),
                .destination = cell(static_cast<std::size_t>(graph_[node.operands[0]].value)),
                .left = slot_cell(node.value),
                .right = slot_cell(node.extra)},
               label);
      return;
    default: {
      const std::uint16_t truth = value(term);
      put_jump({.code = code_of(when ? Opcode::jump_if : Opcode::jump_unless), .left = truth},
               label);
      return;
    }
  }
}

void Emitter::branch_comparison(const TermNode& node, Opcode opcode, bool exchange, Label& label) {
  std::uint16_t left = value(node.operands[0]);
  std::uint16_t right = value(node.operands[1]);
  if (exchange) std::swap(left, right);
  put_jump({.code = code_of(opcode), .left = left, .right = right}, label);
}

// A chain that `deciding` ends: false for `and`, true for `or`.
void Emitter::branch_chain(const TermNode& node, bool deciding, bool when, Label& label) {
  if (when == deciding) {
    for (const Term operand : node.operands) jump(operand, when, label);
    return;
  }
  Label decided;
  open(decided);
  for (std::size_t i = 0; i + 1 < node.operands.size(); ++i)
    jump(node.operands[i], deciding, decided);
  jump(node.operands.back(), when, label);
  bind(decided);
}

void Emitter::branch_conditional(const TermNode& node, bool when, Label& label) {
  Label otherwise;
  Label end;
  open(end);
  open(otherwise);
  jump(node.operands[0], false, otherwise);
  jump(node.operands[1], when, label);
  put_jump({.code = code_of(Opcode::jump)}, end);
  bind(otherwise);
  jump(node.operands[2], when, label);
  bind(end);
}

// Whether the bodies are the elements of the record's list that the length belongs to.
bool Emitter::folds_a_list(const TermNode& node) const {
  const TermNode& length = graph_[node.operands[0]];
  if (length.kind != TermKind::slot) return false;
  for (std::size_t i = 1; i < node.operands.size(); ++i) {
    const TermNode& body = graph_[node.operands[i]];
    if (body.kind != TermKind::slot || body.value != length.value + static_cast<std::int64_t>(i))
      return false;
  }
  return true;
}

void Emitter::branch_fold(const TermNode& node, bool deciding, bool when, Label& label) {
  if (deciding && folds_a_list(node)) {
    put_jump({.code = code_of(when ? Opcode::jump_any : Opcode::jump_none),
              .left = slot_cell(graph_[node.operands[0]].value)},
             label);
    return;
  }
  const std::uint16_t length = value(node.operands[0]);
  // Where the bodies end without a decision, the fold's truth is `!deciding`.
  Label end;
  Label decided;
  open(end);
  open(decided);
  for (std::size_t i = 0; i + 1 < node.operands.size(); ++i) {
    put_jump({.code = code_of(Opcode::jump_less_equal),
              .left = length,
              .right = number_cell(static_cast<std::int64_t>(i))},
             end);
    jump(node.operands[i + 1], deciding, decided);
  }
  put_jump({.code = code_of(Opcode::jump)}, end);
  bind(decided);
  if (when == deciding) put_jump({.code = code_of(Opcode::jump)}, label);
  Label done;
  open_.insert(open_.end() - 1, &done);
  if (when != deciding) put_jump({.code = code_of(Opcode::jump)}, done);
  bind(end);
  if (when != deciding) put_jump({.code = code_of(Opcode::jump)}, label);
  bind(done);
}

}  // namespace convproof
