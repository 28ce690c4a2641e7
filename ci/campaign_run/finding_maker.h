#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "ci/campaign_run/campaign_report.h"
#include "ci/campaign_run/known_findings.h"
#include "oracle/check.h"
#include "selector/frontends/json_cases.h"
#include "selector/op/aten_call.h"
#include "selector/op/conv_op.h"
#include "selector/op/error.h"
#include "selector/registry/registry.h"

namespace convproof::campaign {

// How a campaign calls itself again, for the lines that replay what it found.
struct ReplayCommand {
  std::string program{};      // `build/release/bin/convproof`
  std::string fuzz_folder{};  // of the libFuzzer binaries
  std::string out{};          // the campaign's folder
  std::string fault{};        // planted: replaying needs it too
};

// Turns what the stages find in one table into findings, with the case saved beside the reports.
class FindingMaker {
 public:
  // Borrows everything. `table` is what the user calls the table: a name or a file.
  FindingMaker(const Registry& registry, std::string table, const KnownFindings& known,
               const ReplayCommand& command);

  // `signature` as ledgers name it. Without an operation there is nothing to replay yet.
  [[nodiscard]] CampaignFinding make(std::string_view signature, std::string_view stage,
                                     std::string_view reason) const;
  // The same with the operation that shows it: saves the case and says how to replay it.
  [[nodiscard]] std::expected<CampaignFinding, Error> make(std::string_view signature,
                                                           std::string_view stage,
                                                           const oracle::Explanation& why,
                                                           const ConvOp& op) const;
  [[nodiscard]] std::expected<CampaignFinding, Error> make(std::string_view signature,
                                                           std::string_view stage,
                                                           const oracle::Explanation& why,
                                                           const AtenCall& call) const;

 private:
  [[nodiscard]] std::expected<CampaignFinding, Error> save(CampaignFinding finding,
                                                           JsonCase saved) const;

  const Registry& registry_;
  std::string table_;
  const KnownFindings& known_;
  const ReplayCommand& command_;
};

// The text quoted for a shell where it needs to be.
std::string shell_quoted(std::string_view text);

}  // namespace convproof::campaign
