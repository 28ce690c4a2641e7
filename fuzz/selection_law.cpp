#include "fuzz/selection_law.h"

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "fuzz/extra_counters.h"
#include "selector/registry/conv_subject.h"
#include "selector/rules/explain.h"
#include "selector/rules/reference.h"

namespace convproof::fuzz {
namespace {

std::string to_text(const PredicateOutcome& outcome) {
  switch (outcome.kind) {
    case PredicateOutcome::Kind::matched:
      return "matches";
    case PredicateOutcome::Kind::not_matched:
      return fmt::format("is false at clause {}", outcome.clause + 1);
    case PredicateOutcome::Kind::raised:
      return fmt::format("raises at clause {}: {}", outcome.clause + 1, message_of(outcome.cause));
  }
  return "";
}

std::string to_text(const Selection& selection) {
  return fmt::format("status {}, row {}, clause {}, cause {}", static_cast<int>(selection.status),
                     selection.row, selection.clause, static_cast<int>(selection.cause));
}

// What an explanation says as an outcome; the cause of a raise is not told apart there.
PredicateOutcome explained_outcome(const std::vector<ClauseExplanation>& clauses) {
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    const auto clause = static_cast<std::uint32_t>(i);
    if (clauses[i].kind == ClauseExplanation::Kind::fails) {
      return {.kind = PredicateOutcome::Kind::not_matched, .clause = clause};
    }
    if (clauses[i].kind == ClauseExplanation::Kind::raises) {
      return {.kind = PredicateOutcome::Kind::raised, .clause = clause};
    }
  }
  return {};
}

std::unique_ptr<Registry> load(const std::string& name, const PlantedFault* fault) {
  auto registry = fault != nullptr && fault->in_registry() ? registry_with(fault->registry, name)
                                                           : find_registry(name);
  if (!registry) {
    fmt::print(stderr, "{}\n", to_string(registry.error()));
    std::_Exit(2);
  }
  return std::make_unique<Registry>(std::move(*registry));
}

}  // namespace

SelectionLaw SelectionLaw::create(const std::string& registry, const PlantedFault* fault) {
  SelectionLaw law;
  law.reference_ = load(registry, nullptr);
  law.compiled_ = load(registry, fault);
  auto matcher = Matcher::compile(*law.compiled_);
  if (!matcher) {
    fmt::print(stderr, "{}\n", to_string(matcher.error()));
    std::_Exit(2);
  }
  law.matcher_ = std::make_unique<Matcher>(std::move(*matcher));
  return law;
}

std::optional<BrokenLaw> SelectionLaw::broken_row(std::size_t row,
                                                  const PredicateOutcome& compiled) {
  const Schema& schema = reference_->schema;
  const Row& facts = reference_->rows[row];
  const PredicateOutcome reference = evaluate(facts.predicate, schema, record_);
  if (reference != compiled) {
    return BrokenLaw{fmt::format("compiled-is-reference/{}", facts.id),
                     fmt::format("row {} {} as compiled and {} by the reference evaluator",
                                 facts.id, to_text(compiled), to_text(reference))};
  }
  const PredicateOutcome explained = explained_outcome(explain(facts.predicate, schema, record_));
  if (explained.kind != reference.kind ||
      (explained.kind != PredicateOutcome::Kind::matched && explained.clause != reference.clause)) {
    return BrokenLaw{fmt::format("explanation-is-reference/{}", facts.id),
                     fmt::format("row {} {} as explained and {} by the reference evaluator",
                                 facts.id, to_text(explained), to_text(reference))};
  }
  return std::nullopt;
}

std::optional<BrokenLaw> SelectionLaw::broken_by(const ConvOp& op) {
  const ConvBinding& binding = convolution_binding();
  record_.assign(binding.record_size, 0);
  fill_record(op, binding, record_);
  matcher_->outcomes(op, outcomes_);
  count_row_outcomes(outcomes_);
  count_sizes(op);

  // The first row of the enabled lists that does not fall through, by the outcomes of single rows.
  Selection expected;
  const Schema& schema = reference_->schema;
  if (evaluate(reference_->gate, schema, record_).kind != PredicateOutcome::Kind::matched) {
    expected.status = Selection::Status::gated;
  } else {
    for (const RowList& list : reference_->lists) {
      if (!list.enabled || expected.status != Selection::Status::unmatched) continue;
      for (std::size_t row = list.first; row < list.first + list.count; ++row) {
        const PredicateOutcome outcome = evaluate(reference_->rows[row].predicate, schema, record_);
        if (outcome.kind == PredicateOutcome::Kind::not_matched) continue;
        const bool raised = outcome.kind == PredicateOutcome::Kind::raised;
        expected = {.status = raised ? Selection::Status::raised : Selection::Status::matched,
                    .row = static_cast<std::uint32_t>(row),
                    .clause = raised ? outcome.clause : 0,
                    .cause = outcome.cause};
        break;
      }
    }
  }
  if (const Selection selected = matcher_->select(op); selected != expected) {
    return BrokenLaw{"first-match-is-first",
                     fmt::format("selected {}, expected {}", to_text(selected), to_text(expected))};
  }
  for (std::size_t row = 0; row < outcomes_.size(); ++row) {
    // Rows of the gate's other side are read all the same.
    if (auto broken = broken_row(row, outcomes_[row])) return broken;
  }
  return std::nullopt;
}

}  // namespace convproof::fuzz
