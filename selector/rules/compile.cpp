#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "selector/rules/emitter.h"
#include "selector/rules/expand.h"
#include "selector/rules/facts.h"
#include "selector/rules/instruction.h"
#include "selector/rules/program.h"
#include "selector/rules/term.h"

namespace convproof {

// Compiles a table twice over: each row by itself, and all rows as one piece of code in which what
// an earlier row found out is not asked again. There a row has a variant for each set of facts that
// its predecessors leave behind, as long as there are few; facts that decide a row skip it.
class TableCompiler {
 public:
  TableCompiler(std::span<const Predicate> rows, const Schema& schema,
                std::span<const std::vector<Expression>> values)
      : rows_(rows), schema_(schema), values_(values) {}

  std::expected<TableProgram, LocatedError> compile() {
    Expander expander(schema_, graph_);
    results_.resize(rows_.size());
    for (std::size_t row = 0; row < rows_.size(); ++row) {
      std::vector<Term> conditions;
      std::vector<Test> tests;
      for (std::size_t clause = 0; clause < rows_[row].clauses.size(); ++clause) {
        conditions.push_back(expander.condition(rows_[row].clauses[clause].condition));
        add_tests(conditions.back(), clause, rows_[row].clauses[clause].message.has_value(), tests);
        if (graph_.size() > max_terms) return too_large(row);
      }
      if (row < values_.size()) {
        for (const Expression& value : values_[row]) {
          results_[row].push_back(expander.condition(value));
          if (graph_.size() > max_terms) return too_large(row);
        }
      }
      conditions_.push_back(std::move(conditions));
      tests_.push_back(std::move(tests));
    }
    never_ = graph_.constant(0);  // before emission, which adds no terms
    find_relevant();
    // A row's values are read like its conditions.
    std::vector<std::vector<Term>> used = conditions_;
    used.insert(used.end(), results_.begin(), results_.end());
    Emitter emitter(graph_, used, schema_.record_size);
    emit_ = &emitter;
    std::size_t bits = 0;
    do {
      bits = emitter.bit_count();
      emitter.restart();
      emit_table();
      program_.rows_.clear();
      for (std::size_t row = 0; row < rows_.size(); ++row) emit_row(row);
    } while (emitter.bit_count() != bits && !emitter.is_too_large());
    if (emitter.is_too_large()) return too_large(rows_.size() - 1);
    finish();
    return std::move(program_);
  }

 private:
  static constexpr std::size_t max_variants = 12;       // of one row
  static constexpr std::size_t max_specialised = 4096;  // terms of a table that has variants

  // A condition of a row: a clause, or one of the sides of a clause that is an `and`.
  struct Test {
    Term condition = 0;
    std::uint32_t clause = 0;
    bool raises = false;  // an assert clause
  };

  // A row's code where the facts hold. `available` is what is computed on every way there.
  struct Variant {
    Facts facts{};
    Label label{};
    std::vector<bool> available{};
    bool reached = false;
  };

  [[nodiscard]] std::unexpected<LocatedError> too_large(std::size_t row) const {
    return std::unexpected(LocatedError{
        Error{fmt::format("rows[{}]", row), "", "the table is too large once it is expanded"}});
  }

  void add_tests(Term condition, std::size_t clause, bool raises, std::vector<Test>& tests) const {
    if (graph_[condition].kind == TermKind::logical_and && !raises) {
      for (const Term operand : graph_[condition].operands)
        add_tests(operand, clause, raises, tests);
      return;
    }
    tests.push_back({condition, static_cast<std::uint32_t>(clause), raises});
  }

  // Which facts matter from each row on: those that rows ask for, and comparisons of what rows
  // compare with constants.
  void find_relevant() {
    relevant_.assign(rows_.size() + 1, {});
    subjects_.assign(rows_.size() + 1, {});
    for (std::size_t row = rows_.size(); row-- > 0;) {
      relevant_[row] = relevant_[row + 1];
      subjects_[row] = subjects_[row + 1];
      for (const Test& test : tests_[row]) {
        Facts asked;
        learn(asked, graph_, test.condition, true);
        relevant_[row].insert(asked.begin()->first);
        if (const auto about = subject(graph_, test.condition)) subjects_[row].insert(*about);
      }
    }
  }

  [[nodiscard]] Facts relevant_at(std::size_t row, const Facts& facts) const {
    Facts kept;
    for (const auto& [condition, truth] : facts) {
      const auto about = subject(graph_, condition);
      if (relevant_[row].contains(condition) || (about && subjects_[row].contains(*about)))
        kept[condition] = truth;
    }
    return kept;
  }

  // Whether the facts make a row false before anything in it can raise.
  [[nodiscard]] bool is_false(std::size_t row, const Facts& facts) const {
    for (const Test& test : tests_[row]) {
      const auto truth = known(facts, graph_, test.condition);
      if (truth == false) return !test.raises;
      if (!truth && (test.raises || graph_.can_raise(test.condition))) return false;
    }
    return false;
  }

  // The variant that code with these facts goes on to when the rows before `row` do not match.
  Variant& variant_from(std::size_t row, const Facts& facts) {
    while (row < rows_.size() && is_false(row, facts)) ++row;
    Facts kept = graph_.size() > max_specialised ? Facts{} : relevant_at(row, facts);
    auto& variants = variants_[row];
    if (variants.size() >= max_variants) kept.clear();
    for (const auto& variant : variants) {
      if (variant->facts == kept) return *variant;
    }
    variants.push_back(std::make_unique<Variant>());
    variants.back()->facts = std::move(kept);
    return *variants.back();
  }

  // Moves the jumps of `label`, at which the first `label.known` available terms were so, over to a
  // variant.
  void lead(Label& label, Variant& variant) const {
    variant.label.jumps.insert(variant.label.jumps.end(), label.jumps.begin(), label.jumps.end());
    if (variant.reached && graph_.size() > max_specialised) return;
    std::vector<bool> available(graph_.size(), false);
    if (graph_.size() <= max_specialised) {
      const std::vector<Term>& terms = emit_->available();
      for (std::size_t i = 0; i < std::min(label.known, terms.size()); ++i)
        available[terms[i]] = !variant.reached || variant.available[terms[i]];
    }
    variant.available = std::move(available);
    variant.reached = true;
  }

  void emit_table() {
    variants_.clear();
    variants_.resize(rows_.size() + 1);
    Variant& first = variant_from(0, {});
    first.available.assign(graph_.size(), false);
    emit_->start_entry();
    for (std::size_t row = 0; row <= rows_.size(); ++row) {
      // Code of a row adds variants to later rows only.
      for (const auto& variant : variants_[row]) emit_variant(row, *variant);
    }
  }

  void emit_variant(std::size_t row, Variant& variant) {
    emit_->patch(variant.label);
    if (row == rows_.size()) {
      emit_->put({.code = Emitter::code_of(Opcode::finish_not_matched)});
      return;
    }
    emit_->start(variant.available, false);
    Facts facts = variant.facts;
    for (const Test& test : tests_[row]) {
      emit_->set_site({static_cast<std::uint32_t>(row), test.clause});
      const auto truth = known(facts, graph_, test.condition);
      if (truth == true) continue;
      if (test.raises) {
        emit_assertion(test);
        if (truth == false) return;
      } else {
        Facts failed = facts;
        learn(failed, graph_, test.condition, false);
        Label fails;
        emit_->open(fails);
        emit_->jump(truth == false ? never_ : test.condition, false, fails);
        emit_->close();
        lead(fails, variant_from(row + 1, failed));
        if (truth == false) return;
      }
      learn(facts, graph_, test.condition, true);
    }
    emit_->put({.code = Emitter::code_of(Opcode::finish_matched),
                .target = static_cast<std::uint32_t>(row)});
  }

  // Falls through where the condition holds.
  void emit_assertion(const Test& test) {
    Label holds;
    emit_->open(holds);
    emit_->jump(test.condition, true, holds);
    emit_->put({.code = Emitter::code_of(Opcode::raise),
                .left = static_cast<std::uint16_t>(RaiseCause::assertion)});
    emit_->bind(holds);
  }

  void emit_row(std::size_t row) {
    emit_->start_entry();
    program_.rows_.push_back({.entry = static_cast<std::uint32_t>(emit_->position())});
    std::vector<Label> fails(conditions_[row].size());
    for (const Test& test : tests_[row]) {
      emit_->set_site({static_cast<std::uint32_t>(row), test.clause});
      if (test.raises) {
        emit_assertion(test);
      } else {
        emit_->jump(test.condition, false, fails[test.clause]);
      }
    }
    // What raises in a value counts as the clause after the last.
    emit_->set_site(
        {static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(conditions_[row].size())});
    for (const Term result : results_[row])
      program_.rows_.back().results.push_back(emit_->result(result));
    emit_->put({.code = Emitter::code_of(Opcode::finish_matched),
                .target = static_cast<std::uint32_t>(row)});
    for (std::size_t clause = 0; clause < fails.size(); ++clause) {
      emit_->patch(fails[clause]);
      emit_->put({.code = Emitter::code_of(Opcode::finish_not_matched),
                  .target = static_cast<std::uint32_t>(clause)});
    }
  }

  void finish() {
    program_.code_ = std::move(emit_->code());
    program_.sites_ = std::move(emit_->sites());
    program_.constants_ = std::move(emit_->constants());
    program_.record_size_ = schema_.record_size;
    program_.cell_count_ = emit_->cell_count();
    for (const Attribute& attribute : schema_.attributes) {
      bool read = false;
      for (std::uint32_t i = 0; i < attribute.slot_count; ++i)
        read = read || emit_->slots_read()[attribute.slot + i];
      program_.attributes_read_.push_back(read);
    }
  }

  std::span<const Predicate> rows_;
  const Schema& schema_;
  std::span<const std::vector<Expression>> values_;
  TermGraph graph_{};
  Term never_ = 0;
  std::vector<std::vector<Term>> conditions_{};
  std::vector<std::vector<Test>> tests_{};
  std::vector<std::vector<Term>> results_{};  // of each row
  std::vector<std::set<Term>> relevant_{};    // from each row on
  std::vector<std::set<Term>> subjects_{};
  std::vector<std::vector<std::unique_ptr<Variant>>> variants_{};
  TableProgram program_{};
  Emitter* emit_ = nullptr;
};

std::expected<TableProgram, LocatedError> compile_table(
    std::span<const Predicate> rows, const Schema& schema,
    std::span<const std::vector<Expression>> values) {
  return TableCompiler(rows, schema, values).compile();
}

std::expected<TableProgram, LocatedError> compile_predicate(const Predicate& predicate,
                                                            const Schema& schema) {
  return TableCompiler(std::span(&predicate, 1), schema, {}).compile();
}

}  // namespace convproof
