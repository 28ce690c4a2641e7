#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "oracle/check.h"
#include "selector/op/conv_op.h"
#include "selector/registry/matcher.h"

namespace convproof::fuzz {

// Tells libFuzzer what code coverage cannot see in an interpreter of tables, through its extra
// counters: which clause of each row was false or raised, or that the row matched; which row was
// lowered with which bridges and how that ended; which contract clauses do not hold; and which
// sizes stand at the edges of tiles.
//
// Counting is off until `enable_counters(true)`: without libFuzzer nobody reads it.
void enable_counters(bool on);
bool counters_enabled();

void count_row_outcomes(const std::vector<PredicateOutcome>& outcomes);
// `bridges`: a bit per transpose of the lowered program.
void count_verdict(const oracle::Verdict& verdict, unsigned bridges);
void count_broken_clause(std::size_t kernel, std::size_t clause);
void count_sizes(const ConvOp& op);

// Of tables of candidates: a rewrite that was applied, a candidate and what it came to, a result
// that nothing computes.
void count_rewrite(std::size_t row);
void count_candidate(std::size_t row, std::size_t entry, oracle::CheckClass value);
void count_missing(std::size_t result);

// For text targets: that a message was given. Digits and quoted parts do not tell messages apart.
void count_message(std::string_view message);

// Counters that are not zero: what a test of this file sees.
std::size_t counters_set();
void clear_counters();

}  // namespace convproof::fuzz
