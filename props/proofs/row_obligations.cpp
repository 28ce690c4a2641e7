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
#include "selector/op/tensor.h"
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
  if (!finding.witness) finding.witness = investigation_.shrunk(condition, answer.op);
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
  const Predicate& predicate = row_at(row).predicate;
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
      finding.witness = investigation_.shrunk(condition, answer.op);
      const Execution execution = execute_witness(checker_, *finding.witness, seed_);
      finding.effect = execution.effect;
      finding.detail = checker_.describe(*finding.witness, execution.verdict, seed_).detail;
    }
    settle(std::move(finding), answer, condition);
  }
}

ConvOp RowObligations::telling_witness(const Condition& condition, const Condition& isolated,
                                       Effect expected, const ConvOp& otherwise, bool& alone) {
  constexpr std::size_t most = 24;
  const Samples& samples = investigation_.prover().samples();
  std::optional<ConvOp> best;
  alone = true;
  for (const std::size_t sample : samples.matching(isolated).first(most)) {
    if (!best) best = samples.op(sample);
    if (execute_witness(checker_, samples.op(sample), seed_).effect == expected) {
      return samples.op(sample);
    }
  }
  if (best) return *best;
  for (const Condition& asked : {with(isolated, matches(questions_.has_elements())), isolated}) {
    const Answer answer = investigation_.solve(asked);
    if (answer.status == Answer::Status::witness) return answer.op;
  }
  alone = false;
  for (const std::size_t sample : samples.matching(condition).first(most)) {
    if (execute_witness(checker_, samples.op(sample), seed_).effect == expected) {
      return samples.op(sample);
    }
  }
  return otherwise;
}

ConvOp RowObligations::shrunk_to(Effect effect, const Condition& condition, const ConvOp& op) {
  // Without executing anything first: it costs little, and mostly the effect stays.
  const ConvOp plain = investigation_.shrunk(condition, op);
  if (execute_witness(checker_, plain, seed_).effect == effect) return plain;
  // What is too large to execute may still become what shows the effect.
  constexpr std::int64_t large = 1 << 20;
  std::int64_t work = 40'000'000;  // multiply-adds and elements
  const ConvOp shown = investigation_.shrunk(condition, op, [&](const ConvOp& candidate) {
    const std::int64_t elements = element_count(candidate.in_shape) +
                                  element_count(candidate.kern_shape) +
                                  element_count(candidate.res_shape);
    if (elements > large || multiply_adds(candidate) > large) return true;
    work -= multiply_adds(candidate) + elements;
    return work >= 0 && execute_witness(checker_, candidate, seed_).effect == effect;
  });
  return execute_witness(checker_, shown, seed_).effect == effect ? shown : plain;
}

void RowObligations::unsound_of(std::uint32_t row) {
  const std::size_t kernel = questions_.kernel(row);
  const auto& contract = questions_.registry().kernels.kernels[kernel].contract;
  for (std::size_t clause = 0; clause < contract.size(); ++clause) {
    const Condition condition =
        with(questions_.wins(row), matches(questions_.contract(kernel, clause), false));
    Finding finding = start(FindingKind::unsound, row, contract[clause].id);
    finding.clause = contract[clause].id;
    finding.clause_text = to_string(contract[clause].clause);
    const Answer answer = investigation_.decide(condition);
    if (answer.status != Answer::Status::witness) {
      settle(std::move(finding), answer, condition);
      continue;
    }
    // Best a witness that breaks no other clause, and on which the breach shows.
    Condition isolated = condition;
    for (std::size_t other = 0; other < contract.size(); ++other) {
      if (other != clause) isolated.also(matches(questions_.contract(kernel, other)));
    }
    bool alone = false;
    const Effect expected = expected_effect(contract[clause].violation);
    const ConvOp op = telling_witness(condition, isolated, expected, answer.op, alone);
    const Condition& kept = alone ? isolated : condition;
    Effect effect = execute_witness(checker_, op, seed_).effect;
    if (effect == Effect::not_executed) effect = expected;  // too large yet
    const ConvOp small = shrunk_to(effect, kept, op);
    const Execution execution = execute_witness(checker_, small, seed_);
    finding.effect = execution.effect;
    finding.detail = checker_.describe(small, execution.verdict, seed_).detail;
    finding.witness = small;
    settle(std::move(finding), answer, condition);
  }
}

void RowObligations::latent_of(std::uint32_t row) {
  if (row == 0) return;
  const std::size_t kernel = questions_.kernel(row);
  const auto& contract = questions_.registry().kernels.kernels[kernel].contract;
  for (std::size_t clause = 0; clause < contract.size(); ++clause) {
    Condition condition;
    condition.also(matches(questions_.row(row)));
    condition.also(matches(questions_.contract(kernel, clause), false));
    std::vector<Literal> taken;
    for (std::uint32_t earlier = 0; earlier < row; ++earlier) {
      taken.push_back(passes(questions_.row(earlier), false));
    }
    condition.also(std::move(taken));
    Finding finding = start(FindingKind::latent, row, contract[clause].id);
    finding.clause = contract[clause].id;
    finding.clause_text = to_string(contract[clause].clause);
    settle(std::move(finding), investigation_.decide(condition), condition);
  }
}

void RowObligations::overlaps_of(std::uint32_t row) {
  for (std::uint32_t other = row + 1; other < questions_.row_count(); ++other) {
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
  const Predicate& predicate = row_at(row).predicate;
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
  const std::uint32_t next = row + 1;
  for (const RowList& list : questions_.registry().lists) {
    if (row < list.first || next >= list.first + list.count) continue;
    Condition condition = questions_.reaches(row);
    condition.also(passes(questions_.row(row), false));
    condition.also(passes(questions_.row(next), false));
    condition.also({raises(questions_.row(row), false), raises(questions_.row(next), false)});
    Finding finding = start(FindingKind::swap, row, row_at(next).id);
    finding.other = row_at(next).id;
    finding.detail =
        row_at(row).kernel == row_at(next).kernel ? "same kernel" : "different kernels";
    settle(std::move(finding), investigation_.decide(condition), condition);
  }
}

void RowObligations::unused(std::size_t kernel) {
  const KernelInfo& facts = questions_.registry().kernels.kernels[kernel];
  Condition condition;
  for (std::size_t clause = 0; clause < facts.contract.size(); ++clause) {
    condition.also(matches(questions_.contract(kernel, clause)));
  }
  bool has_row = false;
  for (std::uint32_t row = 0; row < questions_.row_count(); ++row) {
    if (questions_.kernel(row) != kernel) continue;
    has_row = true;
    condition.also(matches(questions_.row(row), false));
  }
  if (!has_row) return;
  Finding finding{.kind = FindingKind::unused,
                  .kernel = facts.name,
                  .signature = fmt::format("{}/unused/{}", questions_.registry().name, facts.name)};
  settle(std::move(finding), investigation_.decide(condition), condition);
}

void RowObligations::gap() {
  Condition condition = questions_.reaches(questions_.row_count());
  Finding finding{.kind = FindingKind::gap,
                  .signature = fmt::format("{}/gap", questions_.registry().name)};
  settle(std::move(finding), investigation_.decide(condition), condition);
}

}  // namespace convproof::proofs
