#include "ci/campaign_run/finding_maker.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ci/campaign_run/fingerprint.h"
#include "ci/write_file.h"
#include "fuzz/finding_log.h"
#include "fuzz/op_bytes.h"
#include "props/proofs/finding.h"
#include "selector/frontends/json_cases.h"

namespace convproof::campaign {

std::string shell_quoted(std::string_view text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,+@";
  if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos) {
    return std::string(text);
  }
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

FindingMaker::FindingMaker(const Registry& registry, std::string table, const KnownFindings& known,
                           const ReplayCommand& command)
    : registry_(registry), table_(std::move(table)), known_(known), command_(command) {}

CampaignFinding FindingMaker::make(std::string_view signature, std::string_view stage,
                                   std::string_view reason) const {
  const SignatureParts parts = parts_of(signature);
  CampaignFinding finding{.signature = std::string(signature),
                          .kind = parts.kind,
                          .table = registry_.name,
                          .row = parts.row,
                          .clause = parts.clause,
                          .by = {std::string(stage)},
                          .reason = std::string(reason),
                          .known = known_.why(registry_.name, signature)};
  std::string content = parts.row;
  if (const Row* const row = registry_.find_row(parts.row); row != nullptr) {
    content = content_of(*row);
    finding.kernel = row->kernel;
    finding.line = row->line;
    // Built-in tables are known by their place in the source tree.
    const bool built_in = registry_.file == registry_.name + ".json";
    finding.file = built_in ? "selector/registries/" + registry_.file : registry_.file;
  }
  finding.fingerprint = fingerprint_of(registry_.name, content, finding.kind, finding.clause);
  if (!parts.row.empty() && proofs::finding_kind_named(parts.kind)) {
    finding.replay = fmt::format("{} prove {} --row {} --kind {}", shell_quoted(command_.program),
                                 shell_quoted(table_), shell_quoted(parts.row), parts.kind);
  }
  return finding;
}

std::expected<CampaignFinding, Error> FindingMaker::save(CampaignFinding finding,
                                                         JsonCase saved) const {
  finding.saved = fmt::format("{}/{}.json", finding.known.empty() ? "findings" : "known",
                              fuzz::file_name_of(finding.signature));
  const std::string path = command_.out + "/" + finding.saved;
  finding.replay = fmt::format("{} replay {} --registry {}", shell_quoted(command_.program),
                               shell_quoted(path), shell_quoted(table_));
  if (!command_.fault.empty() && !saved.aten) {
    // Only the fuzz targets hold planted faults.
    const std::vector<std::uint8_t> bytes = fuzz::encode_op(saved.op);
    const std::string input = path.substr(0, path.rfind('.')) + ".input";
    if (auto written = ci::write_file(input, std::string(bytes.begin(), bytes.end())); !written) {
      return std::unexpected(written.error());
    }
    finding.replay = fmt::format(
        "CONVPROOF_FUZZ_REGISTRY={} CONVPROOF_FUZZ_FAULT={} {}/fuzz_lower {}", shell_quoted(table_),
        shell_quoted(command_.fault), shell_quoted(command_.fuzz_folder), shell_quoted(input));
  }
  saved.id = finding.signature;
  saved.why = finding.reason;
  saved.source = finding.replay;
  if (auto written = ci::write_file(path, write_json_cases({&saved, 1})); !written) {
    return std::unexpected(written.error());
  }
  return finding;
}

std::expected<CampaignFinding, Error> FindingMaker::make(std::string_view signature,
                                                         std::string_view stage,
                                                         const oracle::Explanation& why,
                                                         const ConvOp& op) const {
  CampaignFinding finding = make(signature, stage, why.detail);
  finding.first_difference = why.first_difference;
  finding.operation = to_string(op);
  JsonCase saved;
  saved.op = op;
  return save(std::move(finding), std::move(saved));
}

std::expected<CampaignFinding, Error> FindingMaker::make(std::string_view signature,
                                                         std::string_view stage,
                                                         const oracle::Explanation& why,
                                                         const AtenCall& call) const {
  CampaignFinding finding = make(signature, stage, why.detail);
  finding.first_difference = why.first_difference;
  finding.operation = to_string(call);
  JsonCase saved;
  saved.aten = call;
  return save(std::move(finding), std::move(saved));
}

}  // namespace convproof::campaign
