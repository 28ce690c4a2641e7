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

// One instruction, and no operand that is more: computing it again is as cheap as asking.
bool Emitter::is_cheap(Term term) const {
  const TermNode& node = graph_[term];
  switch (node.kind) {
    case TermKind::constant:
    case TermKind::slot:
    case TermKind::check_index:
    case TermKind::load:
    case TermKind::packed_key:
      return true;
    case TermKind::element:
      return graph_.weight(term) <= 2;
    case TermKind::equal:
    case TermKind::less:
    case TermKind::less_equal:
    case TermKind::greater:
    case TermKind::greater_equal:
    case TermKind::equals_constants:
      return graph_.weight(term) <= 1;
    default:
      return false;
  }
}

// Emits code after which the cell returned holds the term's value.
std::uint16_t Emitter::value(Term term) {
  // Ways that meet and part again can double the code each time: give up in time.
  if (is_too_large()) return 0;
  const TermNode& node = graph_[term];
  if (node.kind == TermKind::constant) return cell(scalar_constant(node.value));
  if (node.kind == TermKind::slot) return slot_cell(node.value);
  if (is_available_[term]) return register_of(term);
  if (node.kind == TermKind::sequence) {
    for (std::size_t i = 0; i + 1 < node.operands.size(); ++i) value(node.operands[i]);
    return value(node.operands.back());
  }
  const bool again = emitted_[term];
  emitted_[term] = true;
  if (again && !is_cheap(term) && bits_.size() < max_bits) {
    bits_.try_emplace(term, static_cast<std::uint16_t>(bits_.size()));
  }
  const std::uint16_t destination = register_of(term);
  const auto bit = bits_.find(term);
  if (bit == bits_.end()) {
    compute(term, destination);
  } else {
    Label computed;
    open(computed);
    if (again) put_jump({.code = code_of(Opcode::skip_if_computed), .left = bit->second}, computed);
    compute(term, destination);
    put({.code = code_of(Opcode::mark_computed), .left = bit->second});
    bind(computed);
  }
  now_available(term);
  return destination;
}

void Emitter::put_binary(Opcode opcode, const TermNode& node, std::uint16_t destination) {
  const std::uint16_t left = value(node.operands[0]);
  const std::uint16_t right = value(node.operands[1]);
  put({.code = code_of(opcode), .destination = destination, .left = left, .right = right});
}

void Emitter::compute(Term term, std::uint16_t destination) {
  const TermNode& node = graph_[term];
  switch (node.kind) {
    case TermKind::constant:
    case TermKind::slot:
    case TermKind::sequence:
      return;  // value() reads these without a register
    case TermKind::add:
      return put_binary(Opcode::add, node, destination);
    case TermKind::subtract:
      return put_binary(Opcode::subtract, node, destination);
    case TermKind::multiply:
      return put_binary(Opcode::multiply, node, destination);
    case TermKind::floor_divide:
      return put_binary(Opcode::floor_divide, node, destination);
    case TermKind::modulo:
      return put_binary(Opcode::modulo, node, destination);
    case TermKind::ceil_div:
      return put_binary(Opcode::ceil_div, node, destination);
    case TermKind::minimum:
      return put_binary(Opcode::minimum, node, destination);
    case TermKind::maximum:
      return put_binary(Opcode::maximum, node, destination);
    case TermKind::check_index:
      return put_binary(Opcode::check_index, node, destination);
    case TermKind::negate:
    case TermKind::absolute: {
      const Opcode opcode = node.kind == TermKind::negate ? Opcode::negate : Opcode::absolute;
      const std::uint16_t operand = value(node.operands[0]);
      put({.code = code_of(opcode), .destination = destination, .left = operand});
      return;
    }
    case TermKind::element:
      return compute_element(node, destination);
    case TermKind::load: {
      const std::uint16_t index = value(node.operands[0]);
      put({.code = code_of(Opcode::load),
           .destination = destination,
           .left = slot_cell(node.value),
           .right = index,
           .target = static_cast<std::uint32_t>(node.extra)});
      return;
    }
    case TermKind::pick:
      return compute_pick(node, destination);
    case TermKind::range_length: {
      const std::uint16_t from = value(node.operands[0]);
      const std::uint16_t to = value(node.operands[1]);
      put({.code = code_of(Opcode::range_length),
           .destination = destination,
           .left = from,
           .right = to,
           .target = static_cast<std::uint32_t>(node.value)});
      return;
    }
    case TermKind::packed_key:
      put({.code = code_of(Opcode::pack),
           .destination = destination,
           .left = slot_cell(node.value),
           .right = cell(static_cast<std::size_t>(node.extra))});
      return;
    case TermKind::conditional:
      return compute_conditional(node, destination);
    case TermKind::fold_sum:
    case TermKind::fold_minimum:
    case TermKind::fold_maximum:
      return compute_fold(node, destination);
    case TermKind::logical_not:
    case TermKind::logical_and:
    case TermKind::logical_or:
    case TermKind::equal:
    case TermKind::less:
    case TermKind::less_equal:
    case TermKind::greater:
    case TermKind::greater_equal:
    case TermKind::in_constants:
    case TermKind::equals_constants:
    case TermKind::lists_equal:
    case TermKind::fold_all:
    case TermKind::fold_any:
      return compute_truth(term, destination);
  }
}

void Emitter::put_move(std::uint16_t destination, std::uint16_t from) {
  put({.code = code_of(Opcode::move), .destination = destination, .left = from});
}

void Emitter::compute_element(const TermNode& node, std::uint16_t destination) {
  const std::uint16_t list = slot_cell(node.value);
  const TermNode& index = graph_[node.operands[0]];
  const auto small = [](const TermNode& number) {
    return number.kind == TermKind::constant && number.value >= 0 && number.value < 1024;
  };
  if (small(index)) {
    put({.code = code_of(Opcode::element_at),
         .destination = destination,
         .left = list,
         .right = cell(static_cast<std::size_t>(index.value))});
    return;
  }
  if (index.kind == TermKind::element && !is_available_[node.operands[0]] &&
      small(graph_[index.operands[0]])) {
    put({.code = code_of(Opcode::gather),
         .destination = destination,
         .left = list,
         .right = slot_cell(index.value),
         .target = static_cast<std::uint32_t>(graph_[index.operands[0]].value)});
    return;
  }
  const std::uint16_t at = value(node.operands[0]);
  put({.code = code_of(Opcode::element), .destination = destination, .left = list, .right = at});
}

// The cells side by side in registers of their own, and a load from there.
void Emitter::compute_pick(const TermNode& node, std::uint16_t destination) {
  const std::uint16_t index = value(node.operands[0]);
  const std::size_t base = next_cell_;
  next_cell_ += node.operands.size() - 1;
  for (std::size_t i = 1; i < node.operands.size(); ++i)
    put_move(cell(base + i - 1), value(node.operands[i]));
  put({.code = code_of(Opcode::load),
       .destination = destination,
       .left = cell(base),
       .right = index,
       .target = 1});
}

void Emitter::compute_conditional(const TermNode& node, std::uint16_t destination) {
  Label otherwise;
  Label end;
  open(end);
  open(otherwise);
  jump(node.operands[0], false, otherwise);
  put_move(destination, value(node.operands[1]));
  put_jump({.code = code_of(Opcode::jump)}, end);
  bind(otherwise);
  put_move(destination, value(node.operands[2]));
  bind(end);
}

void Emitter::compute_truth(Term term, std::uint16_t destination) {
  Label no;
  Label end;
  open(end);
  open(no);
  branch(term, false, no);
  put_move(destination, cell(scalar_constant(1)));
  put_jump({.code = code_of(Opcode::jump)}, end);
  bind(no);
  put_move(destination, cell(scalar_constant(0)));
  bind(end);
}

void Emitter::compute_fold(const TermNode& node, std::uint16_t destination) {
  const std::uint16_t length = value(node.operands[0]);
  const bool sum = node.kind == TermKind::fold_sum;
  const Opcode opcode = sum                                   ? Opcode::add
                        : node.kind == TermKind::fold_minimum ? Opcode::minimum
                                                              : Opcode::maximum;
  const TermNode& known = graph_[node.operands[0]];
  std::size_t count = node.operands.size() - 1;
  const bool fixed = known.kind == TermKind::constant;
  if (fixed) count = std::min(count, static_cast<std::size_t>(known.value));
  const std::uint16_t zero = cell(scalar_constant(0));
  Label end;
  open(end);
  if (sum) {
    put_move(destination, zero);
  } else if (count == 0) {
    put_raise(RaiseCause::empty_sequence);
  } else if (!fixed) {
    Label some;
    open(some);
    put_jump({.code = code_of(Opcode::jump_less), .left = zero, .right = length}, some);
    put_raise(RaiseCause::empty_sequence);
    bind(some);
  }
  for (std::size_t i = 0; i < count; ++i) {
    if (!fixed && (sum || i > 0)) {
      const auto reached = static_cast<std::int64_t>(i);
      put_jump(
          {.code = code_of(Opcode::jump_less_equal), .left = length, .right = number_cell(reached)},
          end);
    }
    const std::uint16_t body = value(node.operands[i + 1]);
    if (!sum && i == 0) {
      put_move(destination, body);
    } else {
      put({.code = code_of(opcode),
           .destination = destination,
           .left = destination,
           .right = body});
    }
  }
  bind(end);
}

}  // namespace convproof
