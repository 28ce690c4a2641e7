#include "props/proofs/diff_candidates.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "props/proofs/prover.h"
#include "selector/rules/expression.h"

namespace convproof::proofs {
namespace {

// A row with the condition under which it takes part.
struct Offer {
  const Row* row = nullptr;
  Condition condition{};  // single literals only
};

// One of the questions that two rows of an id raise.
struct Question {
  Change change{};
  Condition condition{};
  std::size_t tuning = 0;  // counted from 1; 0 where it is about the whole row
  std::string_view how{};  // what became of the tuning
};

class Comparison {
 public:
  Comparison(const Registry& old_table, const Registry& new_table, std::vector<Clause> assumed)
      : predicates_{{.parameters = {}, .clauses = std::move(assumed)}} {
    const std::vector<Offer> old_offers = offers_of(old_table);
    const std::vector<Offer> new_offers = offers_of(new_table);
    for (const Offer& offer : old_offers) {
      const Offer* other = find(new_offers, offer.row->id);
      ask_apart(offer, other, true);
      if (other != nullptr) {
        ask_apart(*other, &offer, false);
        ask_tunings(offer, *other);
      }
    }
    for (const Offer& offer : new_offers) {
      if (find(old_offers, offer.row->id) == nullptr) ask_apart(offer, nullptr, false);
    }
  }

  [[nodiscard]] const std::vector<Predicate>& predicates() const { return predicates_; }
  [[nodiscard]] const std::vector<Question>& questions() const { return questions_; }

 private:
  std::uint32_t add(Predicate predicate) {
    predicates_.push_back(std::move(predicate));
    return static_cast<std::uint32_t>(predicates_.size() - 1);
  }

  std::vector<Offer> offers_of(const Registry& registry) {
    std::vector<Offer> offers;
    Condition reached;
    reached.also(matches(add(registry.gate)));
    for (const RowList& list : registry.lists) {
      if (!list.enabled) continue;
      for (std::size_t i = list.first; i < list.first + list.count; ++i) {
        const Row& row = registry.rows[i];
        Predicate whole = row.predicate;
        whole.clauses.insert(whole.clauses.end(), row.append.clauses.begin(),
                             row.append.clauses.end());
        const std::uint32_t predicate = add(std::move(whole));
        Offer offer{.row = &row, .condition = reached};
        offer.condition.also(matches(predicate));
        offers.push_back(std::move(offer));
        reached.also(list.policy == Policy::rewrite ? passes(predicate) : raises(predicate, false));
      }
    }
    return offers;
  }

  static const Offer* find(const std::vector<Offer>& offers, const std::string& id) {
    const auto found =
        std::ranges::find_if(offers, [&](const Offer& offer) { return offer.row->id == id; });
    return found == offers.end() ? nullptr : &*found;
  }

  static Destination destination(const Row& row) {
    return {Destination::What::row, row.id, row.kernel.empty() ? row.action : row.kernel};
  }

  // Operations for which `offer` takes part and `other` does not.
  void ask_apart(const Offer& offer, const Offer* other, bool lost) {
    Question question;
    question.condition = offer.condition;
    if (other != nullptr) {
      std::vector<Literal> not_there;
      for (const auto& single : other->condition.all) {
        not_there.push_back(single.front());
        not_there.back().holds = !not_there.back().holds;
      }
      question.condition.also(std::move(not_there));
    }
    (lost ? question.change.from : question.change.to) = destination(*offer.row);
    questions_.push_back(std::move(question));
  }

  void ask_tunings(const Offer& before, const Offer& after) {
    const std::vector<Tuning>& old_tunings = before.row->tunings;
    const std::vector<Tuning>& new_tunings = after.row->tunings;
    Condition both = before.condition;
    both.all.insert(both.all.end(), after.condition.all.begin(), after.condition.all.end());
    for (std::size_t i = 0; i < std::max(old_tunings.size(), new_tunings.size()); ++i) {
      const Tuning* from = i < old_tunings.size() ? &old_tunings[i] : nullptr;
      const Tuning* to = i < new_tunings.size() ? &new_tunings[i] : nullptr;
      if (from != nullptr && to != nullptr && from->kept == to->kept &&
          from->values == to->values) {
        continue;
      }
      const auto ask = [&](Condition condition, std::string_view how) {
        condition.all.insert(condition.all.begin(), both.all.begin(), both.all.end());
        Question question;
        question.change.from = destination(*before.row);
        question.change.to = destination(*after.row);
        question.tuning = i + 1;
        question.how = how;
        question.condition = std::move(condition);
        questions_.push_back(std::move(question));
      };
      std::optional<std::uint32_t> in_old, in_new;
      if (from != nullptr) in_old = add(from->kept);
      if (to != nullptr) in_new = add(to->kept);
      const auto only = [](std::uint32_t there, std::optional<std::uint32_t> not_there) {
        Condition condition;
        condition.also(matches(there));
        if (not_there) condition.also(matches(*not_there, false));
        return condition;
      };
      if (in_old) ask(only(*in_old, in_new), "no longer offered");
      if (in_new) ask(only(*in_new, in_old), "newly offered");
      if (!in_old || !in_new || from->values == to->values) continue;
      Condition differs = only(*in_old, std::nullopt);
      differs.also(matches(*in_new)).also(matches(add(differing(*from, *to))));
      ask(std::move(differs), "other values");
    }
  }

  // Some parameter of the two tunings has another value.
  static Predicate differing(const Tuning& from, const Tuning& to) {
    Expression any;
    any.kind = ExpressionKind::logical_or;
    any.type = Type::boolean();
    for (std::size_t i = 0; i < std::min(from.values.size(), to.values.size()); ++i) {
      if (from.values[i] == to.values[i]) continue;
      Expression unequal;
      unequal.kind = ExpressionKind::comparison;
      unequal.type = Type::boolean();
      unequal.comparisons = {convproof::Comparison::not_equal};
      unequal.operands = {from.values[i], to.values[i]};
      any.operands.push_back(std::move(unequal));
    }
    if (any.operands.size() == 1) {
      Expression alone = std::move(any.operands.front());
      any = std::move(alone);
    }
    if (any.operands.empty()) any = boolean_literal(from.values.size() != to.values.size());
    return {.parameters = from.kept.parameters, .clauses = {{.condition = std::move(any)}}};
  }

  std::vector<Predicate> predicates_;
  std::vector<Question> questions_{};
};

// Changes of the tunings of one row that came about alike are told as one, with the first witness.
void add_changes(const std::vector<Question>& questions, std::vector<std::optional<Change>> changes,
                 DiffReport& report) {
  struct Told {
    std::size_t question = 0;
    std::vector<std::size_t> tunings{};
    Change change{};
  };
  std::vector<Told> told;
  for (std::size_t i = 0; i < changes.size(); ++i) {
    if (!changes[i]) {
      ++report.proved;
      continue;
    }
    const auto same = std::ranges::find_if(told, [&](const Told& other) {
      return questions[i].tuning > 0 && questions[other.question].how == questions[i].how &&
             other.change.from == changes[i]->from && other.change.to == changes[i]->to &&
             other.change.status == changes[i]->status;
    });
    if (same == told.end()) {
      told.push_back({.question = i, .tunings = {questions[i].tuning}, .change = *changes[i]});
    } else {
      same->tunings.push_back(questions[i].tuning);
      same->change.share = std::max(same->change.share, changes[i]->share);
    }
  }
  for (Told& each : told) {
    if (const Question& question = questions[each.question]; question.tuning > 0) {
      const std::string which = fmt::format("tuning{} {}: {}", each.tunings.size() == 1 ? "" : "s",
                                            fmt::join(each.tunings, ", "), question.how);
      each.change.detail =
          each.change.detail.empty() ? which : fmt::format("{}; {}", which, each.change.detail);
    }
    report.changes.push_back(std::move(each.change));
  }
}

}  // namespace

std::expected<DiffReport, LocatedError> diff_candidates(const Registry& old_table,
                                                        const Registry& new_table,
                                                        const ProveOptions& options) {
  const auto subject = find_subject(old_table.schema);
  if (!subject) return std::unexpected(subject.error());
  const Comparison comparison(old_table, new_table, options.assumed);
  auto prover = Prover::create(*subject, comparison.predicates(), options.prover);
  if (!prover) return std::unexpected(std::move(prover.error()));
  const std::vector<Question>& questions = comparison.questions();
  std::vector<std::optional<Change>> changes(questions.size());
  std::atomic<std::size_t> done = 0;
  std::atomic<bool> stopped = false;
  for_each_index(
      questions.size(), prover->options().threads, [&](std::size_t index, std::size_t /*thread*/) {
        if (options.interrupted && options.interrupted()) stopped = true;
        if (stopped) return;
        Investigation investigation(*prover, fmt::format("diff-{}", index));
        const Answer answer = investigation.decide(questions[index].condition);
        if (answer.status != Answer::Status::impossible) {
          Change change = questions[index].change;
          if (answer.status == Answer::Status::unknown) {
            change.status = FindingStatus::unknown;
            change.detail += (change.detail.empty() ? "" : "; ") + answer.reason;
            change.internal = answer.internal;
          } else {
            change.witness = investigation.shrunk(questions[index].condition, answer.record);
            const Samples& samples = prover->samples();
            if (samples.domain_size() > 0) {
              change.share =
                  static_cast<double>(samples.matching(questions[index].condition).size()) /
                  static_cast<double>(samples.domain_size());
            }
          }
          changes[index] = std::move(change);
        }
        if (options.progress) options.progress(++done, questions.size());
      });
  DiffReport report;
  report.old_registry = old_table.name;
  report.new_registry = new_table.name;
  report.bounds = bounds_text(*prover);
  report.seed = options.prover.seed;
  report.samples = prover->samples().domain_size();
  report.subject = *subject;
  report.interrupted = stopped;
  add_changes(questions, std::move(changes), report);
  return report;
}

}  // namespace convproof::proofs
