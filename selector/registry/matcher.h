#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <vector>

#include "selector/op/conv_op.h"
#include "selector/registry/conv_subject.h"
#include "selector/registry/registry.h"
#include "selector/rules/outcome.h"
#include "selector/rules/program.h"

namespace convproof {

// Which row takes a convolution.
struct Selection {
  enum class Status : std::uint8_t { matched, unmatched, gated, raised };

  Status status = Status::unmatched;
  std::uint32_t row = 0;                     // where it matched or raised
  std::uint32_t clause = 0;                  // where it raised
  RaiseCause cause = RaiseCause::assertion;  // where it raised

  bool operator==(const Selection&) const = default;
};

// Where and why a selection raised: `row R, clause 5 `assert NR == N` raises: TEXT`. Its status is
// raised.
std::string raise_text(const Registry& registry, const Selection& selection);

// The compiled registry: selects without allocating. One per thread; borrows the registry, which
// must outlive it.
class Matcher {
 public:
  // Fails where the schema's attributes are none of a convolution's, or the table is too large.
  static std::expected<Matcher, LocatedError> compile(const Registry& registry);

  // First match over the enabled lists, behind the gate. The op's ranks agree; it need not be well
  // formed: an evaluation that fails on it raises, as it would in the pass.
  Selection select(const ConvOp& op);

  // Each row's own outcome, enabled or not, whatever earlier rows say.
  void outcomes(const ConvOp& op, std::vector<PredicateOutcome>& outcomes);

  // Appends the clauses of the kernel's contract that do not hold (indices in
  // KernelInfo::contract); a clause that raises does not hold.
  void broken_clauses(std::size_t kernel, const ConvOp& op, std::vector<std::size_t>& broken);

  [[nodiscard]] const Registry& registry() const { return *registry_; }

 private:
  // One compiled table with the record it reads.
  struct Table {
    TableProgram program{};
    ConvBinding binding{};
    Workspace workspace{};

    static std::expected<Table, LocatedError> compile(std::span<const Predicate> rows,
                                                      const Schema& schema);
    static std::expected<Table, LocatedError> over(const TableProgram& program,
                                                   const Schema& schema);
    void read(const ConvOp& op) { fill_record(op, binding, workspace.record()); }
  };
  struct List {
    std::uint32_t first = 0;
    Table table{};
  };

  const Registry* registry_ = nullptr;
  Table gate_{};
  std::vector<List> enabled_{};  // in order
  Table rows_{};                 // all rows
  Table contracts_{};
};

}  // namespace convproof
