#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "props/proofs/blocking.h"
#include "props/proofs/row_obligations.h"

namespace convproof::proofs {
namespace {

Literal negated(Literal literal) {
  literal.holds = !literal.holds;
  return literal;
}

}  // namespace

std::vector<std::uint32_t> RowObligations::blockers_of(std::uint32_t row, const Record& record) {
  Observer& observer = investigation_.observer();
  observer.read(record);
  std::vector<std::uint32_t> blockers;
  for (std::uint32_t earlier = 0; earlier < row; ++earlier) {
    if (!observer.holds(questions_.lets_through(earlier))) blockers.push_back(earlier);
  }
  return blockers;
}

// Grows a family of sets of blockers, one for each convolution that the row matches, and asks
// whether a smallest set that meets them all blocks everything. A counterexample either is a
// convolution that the row wins, or joins the family: so the set that is proved in the end is of
// the least size.
void RowObligations::account_for(std::uint32_t row) {
  RowAccount account{.row = row_at(row).id, .number = row_at(row).number, .state = "undecided"};
  Condition matched;
  matched.also(matches(questions_.row(row)));
  const Samples& samples = investigation_.prover().samples();
  std::vector<std::vector<std::uint32_t>> family;
  const auto live = [&](const Record& record) {
    ++found_.witness;
    account.state = "live";
    account.effect = execute(row, record);
    account.witness = shrunk_to(row, account.effect, questions_.wins(row), record);
    account.effect = execute(row, *account.witness);
  };
  constexpr std::size_t tries = 64;
  const std::vector<std::size_t> winners =
      cheapest(samples.matching(questions_.wins(row)).first(tries));
  if (!winners.empty()) {
    // Best one that the row's kernel computes right.
    const auto right = std::ranges::find_if(winners, [&](std::size_t sample) {
      return execute(row, samples.record(sample)) == Effect::none;
    });
    live(samples.record(right == winners.end() ? winners.front() : *right));
    found_.account = std::move(account);
    return;
  }
  constexpr std::size_t enough = 512;
  for (const std::size_t sample : samples.matching(matched).first(enough)) {
    family.push_back(blockers_of(row, samples.record(sample)));
  }
  while (true) {
    std::ranges::sort(family);
    family.erase(std::ranges::unique(family).begin(), family.end());
    const std::vector<std::uint32_t> by = smallest_hitting_set(family);
    Condition condition = matched;
    for (const std::uint32_t blocker : by) condition.also(questions_.lets_through(blocker));
    const Answer answer = investigation_.solve(condition);
    if (answer.status == Answer::Status::unknown) {
      undecided(start(FindingKind::shadowed, row, ""), answer);
      break;
    }
    if (answer.status == Answer::Status::impossible) {
      ++found_.proved;
      account.state = by.empty() ? "contradiction" : "shadowed";
      if (by.empty()) {
        Finding finding = start(FindingKind::contradiction, row, "");
        finding.status = FindingStatus::proved;
        finding.detail = "no convolution matches the row, wherever it stands";
        found_.findings.push_back(std::move(finding));
      } else {
        report_shadowed(row, by);
      }
      break;
    }
    std::vector<std::uint32_t> blockers = blockers_of(row, answer.record);
    if (blockers.empty()) {
      live(answer.record);
      break;
    }
    family.push_back(std::move(blockers));
  }
  found_.account = std::move(account);
}

void RowObligations::report_shadowed(std::uint32_t row, const std::vector<std::uint32_t>& by) {
  Finding finding = start(FindingKind::shadowed, row, "");
  finding.status = FindingStatus::proved;
  Condition matched;
  matched.also(matches(questions_.row(row)));
  std::vector<std::string> names;
  for (const std::uint32_t blocker : by) {
    Condition blocked = matched;
    blocked.also(negated(questions_.lets_through(blocker)));
    Blocker entry{.row = row_at(blocker).id, .share = share(blocked, matched)};
    Condition only = blocked;
    for (const std::uint32_t other : by) {
      if (other != blocker) only.also(questions_.lets_through(other));
    }
    const Answer answer = investigation_.decide(only);
    if (answer.status == Answer::Status::witness) {
      entry.witness = investigation_.shrunk(only, answer.record);
    }
    names.push_back(entry.row);
    finding.by.push_back(std::move(entry));
  }
  if (questions_.is_ordered(row)) finding.revival = revival_of(row);
  finding.detail = fmt::format("everything it matches is taken by {}", fmt::join(names, " or "));
  if (!finding.by.empty()) finding.witness = finding.by.front().witness;
  found_.findings.push_back(std::move(finding));
}

std::optional<Revival> RowObligations::revival_of(std::uint32_t row) {
  Condition matched;
  matched.also(matches(questions_.row(row)));
  for (std::uint32_t before = row; before-- > 0;) {
    Condition alive = questions_.reaches(before);
    alive.also(matches(questions_.row(row)));
    const Answer answer = investigation_.decide(alive);
    if (answer.status == Answer::Status::impossible) continue;
    if (answer.status == Answer::Status::unknown) return std::nullopt;
    Revival revival{.before = row_at(before).id, .share = share(alive, matched)};
    revival.witness = investigation_.shrunk(alive, answer.record);
    for (std::uint32_t loser = before; loser < row; ++loser) {
      Condition loses = questions_.reaches(loser);
      loses.also(negated(questions_.lets_through(loser))).also(matches(questions_.row(row)));
      if (investigation_.decide(loses).status == Answer::Status::witness) {
        revival.from.push_back(row_at(loser).id);
      }
    }
    return revival;
  }
  return std::nullopt;
}

}  // namespace convproof::proofs
