// What the slices of fuzzing leave behind, as findings.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ci/campaign_run/corpus_files.h"
#include "ci/campaign_run/fingerprint.h"
#include "ci/campaign_run/fuzz_stage.h"
#include "ci/fuzz_targets.h"
#include "ci/write_file.h"
#include "fuzz/finding_log.h"
#include "fuzz/op_bytes.h"
#include "fuzz/signature.h"
#include "fuzz/triage.h"
#include "selector/frontends/document.h"

namespace convproof::campaign {

std::expected<void, Error> FuzzStage::found(const SliceResult& slice, CampaignFinding finding) {
  const bool again = std::ranges::any_of(findings_, [&](const JournaledFinding& other) {
    return other.round == slice.round && other.job == static_cast<int>(slice.job) &&
           other.finding.fingerprint == finding.fingerprint;
  });
  if (again) return {};
  findings_.push_back(
      {.round = slice.round, .job = static_cast<int>(slice.job), .finding = std::move(finding)});
  return options_.found(findings_.back());
}

CampaignFinding FuzzStage::target_finding(std::size_t job, std::string_view kind,
                                          std::string_view signature,
                                          std::string_view reason) const {
  const TableContext* const table = table_of(job);
  const std::string name = table == nullptr ? "" : table->registry->name;
  const std::string& target = jobs_[job].target;
  CampaignFinding finding{.fingerprint = fingerprint_of(name, target, kind, signature),
                          .signature = std::string(signature),
                          .kind = std::string(kind),
                          .table = name,
                          .by = {target},
                          .reason = std::string(reason),
                          .file = fmt::format("fuzz/targets/{}.cpp", target),
                          .line = 1,
                          .known = known_.why(name, signature)};
  return finding;
}

// Findings on operations: those of the spine are shrunk; a law of another target stays as found.
std::expected<void, Error> FuzzStage::collect_operations(const SliceResult& slice,
                                                         const std::string& folder) {
  const TableContext* const table = table_of(slice.job);
  const std::string& target = jobs_[slice.job].target;
  for (const std::string& name : files_of(folder)) {
    if (!name.ends_with(".json")) continue;
    const auto document = read_document(folder + "/" + name);
    if (!document) return std::unexpected(document.error());
    for (const FoundOp& entry : document->ops) {
      if (table != nullptr && table->candidates && entry.aten) {
        for (const fuzz::TriagedCall& small : fuzz::triage(*table->candidates, *entry.aten)) {
          auto finding = table->maker->make(ledger_signature(small.signature), target,
                                            small.explanation, small.call);
          if (!finding) return std::unexpected(finding.error());
          if (auto done = found(slice, std::move(*finding)); !done) return done;
        }
        continue;
      }
      if (!entry.op || table == nullptr || !table->spine) continue;
      const auto small = fuzz::triage(*table->spine, *entry.op);
      if (small) {
        const std::string known = ledger_signature(small->signature);
        auto finding = table->maker->make(known, target, small->explanation, small->op);
        if (!finding) return std::unexpected(finding.error());
        if (auto done = found(slice, std::move(*finding)); !done) return done;
        continue;
      }
      CampaignFinding finding = target_finding(slice.job, "law", entry.name,
                                               entry.note.empty() ? entry.name : entry.note);
      finding.operation = to_string(*entry.op);
      finding.saved = fmt::format("findings/{}.input", fuzz::file_name_of(entry.name));
      const std::vector<std::uint8_t> bytes = fuzz::encode_op(*entry.op);
      const std::string path = options_.out + "/" + finding.saved;
      if (auto written = ci::write_file(path, std::string(bytes.begin(), bytes.end())); !written) {
        return written;
      }
      finding.replay = fmt::format(
          "CONVPROOF_FUZZ_REGISTRY={}{} {}/{} {}", shell_quoted(jobs_[slice.job].table),
          options_.fault.empty() ? "" : " CONVPROOF_FUZZ_FAULT=" + shell_quoted(options_.fault),
          shell_quoted(command_.fuzz_folder), target, shell_quoted(path));
      if (auto done = found(slice, std::move(finding)); !done) return done;
    }
  }
  return {};
}

std::expected<void, Error> FuzzStage::collect_texts(const SliceResult& slice,
                                                    const SliceOutput& output,
                                                    const std::string& folder) {
  const std::string& target = jobs_[slice.job].target;
  for (const AnnouncedFinding& announced : output.announced()) {
    const std::string name = fuzz::file_name_of(announced.signature) + ".txt";
    const auto text = read_whole(folder + "/" + name);
    if (!text) continue;  // an operation's
    CampaignFinding finding =
        target_finding(slice.job, "law", announced.signature, announced.detail);
    finding.operation = text->substr(0, 400);
    finding.saved = "findings/" + name;
    const std::string path = options_.out + "/" + finding.saved;
    if (auto written = ci::write_file(path, *text); !written) return written;
    finding.replay = fmt::format(
        "{}{}/{} {}",
        options_.fault.empty() ? "" : "CONVPROOF_FUZZ_FAULT=" + shell_quoted(options_.fault) + " ",
        shell_quoted(command_.fuzz_folder), target, shell_quoted(path));
    if (auto done = found(slice, std::move(finding)); !done) return done;
  }
  return {};
}

std::expected<void, Error> FuzzStage::collect_crashes(const SliceResult& slice,
                                                      const SliceOutput& output) {
  const std::string& target = jobs_[slice.job].target;
  for (const std::string& artifact : output.artifacts()) {
    const auto content = read_whole(artifact);
    if (!content) return std::unexpected(content.error());
    // The place in the code rather than the words, which carry addresses.
    std::string_view where = output.first_frame();
    std::string kind = "crash";
    const std::string name = std::filesystem::path(artifact).filename().string();
    for (const char* other : {"timeout", "oom", "leak"}) {
      if (name.starts_with(other)) kind = other;
    }
    const std::string_view summary = output.summary();
    if (where.empty()) where = summary.substr(0, summary.find(" /"));
    CampaignFinding finding = target_finding(
        slice.job, kind, fmt::format("{}/{}/{}", kind, target, where), output.summary());
    finding.saved = fmt::format("findings/{}-{}", target, name);
    const std::string path = options_.out + "/" + finding.saved;
    if (auto written = ci::write_file(path, *content); !written) return written;
    const auto* const info = std::ranges::find(ci::fuzz_targets, target, &ci::FuzzTarget::name);
    if (info->operations && !info->candidates) {
      finding.operation =
          to_string(fuzz::decode_op(std::vector<std::uint8_t>(content->begin(), content->end())));
    } else if (!info->operations) {
      finding.operation = content->substr(0, 400);
    }
    finding.replay =
        fmt::format("{}{}/{} {}",
                    jobs_[slice.job].table.empty()
                        ? ""
                        : "CONVPROOF_FUZZ_REGISTRY=" + shell_quoted(jobs_[slice.job].table) + " ",
                    shell_quoted(command_.fuzz_folder), target, shell_quoted(path));
    if (auto done = found(slice, std::move(finding)); !done) return done;
  }
  return {};
}

}  // namespace convproof::campaign
