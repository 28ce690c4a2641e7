#include "selector/rules/emitter.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "selector/rules/instruction.h"
#include "selector/rules/outcome.h"
#include "selector/rules/program.h"
#include "selector/rules/term.h"

namespace convproof {

Emitter::Emitter(const TermGraph& graph, const std::vector<std::vector<Term>>& conditions,
                 std::size_t record_size)
    : graph_(graph), record_size_(record_size), uses_(graph.size(), 0) {
  for (Term node = 0; node < graph_.size(); ++node) {
    for (const Term operand : graph_[node].operands) ++uses_[operand];
  }
  for (const auto& row : conditions) {
    for (const Term condition : row) ++uses_[condition];
  }
  lay_out_constants();
  restart();
}

void Emitter::restart() {
  code_.clear();
  sites_.clear();
  slots_read_.assign(record_size_, false);
  registers_.clear();
  next_cell_ = first_register_;
}

void Emitter::start(const std::vector<bool>& available, bool entry) {
  available_.clear();
  is_available_ = available;
  for (Term term = 0; term < graph_.size(); ++term) {
    if (is_available_[term]) available_.push_back(term);
  }
  if (entry) emitted_.assign(graph_.size(), false);
}

void Emitter::put_raise(RaiseCause cause) {
  put({.code = code_of(Opcode::raise), .left = cell(static_cast<std::size_t>(cause))});
}

void Emitter::put(Instruction instruction) {
  code_.push_back(instruction);
  sites_.push_back(site_);
}

void Emitter::put_jump(Instruction instruction, Label& label) {
  label.jumps.push_back(code_.size());
  label.known = std::min(label.known, available_.size());
  put(instruction);
}

void Emitter::patch(const Label& label) {
  for (const std::size_t jump : label.jumps)
    code_[jump].target = static_cast<std::uint32_t>(code_.size());
}

// The label stands here; `open_` ends with it. Only what is available on every way here stays so.
void Emitter::bind(Label& label) {
  open_.pop_back();
  patch(label);
  // Terms become available in one order and are dropped from the end, so that what a jump knew is
  // a front part of the list as long as nothing of that part was dropped since; `forget` sees to
  // that. After an unreachable end nothing is lost by it: the list at hand extends each jump's.
  forget(std::min(label.known, available_.size()));
}

void Emitter::forget(std::size_t known) {
  while (available_.size() > known) {
    is_available_[available_.back()] = false;
    available_.pop_back();
  }
  for (Label* label : open_) label->known = std::min(label->known, known);
}

void Emitter::now_available(Term term) {
  if (is_available_[term]) return;
  is_available_[term] = true;
  available_.push_back(term);
}

std::uint16_t Emitter::slot_cell(std::int64_t slot) {
  slots_read_[static_cast<std::size_t>(slot)] = true;
  return cell(static_cast<std::size_t>(slot));
}

std::uint16_t Emitter::register_of(Term term) {
  const auto [place, added] = registers_.try_emplace(term, next_cell_);
  if (added) ++next_cell_;
  return cell(place->second);
}

std::size_t Emitter::scalar_constant(std::int64_t value) {
  const auto [place, added] = constant_cells_.try_emplace(
      value, static_cast<std::size_t>(record_size_) + constants_.size());
  if (added) constants_.push_back(value);
  return place->second;
}

// Constants of scalars, then the sets.
void Emitter::lay_out_constants() {
  const auto record = static_cast<std::size_t>(record_size_);
  for (Term term = 0; term < graph_.size(); ++term) {
    const TermNode& node = graph_[term];
    if (node.kind == TermKind::constant) scalar_constant(node.value);
    const bool folds = node.kind >= TermKind::fold_all && node.kind <= TermKind::fold_maximum;
    for (std::size_t i = 0; folds && i < node.operands.size(); ++i)
      scalar_constant(static_cast<std::int64_t>(i));  // the counts that a fold compares with
    const bool set = node.kind == TermKind::in_constants || node.kind == TermKind::equals_constants;
    const std::int64_t index = node.kind == TermKind::in_constants ? node.value : node.extra;
    if (!set || set_cells_.contains(index)) continue;
    set_cells_[index] = record + constants_.size();
    const auto& values = graph_.set(index);
    constants_.insert(constants_.end(), values.begin(), values.end());
  }
  // Folding at emission needs these two.
  scalar_constant(0);
  scalar_constant(1);
  first_register_ = record + constants_.size();
}

}  // namespace convproof
