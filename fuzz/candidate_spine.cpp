#include "fuzz/candidate_spine.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "fuzz/extra_counters.h"
#include "oracle/shrink_aten_call.h"
#include "selector/registry/aten_subject.h"

namespace convproof::fuzz {

using oracle::AtenVerdict;
using oracle::CheckClass;

bool collects_candidates(const Registry& registry) {
  return registry.policy == Policy::collect_all;
}

CandidateSpine::CandidateSpine(CandidateSpineOptions options, std::unique_ptr<Registry> registry,
                               oracle::AtenTableChecker checker)
    : options_(std::move(options)),
      registry_(std::move(registry)),
      checker_(std::move(checker)),
      backward_(convproof::is_backward(registry_->schema)) {}

std::expected<CandidateSpine, LocatedError> CandidateSpine::create(
    const CandidateSpineOptions& options) {
  auto loaded = options.fault != nullptr && options.fault->in_registry()
                    ? registry_with(options.fault->registry, options.registry)
                    : find_registry(options.registry);
  if (!loaded) return std::unexpected(std::move(loaded.error()));
  auto registry = std::make_unique<Registry>(std::move(*loaded));
  auto checker = oracle::AtenTableChecker::create(
      *registry, {.max_work = options.max_work, .max_elements = options.max_elements});
  if (!checker) return std::unexpected(std::move(checker.error()));
  return CandidateSpine(options, std::move(registry), std::move(*checker));
}

Signature CandidateSpine::signature(const AtenSelection& selection, const Candidate& candidate,
                                    const AtenVerdict& verdict) {
  const Row& row = registry_->rows[candidate.row];
  Signature signature;
  signature.registry = registry_->name;
  signature.class_name = oracle::name_of(verdict.value);
  signature.row = row.id;
  signature.kernel = row.kernel;
  signature.site = "unexplained";
  const auto broken = checker_.broken_clauses(selection, candidate);
  const KernelInfo& kernel = registry_->kernels.kernels[*registry_->kernels.find(row.kernel)];
  // What no model of values shows explains no verdict.
  const auto telling = std::ranges::find_if(broken, [&](std::size_t clause) {
    return kernel.contract[clause].violation != Violation::toolchain;
  });
  if (telling != broken.end()) {
    signature.contract = true;
    signature.site = kernel.contract[*telling].id;
  } else if (verdict.refusal) {
    signature.site = verdict.refusal->rule;
  }
  return signature;
}

const CandidateFindings& CandidateSpine::check(const AtenCall& call) {
  findings_.signatures.clear();
  findings_.candidates = 0;
  const oracle::AtenTableVerdict& verdict = checker_.check(call, options_.seed);
  const AtenSelection& selection = verdict.selection;
  const auto add = [&](Signature signature) {
    if (std::ranges::find(findings_.signatures, signature) == findings_.signatures.end())
      findings_.signatures.push_back(std::move(signature));
  };
  for (std::size_t i = 0; i < verdict.verdicts.size(); ++i) {
    if (verdict.verdicts[i].value != CheckClass::skipped) ++findings_.candidates;
    if (oracle::is_finding(verdict.verdicts[i].value))
      add(signature(selection, selection.candidates[i], verdict.verdicts[i]));
  }
  Signature whole;
  whole.registry = registry_->name;
  whole.row.assign(1, '-');
  whole.kernel.assign(1, '-');
  if (selection.raised) {
    whole.class_name = oracle::name_of(CheckClass::raised);
    whole.row = registry_->rows[selection.raised->row].id;
    whole.site = fmt::format("clause {}", selection.raised->clause + 1);
    add(std::move(whole));
  } else {
    for (const std::uint32_t result : selection.missing) {
      whole.class_name = "missing";
      whole.site = registry_->results[result].name;
      add(whole);
    }
  }
  if (counters_enabled()) count(verdict);
  return findings_;
}

// What code coverage cannot see: which rewrites and rows took the call, in which combination of
// classes.
void CandidateSpine::count(const oracle::AtenTableVerdict& verdict) {
  const AtenSelection& selection = verdict.selection;
  for (const std::uint32_t row : selection.rewrites) count_rewrite(row);
  for (std::size_t i = 0; i < selection.candidates.size(); ++i) {
    const Candidate& candidate = selection.candidates[i];
    count_candidate(candidate.row, candidate.entry, verdict.verdicts[i].value);
  }
  for (const std::uint32_t result : selection.missing) count_missing(result);
}

bool CandidateSpine::finds(const AtenCall& call, const Signature& wanted) {
  if (!validate(call)) return false;
  const CandidateFindings& found = check(call);
  return std::ranges::find(found.signatures, wanted) != found.signatures.end();
}

oracle::Explanation CandidateSpine::explain(const AtenCall& call, const Signature& wanted) {
  oracle::Explanation explanation;
  if (wanted.class_name == "missing") {
    explanation.detail = fmt::format("no candidate computes the {}", wanted.site);
    return explanation;
  }
  const oracle::AtenTableVerdict& verdict = checker_.check(call, options_.seed);
  for (std::size_t i = 0; i < verdict.verdicts.size(); ++i) {
    const AtenVerdict& found = verdict.verdicts[i];
    const Candidate& candidate = verdict.selection.candidates[i];
    if (!oracle::is_finding(found.value) ||
        signature(verdict.selection, candidate, found) != wanted) {
      continue;
    }
    const std::string parameters = oracle::parameters_text(*registry_, candidate);
    explanation.detail = fmt::format("{}{}{}: {}", wanted.kernel, parameters.empty() ? "" : " ",
                                     parameters, to_string(found));
    explanation.first_difference = first_difference(found);
    break;
  }
  return explanation;
}

std::vector<TriagedCall> triage(CandidateSpine& spine, const AtenCall& call) {
  std::vector<TriagedCall> all;
  if (!validate(call)) return all;
  const std::vector<Signature> signatures = spine.check(call).signatures;
  for (const Signature& signature : signatures) {
    TriagedCall finding;
    finding.signature = signature;
    finding.found = call;
    const auto start = std::chrono::steady_clock::now();
    finding.call = oracle::shrink_aten_call(
        call, [&](const AtenCall& smaller) { return spine.finds(smaller, signature); });
    finding.shrinking = std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - start);
    finding.explanation = spine.explain(finding.call, signature);
    all.push_back(std::move(finding));
  }
  return all;
}

}  // namespace convproof::fuzz
