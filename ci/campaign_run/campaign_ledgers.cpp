// What earlier campaigns and the ledgers say of this one's findings.

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include "ci/campaign_run/campaign.h"
#include "ci/campaign_run/corpus_files.h"
#include "ci/campaign_run/fingerprint.h"
#include "ci/progress.h"
#include "fuzz/candidate_spine.h"
#include "fuzz/signature.h"
#include "props/proofs/finding.h"
#include "selector/frontends/document.h"

namespace convproof::campaign {

// What earlier campaigns of this folder found and this one did not: it may still be there.
void Campaign::replay_saved() {
  std::set<std::string> present;
  for (const CampaignFinding& finding : report_.findings) present.insert(finding.fingerprint);
  for (const std::string& name : files_of(request_.out + "/findings")) {
    if (!name.ends_with(".json")) continue;
    const auto document = read_document(request_.out + "/findings/" + name);
    if (!document) {
      report_.skipped.push_back({"replaying findings/" + name, to_string(document.error())});
      continue;
    }
    for (const FoundOp& saved : document->ops) {
      const auto table = std::ranges::find_if(tables_, [&](const TableContext& entry) {
        return entry.registry->name == parts_of(saved.name).table;
      });
      if (table != tables_.end() && table->candidates && saved.aten) {
        for (const fuzz::TriagedCall& small : fuzz::triage(*table->candidates, *saved.aten)) {
          auto finding = table->maker->make(ledger_signature(small.signature), "replay",
                                            small.explanation, small.call);
          if (!finding) return fail(finding.error());
          if (!present.insert(finding->fingerprint).second) continue;
          if (auto done = found({.finding = *finding}); !done) return fail(done.error());
          report_.findings.push_back(std::move(*finding));
        }
        continue;
      }
      if (!saved.op || table == tables_.end() || !table->spine) continue;
      const oracle::Verdict verdict = table->spine->check(*saved.op);
      if (!is_finding(verdict.value)) continue;
      auto finding =
          table->maker->make(ledger_signature(table->spine->signature(*saved.op, verdict)),
                             "replay", table->spine->explain(*saved.op, verdict), *saved.op);
      if (!finding) return fail(finding.error());
      if (!present.insert(finding->fingerprint).second) continue;
      if (auto done = found({.finding = *finding}); !done) return fail(done.error());
      report_.findings.push_back(std::move(*finding));
    }
  }
}

// Every entry of a ledger must still occur: one that does not hides what comes after it.
void Campaign::close_ledgers() {
  if (ci::interrupted()) {
    report_.skipped.push_back({"closing the ledgers", "stopped early"});
    return;
  }
  std::set<std::string> occurring;
  for (const CampaignFinding& finding : report_.findings) occurring.insert(finding.signature);
  for (std::size_t at = 0; at < tables_.size(); ++at) {
    const std::string& name = tables_[at].registry->name;
    for (const proofs::KnownFinding& known : ledger_->of(name)) {
      if (occurring.contains(known.signature)) continue;
      const bool of_proofs = proofs::finding_kind_named(parts_of(known.signature).kind).has_value();
      if (of_proofs ? !proved_[at] : !tables_[at].executable()) {
        report_.skipped.push_back({"the ledger's " + known.signature, "its stage did not run"});
        continue;
      }
      CampaignFinding finding = tables_[at].maker->make(
          known.signature, "ledger", "the ledger knows it, and it no longer occurs: " + known.why);
      finding.kind = "vanished";
      finding.known.clear();
      finding.fingerprint = fingerprint_of(name, known.signature, "vanished", "");
      if (auto done = found({.finding = finding}); !done) return fail(done.error());
      report_.findings.push_back(std::move(finding));
    }
  }
  for (const proofs::KnownFinding& known : ledger_->of(text_registry)) {
    if (occurring.contains(known.signature)) continue;
    report_.skipped.push_back(
        {"the ledger's " + known.signature, "only fuzzing finds it, and this run did not"});
  }
}

std::string Campaign::ledger_with_findings(const TableContext& table) const {
  using Json = nlohmann::ordered_json;
  Json known = Json::array();
  std::set<std::string> gone;
  for (const CampaignFinding& finding : report_.findings) {
    if (finding.kind == "vanished") gone.insert(finding.signature);
  }
  for (const proofs::KnownFinding& entry : ledger_->of(table.registry->name)) {
    if (gone.contains(entry.signature)) continue;
    known.push_back({{"signature", entry.signature}, {"why", entry.why}});
  }
  for (const CampaignFinding& finding : report_.findings) {
    if (!finding.red() || finding.table != table.registry->name || finding.kind == "vanished") {
      continue;
    }
    known.push_back(
        {{"signature", finding.signature}, {"why", "not yet explained: " + finding.reason}});
  }
  const Json ledger{
      {"version", 1}, {"registry", table.registry->name}, {"known", std::move(known)}};
  return ledger.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace convproof::campaign
