#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <vector>

#include "selector/rules/located_error.h"
#include "selector/rules/outcome.h"
#include "selector/rules/predicate.h"
#include "selector/rules/schema.h"

namespace convproof {

class TableProgram;

// The memory one evaluation at a time needs: the record, the program's constants and its registers.
// Made once per program and thread; evaluation then allocates nothing.
class Workspace {
 public:
  // Where the record stands: fill it, then evaluate.
  std::span<std::int64_t> record() { return {cells_.data(), record_size_}; }

 private:
  friend class TableProgram;
  std::vector<std::int64_t> cells_{};
  std::size_t record_size_ = 0;
};

// One instruction of the compiled form; see program.cpp for what each code reads.
struct Instruction {
  std::uint16_t code = 0;
  std::uint16_t destination = 0;
  std::uint16_t left = 0;
  std::uint16_t right = 0;
  std::uint32_t target = 0;
  std::uint32_t unused = 0;  // 16 bytes, so that finding a target is a shift
};

// Which clause an instruction belongs to.
struct CodeSite {
  std::uint32_t row = 0;
  std::uint32_t clause = 0;
};

// A table of predicates over one schema, compiled: equal subterms are one register, and one that
// costs more than an instruction is computed at most once per record for the whole table (once per
// way through the code for the 65th and further such terms); parameters and constants are folded;
// what an earlier row has found out is not asked again.
//
// A record's list lengths must lie between 0 and the attribute's max_length.
class TableProgram {
 public:
  // An empty table: no row, never matches.
  TableProgram() = default;

  [[nodiscard]] Workspace make_workspace() const;
  [[nodiscard]] std::size_t row_count() const { return rows_.size(); }

  // The rows in order, up to the first that matches or raises. The record is the workspace's.
  TableOutcome first_match(Workspace& workspace) const;

  // One row by itself, whatever the others say.
  PredicateOutcome run_row(std::size_t row, Workspace& workspace) const;

  // The values that a row was compiled with, once `run_row` said that it matches.
  [[nodiscard]] std::int64_t value(std::size_t row, std::size_t index,
                                   const Workspace& workspace) const {
    return workspace.cells_[rows_[row].results[index]];
  }

  // The same, for a record that stands elsewhere: copies it. `record` has Schema::record_size
  // slots.
  TableOutcome first_match(std::span<const std::int64_t> record, Workspace& workspace) const;
  PredicateOutcome run_row(std::size_t row, std::span<const std::int64_t> record,
                           Workspace& workspace) const;

  // Which attributes (by index in the schema) any row reads.
  [[nodiscard]] const std::vector<bool>& attributes_read() const { return attributes_read_; }

 private:
  friend class TableCompiler;

  struct Row {
    std::uint32_t entry = 0;               // of the row by itself
    std::vector<std::uint16_t> results{};  // the cells of its values
  };

  std::vector<Instruction> code_{};
  std::vector<CodeSite> sites_{};  // one per instruction
  std::vector<Row> rows_{};
  std::vector<std::int64_t> constants_{};
  std::vector<bool> attributes_read_{};
  std::size_t record_size_ = 0;
  std::size_t cell_count_ = 0;
};

// Compiles rows that were parsed over `schema`. Fails only where the table is too large.
//
// `values` gives a row, by index, expressions of scalars to compute where it matches; they are read
// with TableProgram::value. A value that raises makes the row raise, at the clause after its last.
std::expected<TableProgram, LocatedError> compile_table(
    std::span<const Predicate> rows, const Schema& schema,
    std::span<const std::vector<Expression>> values = {});

// A table of one row; evaluate with `run_row(0, ...)`.
std::expected<TableProgram, LocatedError> compile_predicate(const Predicate& predicate,
                                                            const Schema& schema);

}  // namespace convproof
