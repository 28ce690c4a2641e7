#include "props/proofs/diff_tables.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "props/proofs/diff_candidates.h"
#include "props/proofs/prover.h"
#include "selector/lowering/lowering_rule.h"

namespace convproof::proofs {
namespace {

// A destination with the condition under which a convolution goes there.
struct Route {
  Destination destination{};
  const LoweringRule* lowering = nullptr;
  Condition condition{};
};

std::vector<const Row*> enabled_rows(const Registry& registry) {
  std::vector<const Row*> rows;
  for (const RowList& list : registry.lists) {
    if (!list.enabled) continue;
    for (std::size_t i = 0; i < list.count; ++i) rows.push_back(&registry.rows[list.first + i]);
  }
  return rows;
}

// `gate` and the predicates after it are the table's in the prover's numbering.
std::vector<Route> routes_of(const Registry& registry, std::uint32_t gate) {
  std::vector<Route> routes;
  Condition reached;
  reached.also(matches(gate));
  std::uint32_t predicate = gate;
  for (const Row* row : enabled_rows(registry)) {
    ++predicate;
    Route wins{.destination = {Destination::What::row, row->id, row->kernel},
               .lowering = &row->lowering,
               .condition = reached};
    wins.condition.also(matches(predicate));
    Route aborts{.destination = {Destination::What::raises, row->id, {}}, .condition = reached};
    aborts.condition.also(raises(predicate));
    routes.push_back(std::move(wins));
    routes.push_back(std::move(aborts));
    reached.also(passes(predicate));
  }
  routes.push_back({.destination = {}, .condition = std::move(reached)});
  Route gated;
  gated.condition.also(matches(gate, false));
  routes.push_back(std::move(gated));
  return routes;
}

bool alike(const Route& a, const Route& b) {
  if (a.destination.what != b.destination.what) return false;
  return a.destination.what != Destination::What::row ||
         (a.destination.kernel == b.destination.kernel && *a.lowering == *b.lowering);
}

// The changes from one route of the old table.
struct Departure {
  std::size_t proved = 0;
  std::vector<Change> changes{};
};

Departure departure(const Route& from, const std::vector<Route>& routes,
                    Investigation& investigation) {
  Departure result;
  const Samples& samples = investigation.prover().samples();
  for (const Route& to : routes) {
    if (alike(from, to)) continue;
    Condition both = from.condition;
    both.all.insert(both.all.end(), to.condition.all.begin(), to.condition.all.end());
    Change change{.from = from.destination, .to = to.destination};
    const Answer answer = investigation.decide(both);
    switch (answer.status) {
      case Answer::Status::impossible:
        ++result.proved;
        continue;
      case Answer::Status::unknown:
        change.status = FindingStatus::unknown;
        change.detail = answer.reason;
        change.internal = answer.internal;
        break;
      case Answer::Status::witness:
        change.witness = investigation.shrunk(both, answer.record);
        change.share = samples.domain_size() == 0
                           ? 0
                           : static_cast<double>(samples.matching(both).size()) /
                                 static_cast<double>(samples.domain_size());
        break;
    }
    // No row and a closed gate are one destination.
    const auto same = std::ranges::find_if(result.changes, [&](const Change& known) {
      return known.from == change.from && known.to == change.to;
    });
    if (same == result.changes.end()) result.changes.push_back(std::move(change));
  }
  return result;
}

}  // namespace

std::expected<DiffReport, LocatedError> diff_tables(const Registry& old_table,
                                                    const Registry& new_table,
                                                    const ProveOptions& options) {
  if (old_table.schema != new_table.schema) {
    return std::unexpected(
        LocatedError{.error = {.place = new_table.name + ".schema",
                               .value = new_table.schema.name,
                               .rule = fmt::format("must be the schema of {} ({})", old_table.name,
                                                   old_table.schema.name)}});
  }
  if (old_table.policy != new_table.policy) {
    return std::unexpected(
        LocatedError{.error = {.place = new_table.name + ".policy",
                               .value = {},
                               .rule = "must be the policy of " + old_table.name}});
  }
  if (old_table.policy == Policy::collect_all)
    return diff_candidates(old_table, new_table, options);
  const auto subject = find_subject(old_table.schema);
  if (!subject) return std::unexpected(subject.error());
  std::vector<Predicate> predicates{{.parameters = {}, .clauses = options.assumed}};
  const auto add = [&](const Registry& registry) {
    const auto gate = static_cast<std::uint32_t>(predicates.size());
    predicates.push_back(registry.gate);
    for (const Row* row : enabled_rows(registry)) predicates.push_back(row->predicate);
    return gate;
  };
  const std::uint32_t old_gate = add(old_table);
  const std::uint32_t new_gate = add(new_table);
  auto prover = Prover::create(*subject, std::move(predicates), options.prover);
  if (!prover) return std::unexpected(std::move(prover.error()));
  const std::vector<Route> old_routes = routes_of(old_table, old_gate);
  const std::vector<Route> new_routes = routes_of(new_table, new_gate);
  std::vector<Departure> departures(old_routes.size());
  std::atomic<std::size_t> done = 0;
  std::atomic<bool> stopped = false;
  for_each_index(old_routes.size(), prover->options().threads,
                 [&](std::size_t index, std::size_t /*thread*/) {
                   if (options.interrupted && options.interrupted()) stopped = true;
                   if (stopped) return;
                   Investigation investigation(*prover, fmt::format("diff-{}", index));
                   departures[index] = departure(old_routes[index], new_routes, investigation);
                   if (options.progress) options.progress(++done, old_routes.size());
                 });
  DiffReport report{.old_registry = old_table.name,
                    .new_registry = new_table.name,
                    .bounds = bounds_text(*prover),
                    .seed = options.prover.seed,
                    .samples = prover->samples().domain_size(),
                    .subject = *subject,
                    .interrupted = stopped};
  for (Departure& departure : departures) {
    report.proved += departure.proved;
    for (Change& change : departure.changes) report.changes.push_back(std::move(change));
  }
  return report;
}

int exit_status(const DiffReport& report) {
  const bool undecided = std::ranges::any_of(report.changes, [](const Change& change) {
    return change.internal || change.status == FindingStatus::unknown;
  });
  if (report.interrupted || undecided) return 3;
  return report.changes.empty() ? 0 : 1;
}

}  // namespace convproof::proofs
