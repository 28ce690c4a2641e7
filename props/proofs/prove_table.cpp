#include "props/proofs/prove_table.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "props/proofs/row_obligations.h"
#include "props/proofs/subject.h"
#include "props/proofs/table_questions.h"

namespace convproof::proofs {
namespace {

struct Piece {
  std::string name{};
  std::function<void(RowObligations&)> run{};
};

std::vector<Piece> pieces_of(const TableQuestions& questions, const ProveOptions& options) {
  const auto wanted = [&](FindingKind kind) {
    return options.kinds.empty() || std::ranges::find(options.kinds, kind) != options.kinds.end();
  };
  std::vector<Piece> pieces;
  for (std::uint32_t row = 0; row < questions.row_count(); ++row) {
    const std::string& id = questions.registry().rows[row].id;
    if (!options.row.empty() && id != options.row) continue;
    pieces.push_back({id, [row, wanted](RowObligations& obligations) {
                        if (wanted(FindingKind::shadowed) || wanted(FindingKind::contradiction)) {
                          obligations.account_for(row);
                        }
                        if (wanted(FindingKind::raises)) obligations.raises_of(row);
                        if (wanted(FindingKind::unsound)) obligations.unsound_of(row);
                        if (wanted(FindingKind::overlap)) obligations.overlaps_of(row);
                        if (wanted(FindingKind::latent)) obligations.latent_of(row);
                        if (wanted(FindingKind::redundant_clause)) {
                          obligations.redundant_clauses_of(row);
                        }
                        if (wanted(FindingKind::swap)) obligations.swap_of(row);
                      }});
  }
  if (!options.row.empty()) return pieces;
  if (wanted(FindingKind::unused)) {
    for (std::size_t kernel = 0; kernel < questions.registry().kernels.kernels.size(); ++kernel) {
      pieces.push_back({questions.registry().kernels.kernels[kernel].name,
                        [kernel](RowObligations& obligations) { obligations.unused(kernel); }});
    }
  }
  if (wanted(FindingKind::gap)) {
    const std::size_t results = questions.registry().results.size();
    if (results == 0) {
      pieces.push_back({"gap", [](RowObligations& obligations) { obligations.gap(); }});
    }
    for (std::size_t result = 0; result < results; ++result) {
      pieces.push_back({"gap-" + questions.registry().results[result].name,
                        [result](RowObligations& obligations) { obligations.gap(result); }});
    }
  }
  return pieces;
}

bool is_wanted(const Finding& finding, const ProveOptions& options) {
  return options.kinds.empty() || finding.status == FindingStatus::unknown ||
         std::ranges::find(options.kinds, finding.kind) != options.kinds.end();
}

}  // namespace

std::string bounds_text(const Prover& prover) {
  if (prover.limit() == 0) return "every int within its schema's bounds";
  return fmt::format("every int within its schema's bounds and at most {} in magnitude",
                     prover.limit());
}

std::expected<ProofReport, LocatedError> prove_table(const Registry& registry,
                                                     const ProveOptions& options) {
  if (!options.row.empty() && registry.find_row(options.row) == nullptr) {
    return std::unexpected(LocatedError{
        .error = {.place = "row", .value = options.row, .rule = "is no row of " + registry.name}});
  }
  const auto subject = find_subject(registry.schema);
  if (!subject) return std::unexpected(subject.error());
  const TableQuestions questions(registry, options.assumed, (*subject)->shows_something());
  auto prover = Prover::create(*subject, questions.predicates(), options.prover);
  if (!prover) return std::unexpected(std::move(prover.error()));
  std::vector<std::unique_ptr<Executor>> executors;
  for (std::size_t thread = 0; thread < prover->options().threads; ++thread) {
    auto executor = (*subject)->executor(registry);
    if (!executor) return std::unexpected(std::move(executor.error()));
    executors.push_back(std::move(*executor));
  }
  const std::vector<Piece> pieces = pieces_of(questions, options);
  std::vector<Findings> results(pieces.size());
  std::vector<std::vector<Condition>> impossible(pieces.size());
  std::atomic<std::size_t> done = 0;
  std::atomic<bool> stopped = false;
  for_each_index(pieces.size(), prover->options().threads,
                 [&](std::size_t index, std::size_t thread) {
                   if (options.interrupted && options.interrupted()) stopped = true;
                   if (stopped) return;
                   Investigation investigation(
                       *prover, fmt::format("{}-{}", registry.name, pieces[index].name));
                   RowObligations obligations(questions, investigation, *executors[thread],
                                              options.prover.seed);
                   pieces[index].run(obligations);
                   results[index] = obligations.take();
                   impossible[index] = investigation.impossible();
                   if (options.progress) options.progress(++done, pieces.size());
                 });
  ProofReport report{.registry = registry.name,
                     .file = registry.file,
                     .bounds = bounds_text(*prover),
                     .seed = options.prover.seed,
                     .samples = prover->samples().domain_size(),
                     .subject = *subject,
                     .interrupted = stopped};
  for (Findings& result : results) {
    report.proved += result.proved;
    report.witness += result.witness;
    report.unknown += result.unknown;
    if (result.account) report.rows.push_back(std::move(*result.account));
    std::ranges::copy_if(std::make_move_iterator(result.findings.begin()),
                         std::make_move_iterator(result.findings.end()),
                         std::back_inserter(report.findings),
                         [&](const Finding& finding) { return is_wanted(finding, options); });
  }
  if (options.impossible != nullptr) {
    for (const auto& proved : impossible) {
      options.impossible->insert(options.impossible->end(), proved.begin(), proved.end());
    }
  }
  return report;
}

}  // namespace convproof::proofs
