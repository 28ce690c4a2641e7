#include "selector/rules/program.h"

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

#include "selector/rules/instruction.h"
#include "selector/rules/outcome.h"

namespace convproof {
namespace {

enum class Ending : std::uint8_t { matched, not_matched, raised };

struct Stop {
  Ending ending = Ending::not_matched;
  RaiseCause cause = RaiseCause::assertion;
  std::uint32_t number = 0;  // the target of a finish; the instruction that raised
};

bool contains(const std::int64_t* set, std::size_t count, std::int64_t value) {
  // Without branches: the sets are small, and which member it is would be mispredicted.
  bool found = false;
  for (std::size_t i = 0; i < count; ++i) found |= set[i] == value;
  return found;
}

bool cells_equal(const std::int64_t* a, const std::int64_t* b, std::size_t count) {
  std::int64_t difference = 0;
  for (std::size_t i = 0; i < count; ++i) difference |= a[i] ^ b[i];
  return difference == 0;
}

bool lists_equal(const std::int64_t* a, const std::int64_t* b, std::size_t cells_per_element) {
  if (a[0] != b[0]) return false;
  return std::equal(a + 1, a + 1 + static_cast<std::size_t>(a[0]) * cells_per_element, b + 1);
}

bool any(const std::int64_t* list) {
  std::int64_t all = 0;
  for (std::int64_t i = 1; i <= list[0]; ++i) all |= list[i];
  return all != 0;
}

// The key of packed_key (expand.h), or -1 for a list of another length or with other values.
std::int64_t pack(const std::int64_t* list, std::uint16_t length) {
  if (list[0] != length) return -1;
  std::int64_t key = length;
  std::int64_t all = 0;
  for (std::size_t i = 1; i <= length; ++i) {
    all |= list[i];
    key = static_cast<std::int64_t>(static_cast<std::uint64_t>(key) << 8 |
                                    static_cast<std::uint64_t>(list[i]));
  }
  return (all & ~std::int64_t{255}) == 0 ? key : -1;
}

// Counts a negative index from the end; false where it is outside.
bool normalise(std::int64_t length, std::int64_t& index) {
  index += index < 0 ? length : 0;
  return static_cast<std::uint64_t>(index) < static_cast<std::uint64_t>(length);
}

// Division towards minus infinity; false where int64 does not hold the result. `b` is not 0.
bool floor_divide(std::int64_t a, std::int64_t b, std::int64_t& result) {
  if (b == -1) return !__builtin_sub_overflow(std::int64_t{0}, a, &result);
  const std::int64_t quotient = a / b;
  result = quotient - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
  return true;
}

std::int64_t floor_modulo(std::int64_t a, std::int64_t b) {
  if (b == -1) return 0;
  const std::int64_t remainder = a % b;
  return remainder + ((remainder != 0 && (remainder < 0) != (b < 0)) ? b : 0);
}

Stop run(std::span<const Instruction> code, std::uint32_t entry, std::int64_t* cells) {
  const Instruction* const first = code.data();
  const Instruction* at = first + entry;
  std::uint64_t computed = 0;
  const auto raised = [&](RaiseCause cause) {
    return Stop{Ending::raised, cause, static_cast<std::uint32_t>(at - first)};
  };
  for (;;) {
    const Instruction& i = *at;
    const auto jump_when = [&](bool taken) { at = taken ? first + i.target : at + 1; };
    if (i.code > static_cast<std::uint16_t>(Opcode::finish_not_matched)) std::unreachable();
    switch (static_cast<Opcode>(i.code)) {
      case Opcode::jump:
        at = first + i.target;
        continue;
      case Opcode::jump_if:
        jump_when(cells[i.left] != 0);
        continue;
      case Opcode::jump_unless:
        jump_when(cells[i.left] == 0);
        continue;
      case Opcode::jump_equal:
        jump_when(cells[i.left] == cells[i.right]);
        continue;
      case Opcode::jump_not_equal:
        jump_when(cells[i.left] != cells[i.right]);
        continue;
      case Opcode::jump_less:
        jump_when(cells[i.left] < cells[i.right]);
        continue;
      case Opcode::jump_less_equal:
        jump_when(cells[i.left] <= cells[i.right]);
        continue;
      case Opcode::jump_in:
        jump_when(contains(cells + i.right, i.destination, cells[i.left]));
        continue;
      case Opcode::jump_not_in:
        jump_when(!contains(cells + i.right, i.destination, cells[i.left]));
        continue;
      case Opcode::jump_cells_equal:
        jump_when(cells_equal(cells + i.left, cells + i.right, i.destination));
        continue;
      case Opcode::jump_cells_differ:
        jump_when(!cells_equal(cells + i.left, cells + i.right, i.destination));
        continue;
      case Opcode::jump_lists_equal:
        jump_when(lists_equal(cells + i.left, cells + i.right, i.destination));
        continue;
      case Opcode::jump_lists_differ:
        jump_when(!lists_equal(cells + i.left, cells + i.right, i.destination));
        continue;
      case Opcode::jump_any:
        jump_when(any(cells + i.left));
        continue;
      case Opcode::jump_none:
        jump_when(!any(cells + i.left));
        continue;
      case Opcode::move:
        cells[i.destination] = cells[i.left];
        break;
      case Opcode::add:
        if (__builtin_add_overflow(cells[i.left], cells[i.right], &cells[i.destination]))
          return raised(RaiseCause::overflow);
        break;
      case Opcode::subtract:
        if (__builtin_sub_overflow(cells[i.left], cells[i.right], &cells[i.destination]))
          return raised(RaiseCause::overflow);
        break;
      case Opcode::multiply:
        if (__builtin_mul_overflow(cells[i.left], cells[i.right], &cells[i.destination]))
          return raised(RaiseCause::overflow);
        break;
      case Opcode::floor_divide:
        if (cells[i.right] == 0) return raised(RaiseCause::division_by_zero);
        if (!floor_divide(cells[i.left], cells[i.right], cells[i.destination]))
          return raised(RaiseCause::overflow);
        break;
      case Opcode::modulo:
        if (cells[i.right] == 0) return raised(RaiseCause::division_by_zero);
        cells[i.destination] = floor_modulo(cells[i.left], cells[i.right]);
        break;
      case Opcode::ceil_div: {
        std::int64_t value = 0;
        if (__builtin_sub_overflow(std::int64_t{0}, cells[i.left], &value))
          return raised(RaiseCause::overflow);
        if (cells[i.right] == 0) return raised(RaiseCause::division_by_zero);
        if (!floor_divide(value, cells[i.right], value) ||
            __builtin_sub_overflow(std::int64_t{0}, value, &cells[i.destination]))
          return raised(RaiseCause::overflow);
        break;
      }
      case Opcode::minimum:
        cells[i.destination] = std::min(cells[i.left], cells[i.right]);
        break;
      case Opcode::maximum:
        cells[i.destination] = std::max(cells[i.left], cells[i.right]);
        break;
      case Opcode::negate:
        if (__builtin_sub_overflow(std::int64_t{0}, cells[i.left], &cells[i.destination]))
          return raised(RaiseCause::overflow);
        break;
      case Opcode::absolute:
        if (cells[i.left] == std::numeric_limits<std::int64_t>::min())
          return raised(RaiseCause::overflow);
        cells[i.destination] = cells[i.left] < 0 ? -cells[i.left] : cells[i.left];
        break;
      case Opcode::element: {
        std::int64_t index = cells[i.right];
        if (!normalise(cells[i.left], index)) return raised(RaiseCause::index_out_of_range);
        cells[i.destination] = cells[i.left + 1 + index];
        break;
      }
      case Opcode::element_at:
        if (i.right >= cells[i.left]) return raised(RaiseCause::index_out_of_range);
        cells[i.destination] = cells[i.left + 1 + i.right];
        break;
      case Opcode::gather: {
        if (static_cast<std::int64_t>(i.target) >= cells[i.right])
          return raised(RaiseCause::index_out_of_range);
        std::int64_t index = cells[i.right + 1 + i.target];
        if (!normalise(cells[i.left], index)) return raised(RaiseCause::index_out_of_range);
        cells[i.destination] = cells[i.left + 1 + index];
        break;
      }
      case Opcode::check_index: {
        std::int64_t index = cells[i.right];
        if (!normalise(cells[i.left], index)) return raised(RaiseCause::index_out_of_range);
        cells[i.destination] = index;
        break;
      }
      case Opcode::load:
        cells[i.destination] = cells[i.left + cells[i.right] * i.target];
        break;
      case Opcode::pack:
        cells[i.destination] = pack(cells + i.left, i.right);
        break;
      case Opcode::range_length: {
        const std::int64_t start = cells[i.left];
        const std::int64_t stop = cells[i.right];
        const std::uint64_t length =
            stop <= start ? 0
                          : static_cast<std::uint64_t>(stop) - static_cast<std::uint64_t>(start);
        if (length > i.target) return raised(RaiseCause::range_too_long);
        cells[i.destination] = static_cast<std::int64_t>(length);
        break;
      }
      case Opcode::skip_if_computed:
        jump_when((computed >> i.left & 1) != 0);
        continue;
      case Opcode::mark_computed:
        computed |= std::uint64_t{1} << i.left;
        break;
      case Opcode::raise:
        return raised(static_cast<RaiseCause>(i.left));
      case Opcode::finish_matched:
        return {.ending = Ending::matched, .number = i.target};
      case Opcode::finish_not_matched:
        return {.ending = Ending::not_matched, .number = i.target};
    }
    ++at;
  }
}

}  // namespace

Workspace TableProgram::make_workspace() const {
  Workspace workspace;
  workspace.cells_.assign(cell_count_, 0);
  std::ranges::copy(constants_,
                    workspace.cells_.begin() + static_cast<std::ptrdiff_t>(record_size_));
  workspace.record_size_ = record_size_;
  return workspace;
}

TableOutcome TableProgram::first_match(Workspace& workspace) const {
  assert(workspace.cells_.size() == cell_count_);
  if (code_.empty()) return {};
  const Stop stop = run(code_, 0, workspace.cells_.data());
  switch (stop.ending) {
    case Ending::matched:
      return {.kind = TableOutcome::Kind::matched, .row = stop.number};
    case Ending::not_matched:
      return {};
    case Ending::raised:
      break;
  }
  const CodeSite& site = sites_[stop.number];
  return {TableOutcome::Kind::raised, site.row, site.clause, stop.cause};
}

PredicateOutcome TableProgram::run_row(std::size_t row, Workspace& workspace) const {
  assert(workspace.cells_.size() == cell_count_ && row < rows_.size());
  const Stop stop = run(code_, rows_[row].entry, workspace.cells_.data());
  switch (stop.ending) {
    case Ending::matched:
      return {};
    case Ending::not_matched:
      return {.kind = PredicateOutcome::Kind::not_matched, .clause = stop.number};
    case Ending::raised:
      break;
  }
  return {PredicateOutcome::Kind::raised, sites_[stop.number].clause, stop.cause};
}

TableOutcome TableProgram::first_match(std::span<const std::int64_t> record,
                                       Workspace& workspace) const {
  assert(record.size() == record_size_);
  std::ranges::copy(record, workspace.cells_.begin());
  return first_match(workspace);
}

PredicateOutcome TableProgram::run_row(std::size_t row, std::span<const std::int64_t> record,
                                       Workspace& workspace) const {
  assert(record.size() == record_size_);
  std::ranges::copy(record, workspace.cells_.begin());
  return run_row(row, workspace);
}

}  // namespace convproof
