// How the time to prove a table grows with its rows, beside a naive prover: each pair of rows to a
// fresh solver, with all of the schema's axioms, once whether both match and once whether the later
// matches what the earlier does not. The naive one sees no row that several others shadow together.
//
//   growth_benchmark [ROWS...]   by default 10 25 50 100 200 400; CONVPROOF_NAIVE_SECONDS=120 is
//                                where the naive prover stops and its time is extrapolated
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <expected>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <z3++.h>

#include "props/proofs/encode.h"
#include "props/proofs/generated_table.h"
#include "props/proofs/prove_table.h"
#include "props/proofs/solve.h"

namespace convproof::proofs {
namespace {

constexpr std::uint64_t seed = 1;

class Stopwatch {
 public:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  }

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

struct Naive {
  double seconds = 0;  // of `pairs`
  std::size_t pairs = 0;
  std::size_t all_pairs = 0;
  std::size_t unknown = 0;
};

// On one core; the numbers are as large as the schema allows.
Naive prove_pairs(const Registry& registry, double budget) {
  constexpr unsigned milliseconds = 10'000;  // per question
  const auto shapes = record_shapes(registry.schema, {});
  const auto plane = std::ranges::find_if(shapes, [&](const RecordShape& shape) {
    Encoder encoder(registry.schema, shape);
    return !encoder.graph().is_false(encoder.predicate(registry.gate).matched);
  });
  Encoder encoder(registry.schema, {.fixed = plane->fixed});
  std::vector<Node> rows;
  for (const Row& row : registry.rows) rows.push_back(encoder.predicate(row.predicate).matched);
  const std::vector<Node> background = encoder.axioms();
  const std::size_t all_pairs = rows.size() * (rows.size() - 1) / 2;
  Naive naive{.all_pairs = all_pairs};
  // An even spread of the pairs, so that those asked stand for the rest.
  const std::size_t step = std::max<std::size_t>(all_pairs / 2 | 1U, 1);
  std::vector<std::pair<std::size_t, std::size_t>> pairs;
  for (std::size_t j = 0; j < rows.size(); ++j) {
    for (std::size_t i = 0; i < j; ++i) pairs.emplace_back(i, j);
  }
  const Stopwatch watch;
  std::size_t at = 0;
  for (; naive.pairs < all_pairs && watch.seconds() < budget; ++naive.pairs) {
    const auto [i, j] = pairs[at];
    for (const Node earlier : {rows[i], encoder.graph().negation(rows[i])}) {
      const std::vector<Node> asked{earlier, rows[j]};
      z3::context context;
      z3::solver solver(context);
      z3::params parameters(context);
      parameters.set("timeout", milliseconds);
      solver.set(parameters);
      solver.from_string(to_smt2(encoder.graph(), background, asked, "pair").c_str());
      if (solver.check() == z3::unknown) ++naive.unknown;
    }
    at = (at + step) % all_pairs;
  }
  naive.seconds = watch.seconds();
  return naive;
}

struct Measured {
  double seconds = 0;
  std::size_t unknown = 0;
  std::size_t planted_found = 0;
};

std::expected<Measured, LocatedError> prove(const GeneratedTable& table,
                                            std::vector<FindingKind> kinds) {
  ProveOptions options;
  options.kinds = std::move(kinds);
  const Stopwatch watch;
  const auto report = prove_table(table.registry, options);
  Measured measured{.seconds = watch.seconds()};
  if (!report) return std::unexpected(report.error());
  measured.unknown = report->unknown;
  for (const PlantedRow& planted : table.planted) {
    for (const Finding& finding : report->findings) {
      if (finding.kind != FindingKind::shadowed || finding.row != planted.row) continue;
      std::vector<std::string> by;
      for (const Blocker& blocker : finding.by) by.push_back(blocker.row);
      if (by == planted.by) ++measured.planted_found;
    }
  }
  return measured;
}

int run(const std::vector<std::size_t>& sizes, double budget) {
  fmt::print("{:>5} {:>8} {:>8} {:>10} {:>12} {:>8} {:>22} {:>9}\n", "rows", "planted", "found",
             "full s", "pairwise s", "unknown", "naive s", "unknown");
  for (const std::size_t rows : sizes) {
    const auto table = generated_table(rows, seed);
    if (!table) {
      fmt::print(stderr, "{}\n", to_string(table.error()));
      return 1;
    }
    const auto pairwise =
        prove(*table, {FindingKind::shadowed, FindingKind::contradiction, FindingKind::overlap});
    const auto full = prove(*table, {});
    if (!pairwise || !full) {
      fmt::print(stderr, "{} rows: {}\n", rows, to_string((pairwise ? full : pairwise).error()));
      return 1;
    }
    std::string naive_text = "-";
    std::string naive_unknown = "-";
    if (budget > 0) {
      const Naive naive = prove_pairs(table->registry, budget);
      const bool all = naive.pairs == naive.all_pairs;
      const double total = naive.seconds * static_cast<double>(naive.all_pairs) /
                           static_cast<double>(std::max<std::size_t>(naive.pairs, 1));
      naive_text = all ? fmt::format("{:.1f}", total)
                       : fmt::format("~{:.0f} ({} of {})", total, naive.pairs, naive.all_pairs);
      naive_unknown = fmt::format("{}{}", naive.unknown, all ? "" : "+");
    }
    fmt::print("{:>5} {:>8} {:>8} {:>10.1f} {:>12.1f} {:>8} {:>22} {:>9}\n", rows,
               table->planted.size(), full->planted_found, full->seconds, pairwise->seconds,
               full->unknown + pairwise->unknown, naive_text, naive_unknown);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace convproof::proofs

int main(int argc, char** argv) {
  std::vector<std::size_t> sizes;
  for (int i = 1; i < argc; ++i) sizes.push_back(std::strtoul(argv[i], nullptr, 10));
  if (sizes.empty()) sizes = {10, 25, 50, 100, 200, 400};
  const char* const budget = std::getenv("CONVPROOF_NAIVE_SECONDS");
  return convproof::proofs::run(sizes, budget == nullptr ? 120 : std::strtod(budget, nullptr));
}
