#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace convproof {

// Why an evaluation raises instead of giving a value.
enum class RaiseCause : std::uint8_t {
  index_out_of_range,
  division_by_zero,
  overflow,        // a value outside int64
  empty_sequence,  // min or max of nothing
  range_too_long,  // a range longer than the schema's bounds allow
  assertion,       // an assert clause that is false; its message is the clause's
};

// `list index out of range`; for `assertion` a text for a clause without message.
std::string_view message_of(RaiseCause cause);

// What one predicate says of one record. `clause` is the first false clause, or the clause that
// raised.
struct PredicateOutcome {
  enum class Kind : std::uint8_t { matched, not_matched, raised };

  Kind kind = Kind::matched;
  std::uint32_t clause = 0;
  RaiseCause cause = RaiseCause::assertion;  // where it raised

  bool operator==(const PredicateOutcome&) const = default;
};

// What an ordered table says of one record: the first row that matches, or that raises before any
// matched.
struct TableOutcome {
  enum class Kind : std::uint8_t { matched, none, raised };

  Kind kind = Kind::none;
  std::uint32_t row = 0;                     // where it matched or raised
  std::uint32_t clause = 0;                  // where it raised
  RaiseCause cause = RaiseCause::assertion;  // where it raised

  bool operator==(const TableOutcome&) const = default;
};

}  // namespace convproof
