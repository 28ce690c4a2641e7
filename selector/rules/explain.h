#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "selector/rules/predicate.h"
#include "selector/rules/schema.h"

namespace convproof {

// What one clause says of one record.
struct ClauseExplanation {
  enum class Kind : std::uint8_t { holds, fails, raises, not_reached };

  // A name the clause reads, with its value; `value` is `raises: TEXT` where there is none.
  struct NamedValue {
    std::string name{};
    std::string value{};
    bool operator==(const NamedValue&) const = default;
  };

  Kind kind = Kind::not_reached;
  std::string text{};                // canonical text, as `fgc == 1`
  std::string substituted{};         // names replaced by their values, as `64 == 1`
  std::string message{};             // where it raises
  std::vector<NamedValue> values{};  // in order of first occurrence, definitions followed by what
                                     // they read; no name twice

  bool operator==(const ClauseExplanation&) const = default;
};

// One entry per clause. Clauses after the first that fails or raises are `not_reached`; their
// values are given all the same.
std::vector<ClauseExplanation> explain(const Predicate& predicate, const Schema& schema,
                                       std::span<const std::int64_t> record);

}  // namespace convproof
