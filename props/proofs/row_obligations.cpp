#include "props/proofs/row_obligations.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "props/proofs/execution.h"
#include "selector/rules/predicate.h"

namespace convproof::proofs {
namespace {

Condition with(Condition condition, Literal literal) {
  condition.also(literal);
  return condition;
}

std::string clause_name(std::size_t clause) { return fmt::format("clause {}", clause + 1); }

}  // namespace

Finding RowObligations::start(FindingKind kind, std::uint32_t row, const std::string& last) const {
  const Row& facts = row_at(row);
  return {.kind = kind,
          .row = facts.id,
          .row_number = facts.number,
          .line = facts.line,
          .kernel = facts.kernel,
          .signature = fmt::format("{}/{}/{}{}{}", questions_.registry().name, info(kind).name,
                                   facts.id, last.empty() ? "" : "/", last)};
}

void RowObligations::undecided(Finding finding, const Answer& answer) {
  ++found_.unknown;
  finding.status = FindingStatus::unknown;
  finding.detail = answer.reason;
  finding.internal = answer.internal;
  found_.findings.push_back(std::move(finding));
}

bool RowObligations::settle(Finding finding, const Answer& answer, const Condition& condition) {
  switch (answer.status) {
    case Answer::Status::impossible:
      ++found_.proved;
      return false;
    case Answer::Status::unknown:
      undecided(std::move(finding), answer);
      return false;
    case Answer::Status::witness:
      break;
  }
  ++found_.witness;
  finding.status = FindingStatus::witness;
  if (!finding.witness) finding.witness = investigation_.shrunk(condition, answer.record);
  if (!investigation_.holds(condition, *finding.witness)) {
    finding.internal = true;
    finding.detail = "the witness fails its replay";
  }
  found_.findings.push_back(std::move(finding));
  return true;
}

double RowObligations::share(const Condition& part, const Condition& whole) const {
  const Samples& samples = investigation_.prover().samples();
  const std::size_t all = samples.matching(whole).size();
  if (all == 0) return 0;
  return static_cast<double>(samples.matching(part).size()) / static_cast<double>(all);
}

void RowObligations::raises_of(std::uint32_t row) {
  const Predicate& predicate = questions_.predicate(row);
  for (std::size_t clause = 0; clause < predicate.clauses.size(); ++clause) {
    Condition condition = questions_.reaches(row);
    Literal raise = raises(questions_.row(row));
    raise.clause = static_cast<std::uint32_t>(clause);
    condition.also(raise);
    const std::string text = to_string(predicate.clauses[clause]);
    Finding finding = start(FindingKind::raises, row, text);
    finding.clause = clause_name(clause);
    finding.clause_text = text;
    const Answer answer = investigation_.decide(condition);
    if (answer.status == Answer::Status::witness) {
      finding.witness = investigation_.shrunk(condition, answer.record);
      finding.effect = execute(row, *finding.witness);
      finding.detail = executor_.describe(row, *finding.witness, seed_);
    }
    settle(std::move(finding), answer, condition);
  }
}

std::vector<std::size_t> RowObligations::cheapest(std::vector<std::size_t> found) const {
  const Prover& prover = investigation_.prover();
  std::ranges::sort(found, {}, [&](std::size_t sample) {
    return std::pair(prover.subject().work(prover.samples().record(sample)).multiply_adds, sample);
  });
  return found;
}

std::optional<Record> RowObligations::telling_neighbour(std::uint32_t row, const Record& record,
                                                        const Condition& condition,
                                                        Effect expected) {
  if (execute(row, record) == expected) return record;
  std::optional<Record> found;
  investigation_.prover().subject().visit_neighbours(record, [&](const Record& candidate) {
    if (!investigation_.holds(condition, candidate) || execute(row, candidate) != expected) {
      return false;
    }
    found = candidate;
    return true;
  });
  return found;
}

Record RowObligations::telling_witness(std::uint32_t row, const Condition& condition,
                                       const Condition& isolated, Effect expected,
                                       const Record& otherwise, bool& alone) {
  constexpr std::size_t most = 24;
  const Samples& samples = investigation_.prover().samples();
  std::optional<Record> best;
  alone = true;
  for (const std::size_t sample : cheapest(samples.matching(isolated).first(most))) {
    if (!best) best = samples.record(sample);
    if (execute(row, samples.record(sample)) == expected) return samples.record(sample);
  }
  if (!best) best = investigation_.neighbour(isolated);
  // The smallest convolutions may be too small to show the breach.
  if (best) {
    if (std::optional<Record> near = telling_neighbour(row, *best, isolated, expected)) {
      return std::move(*near);
    }
  }
  std::vector<Condition> asked{with(isolated, matches(questions_.has_elements()))};
  if (!best) asked.push_back(isolated);
  for (const Condition& question : asked) {
    const Answer answer = investigation_.solve(question);
    if (answer.status != Answer::Status::witness) continue;
    // A solver's numbers are any; the breach shows near plain ones.
    const Record plain = investigation_.shrunk(question, answer.record);
    std::optional<Record> near = telling_neighbour(row, plain, isolated, expected);
    return near ? std::move(*near) : answer.record;
  }
  if (best) return *best;
  alone = false;
  for (const std::size_t sample : cheapest(samples.matching(condition).first(most))) {
    if (execute(row, samples.record(sample)) == expected) return samples.record(sample);
  }
  return otherwise;
}

Record RowObligations::shrunk_to(std::uint32_t row, Effect effect, const Condition& condition,
                                 const Record& record) {
  // Without executing anything first: it costs little, and mostly the effect stays.
  const Record plain = investigation_.shrunk(condition, record);
  if (execute(row, plain) == effect) return plain;
  // What is too large to execute may still become what shows the effect.
  constexpr std::int64_t large = 1 << 20;
  std::int64_t budget = 40'000'000;  // multiply-adds and elements
  const Record shown = investigation_.shrunk(condition, record, [&](const Record& candidate) {
    const Work work = investigation_.prover().subject().work(candidate);
    if (work.elements > large || work.multiply_adds > large) return true;
    budget -= work.multiply_adds + work.elements;
    return budget >= 0 && execute(row, candidate) == effect;
  });
  return execute(row, shown) == effect ? shown : plain;
}

void RowObligations::unsound_of(std::uint32_t row) {
  const auto kernel = questions_.kernel(row);
  if (!kernel) return;
  const auto& contract = questions_.registry().kernels.kernels[*kernel].contract;
  for (std::size_t clause = 0; clause < contract.size(); ++clause) {
    Finding finding = start(FindingKind::unsound, row, contract[clause].id);
    finding.clause = contract[clause].id;
    finding.clause_text = to_string(contract[clause].clause);
    if (questions_.reads_parameters(*kernel, clause)) {
      unsound_tunings_of(row, clause, std::move(finding));
      continue;
    }
    const Condition condition =
        with(questions_.wins(row), matches(questions_.contract(*kernel, clause), false));
    const Answer answer = investigation_.decide(condition);
    // Best a witness that breaks no other clause, and on which the breach shows.
    Condition isolated = condition;
    for (std::size_t other = 0; other < contract.size(); ++other) {
      if (other == clause || questions_.reads_parameters(*kernel, other)) continue;
      isolated.also(matches(questions_.contract(*kernel, other)));
    }
    report_unsound(row, expected_effect(contract[clause].violation), condition, isolated, answer,
                   std::move(finding));
  }
}

// One obligation: no tuning that is offered breaks the clause.
void RowObligations::unsound_tunings_of(std::uint32_t row, std::size_t clause, Finding finding) {
  const auto& contract = questions_.registry().kernels.kernels[*questions_.kernel(row)].contract;
  std::optional<Answer> open;
  for (const TunedClause& tuned : questions_.tuned(row, clause)) {
    Condition condition = with(questions_.wins(row), matches(tuned.kept));
    condition.also(matches(tuned.holds, false));
    const Answer answer = investigation_.decide(condition);
    if (answer.status == Answer::Status::impossible) continue;
    if (answer.status == Answer::Status::witness) {
      report_unsound(row, expected_effect(contract[clause].violation), condition, condition, answer,
                     std::move(finding));
      return;
    }
    open = answer;
  }
  if (open) {
    undecided(std::move(finding), *open);
  } else {
    ++found_.proved;
  }
}

void RowObligations::report_unsound(std::uint32_t row, Effect expected, const Condition& condition,
                                    const Condition& isolated, const Answer& answer,
                                    Finding finding) {
  if (answer.status != Answer::Status::witness) {
    settle(std::move(finding), answer, condition);
    return;
  }
  bool alone = false;
  const Record record = telling_witness(row, condition, isolated, expected, answer.record, alone);
  const Condition& kept = alone ? isolated : condition;
  Effect effect = execute(row, record);
  if (effect == Effect::not_executed) effect = expected;  // too large yet
  const Record small = shrunk_to(row, effect, kept, record);
  finding.effect = execute(row, small);
  finding.detail = executor_.describe(row, small, seed_);
  finding.witness = small;
  settle(std::move(finding), answer, condition);
}

void RowObligations::latent_of(std::uint32_t row) {
  const auto kernel = questions_.kernel(row);
  if (row == 0 || !kernel || !questions_.is_ordered(row)) return;
  const auto& contract = questions_.registry().kernels.kernels[*kernel].contract;
  for (std::size_t clause = 0; clause < contract.size(); ++clause) {
    Finding finding = start(FindingKind::latent, row, contract[clause].id);
    finding.clause = contract[clause].id;
    finding.clause_text = to_string(contract[clause].clause);
    Condition broken;
    broken.also(matches(questions_.row(row)));
    broken.also(matches(questions_.contract(*kernel, clause), false));
    Condition condition = broken;
    std::vector<Literal> taken;
    for (std::uint32_t earlier = 0; earlier < row; ++earlier) {
      taken.push_back(passes(questions_.row(earlier), false));
    }
    condition.also(std::move(taken));
    settle(std::move(finding), decide_latent(row, broken, condition), condition);
  }
}

// By cases, one for each row that may take what breaks the clause: a solver finds a disjunction
// over a whole table hard, and most of the cases impossible at once.
Answer RowObligations::decide_latent(std::uint32_t row, const Condition& broken,
                                     const Condition& condition) {
  if (std::optional<Record> found = investigation_.sample(condition)) {
    return {.status = Answer::Status::witness, .record = std::move(*found)};
  }
  const Answer breach = investigation_.decide(broken);
  if (breach.status == Answer::Status::impossible || breach.internal) return breach;
  if (breach.status == Answer::Status::witness && investigation_.holds(condition, breach.record)) {
    return breach;
  }
  Answer answer{.status = Answer::Status::impossible};
  for (std::uint32_t earlier = 0; earlier < row; ++earlier) {
    Answer here = investigation_.decide(with(broken, passes(questions_.row(earlier), false)));
    if (here.status == Answer::Status::witness) return here;
    if (here.status == Answer::Status::unknown) answer = std::move(here);
  }
  return answer;
}

void RowObligations::overlaps_of(std::uint32_t row) {
  if (!questions_.is_ordered(row)) return;
  for (std::uint32_t other = row + 1; other < questions_.row_count(); ++other) {
    if (!questions_.is_ordered(other)) continue;
    Condition condition;
    condition.also(matches(questions_.row(row))).also(matches(questions_.row(other)));
    Finding finding = start(FindingKind::overlap, row, row_at(other).id);
    finding.other = row_at(other).id;
    finding.detail =
        row_at(row).kernel == row_at(other).kernel ? "same kernel" : "different kernels";
    settle(std::move(finding), investigation_.decide(condition), condition);
  }
}

void RowObligations::redundant_clauses_of(std::uint32_t row) {
  const Predicate& predicate = questions_.predicate(row);
  const std::uint32_t whole = questions_.row(row);
  for (std::size_t clause = 0; clause < predicate.clauses.size(); ++clause) {
    const std::uint32_t part = questions_.without(row, clause);
    Condition differs;
    differs.also({matches(whole, false), matches(part, false)});
    differs.also({passes(whole, false), passes(part, false)});
    differs.also({raises(whole, false), raises(part, false)});
    const std::string text = to_string(predicate.clauses[clause]);
    Finding finding = start(FindingKind::redundant_clause, row, text);
    finding.clause = clause_name(clause);
    finding.clause_text = text;
    const Answer answer = investigation_.decide(differs);
    switch (answer.status) {
      case Answer::Status::impossible:
        ++found_.proved;
        finding.status = FindingStatus::proved;
        found_.findings.push_back(std::move(finding));
        break;
      case Answer::Status::witness:
        ++found_.witness;
        break;
      case Answer::Status::unknown:
        undecided(std::move(finding), answer);
        break;
    }
  }
}

void RowObligations::swap_of(std::uint32_t row) {
  if (!questions_.are_adjacent(row)) return;
  const std::uint32_t next = row + 1;
  Condition condition = questions_.reaches(row);
  condition.also(passes(questions_.row(row), false));
  condition.also(passes(questions_.row(next), false));
  condition.also({raises(questions_.row(row), false), raises(questions_.row(next), false)});
  Finding finding = start(FindingKind::swap, row, row_at(next).id);
  finding.other = row_at(next).id;
  finding.detail = row_at(row).kernel == row_at(next).kernel ? "same kernel" : "different kernels";
  settle(std::move(finding), investigation_.decide(condition), condition);
}

void RowObligations::unused(std::size_t kernel) {
  const KernelInfo& facts = questions_.registry().kernels.kernels[kernel];
  Condition condition;
  // What a tuning must be like is for the table's configurations to say.
  for (std::size_t clause = 0; clause < facts.contract.size(); ++clause) {
    if (questions_.reads_parameters(kernel, clause)) continue;
    condition.also(matches(questions_.contract(kernel, clause)));
  }
  const bool collects = questions_.registry().policy == Policy::collect_all;
  bool has_row = false;
  for (std::uint32_t row = 0; row < questions_.row_count(); ++row) {
    if (questions_.kernel(row) == kernel) {
      has_row = true;
      condition.also(matches(questions_.row(row), false));
    } else if (collects && questions_.is_ordered(row)) {
      condition.also(passes(questions_.row(row)));  // what a rewrite takes comes as something else
    }
  }
  if (!has_row) return;
  Finding finding{.kind = FindingKind::unused,
                  .kernel = facts.name,
                  .signature = fmt::format("{}/unused/{}", questions_.registry().name, facts.name)};
  settle(std::move(finding), investigation_.decide(condition), condition);
}

void RowObligations::gap(std::optional<std::size_t> result) {
  const Registry& registry = questions_.registry();
  Finding finding{.kind = FindingKind::gap, .signature = fmt::format("{}/gap", registry.name)};
  Condition condition;
  if (result) {
    finding.clause = registry.results[*result].name;
    finding.signature += "/" + finding.clause;
    condition.also(matches(questions_.requested(*result)));
  }
  for (std::uint32_t row = 0; row < questions_.row_count(); ++row) {
    const std::vector<std::uint32_t>& computes = registry.rows[row].results;
    if (questions_.is_ordered(row) || !result ||
        std::ranges::find(computes, static_cast<std::uint32_t>(*result)) != computes.end()) {
      condition.also(passes(questions_.row(row)));
    } else {
      condition.also(questions_.lets_through(row));
    }
  }
  settle(std::move(finding), investigation_.decide(condition), condition);
}

}  // namespace convproof::proofs
