#include "fuzz/extra_counters.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "selector/registry/matcher.h"

namespace convproof::fuzz {
namespace {

// Rows, clauses and kernels beyond these share counters, which costs guidance and nothing else.
constexpr std::size_t max_rows = 16;
constexpr std::size_t max_clauses = 24;
constexpr std::size_t max_kernels = 8;
constexpr std::size_t max_entries = 32;
constexpr std::size_t edge_classes = 12;
constexpr std::size_t edge_sizes = 11;
constexpr std::size_t message_counters = 256;

struct Counters {
  std::array<std::uint8_t, max_rows * (2 * max_clauses + 1)> rows{};
  std::array<std::uint8_t, max_rows * 8 * oracle::check_classes.size()> winners{};
  std::array<std::uint8_t, max_kernels * max_clauses> contracts{};
  std::array<std::uint8_t, max_rows> rewrites{};
  std::array<std::uint8_t, max_rows*(oracle::check_classes.size() + max_entries)> candidates{};
  std::array<std::uint8_t, max_rows> missing{};
  std::array<std::uint8_t, edge_sizes * edge_classes> edges{};
  std::array<std::uint8_t, message_counters> messages{};
};

// libFuzzer reads and clears the section by its name.
__attribute__((section("__libfuzzer_extra_counters"))) Counters counters;

bool counting = false;

void set(std::uint8_t& counter) { counter = 1; }

std::size_t edge_class(std::int64_t size) {
  constexpr std::array<std::int64_t, edge_classes - 1> bounds{1,   2,   4,   16,  127, 128,
                                                              129, 510, 511, 512, 513};
  return static_cast<std::size_t>(std::ranges::lower_bound(bounds, size) - bounds.begin());
}

}  // namespace

void enable_counters(bool on) { counting = on; }
bool counters_enabled() { return counting; }

void count_row_outcomes(const std::vector<PredicateOutcome>& outcomes) {
  if (!counting) return;
  for (std::size_t row = 0; row < outcomes.size(); ++row) {
    const PredicateOutcome& outcome = outcomes[row];
    const std::size_t clause = outcome.clause % max_clauses;
    const std::size_t place = outcome.kind == PredicateOutcome::Kind::matched  ? 0
                              : outcome.kind == PredicateOutcome::Kind::raised ? 1 + 2 * clause
                                                                               : 2 + 2 * clause;
    set(counters.rows[(row % max_rows) * (2 * max_clauses + 1) + place]);
  }
}

void count_verdict(const oracle::Verdict& verdict, unsigned bridges) {
  if (!counting) return;
  const std::size_t row = verdict.row ? (*verdict.row + 1) % max_rows : 0;
  const auto value = static_cast<std::size_t>(verdict.value);
  set(counters.winners[(row * 8 + bridges % 8) * oracle::check_classes.size() + value]);
}

void count_broken_clause(std::size_t kernel, std::size_t clause) {
  if (!counting) return;
  set(counters.contracts[(kernel % max_kernels) * max_clauses + clause % max_clauses]);
}

void count_rewrite(std::size_t row) {
  if (counting) set(counters.rewrites[row % max_rows]);
}

void count_candidate(std::size_t row, std::size_t entry, oracle::CheckClass value) {
  if (!counting) return;
  constexpr std::size_t classes = oracle::check_classes.size();
  std::uint8_t* const of_row = &counters.candidates[(row % max_rows) * (classes + max_entries)];
  set(of_row[static_cast<std::size_t>(value)]);
  set(of_row[classes + entry % max_entries]);
}

void count_missing(std::size_t result) {
  if (counting) set(counters.missing[result % max_rows]);
}

void count_sizes(const ConvOp& op) {
  if (!counting) return;
  const LogicalSizes sizes = logical_sizes(op);
  std::size_t place = 0;
  const auto count = [&](std::int64_t size) {
    set(counters.edges[(place++ % edge_sizes) * edge_classes + edge_class(size)]);
  };
  count(sizes.batch);
  count(sizes.input_features);
  count(sizes.output_features);
  count(op.feature_group_count);
  count(op.batch_group_count);
  for (std::size_t axis = 0; axis < std::min<std::size_t>(sizes.input.size(), 2); ++axis) {
    count(sizes.input[axis]);
    count(sizes.kernel[axis]);
    count(sizes.result[axis]);
  }
}

void count_message(std::string_view message) {
  if (!counting) return;
  std::uint32_t hash = 2166136261U;  // FNV-1a
  bool quoted = false;
  for (const char c : message) {
    if (c == '"' || c == '`' || c == '\'') quoted = !quoted;
    if (quoted || (c >= '0' && c <= '9')) continue;
    hash = (hash ^ static_cast<std::uint8_t>(c)) * 16777619U;
  }
  set(counters.messages[hash % message_counters]);
}

std::size_t counters_set() {
  const auto of = [](const auto& part) {
    return static_cast<std::size_t>(
        std::ranges::count_if(part, [](std::uint8_t c) { return c != 0; }));
  };
  return of(counters.rewrites) + of(counters.candidates) + of(counters.missing) +
         of(counters.rows) + of(counters.winners) + of(counters.contracts) + of(counters.edges) +
         of(counters.messages);
}

void clear_counters() { counters = {}; }

}  // namespace convproof::fuzz
