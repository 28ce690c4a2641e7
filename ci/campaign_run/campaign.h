#pragma once

#include <chrono>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ci/campaign_run/campaign_report.h"
#include "ci/campaign_run/campaign_request.h"
#include "ci/campaign_run/finding_maker.h"
#include "ci/campaign_run/finding_state.h"
#include "ci/campaign_run/fuzz_stage.h"
#include "ci/campaign_run/journal.h"
#include "ci/campaign_run/known_findings.h"
#include "ci/campaign_run/table_stage.h"
#include "selector/op/error.h"

namespace convproof::campaign {

struct CampaignPlaces {
  std::string program{};        // convproof, to be run
  std::string shown_program{};  // the same as a user types it
  std::string binaries{};       // the folder of the libFuzzer binaries
};

struct CampaignError {
  Error error{};
  int status = 3;
};

// One campaign from its start, or from where it was killed, to its reports. Below its folder:
//
//   journal.jsonl   what is done, line by line; see journal.h
//   run/            corpora and slices of the campaign at work
//   findings/       cases of what no ledger knows; known/ of the rest
//   corpus/         a folder of minimised inputs for each target, for the next campaign
//   history.json    what the last campaigns found
//   ledger/         the ledgers as they would be with this campaign's findings in them
//   report.json report.sarif junit.xml report.md index.html
class Campaign {
 public:
  static std::expected<Campaign, CampaignError> create(CampaignRequest request,
                                                       CampaignPlaces places);

  // The exit status.
  int run();

 private:
  using Clock = std::chrono::steady_clock;
  using Done = std::expected<void, Error>;

  Campaign() = default;

  std::expected<void, CampaignError> open_tables();
  std::expected<void, CampaignError> open_journal();
  [[nodiscard]] CampaignPlan plan() const;
  [[nodiscard]] FuzzOptions fuzz_options();
  [[nodiscard]] double seconds() const;

  void run_table_stages();
  void run_fuzzing();
  void replay_saved();
  void close_ledgers();
  void gather_findings();
  // Journals and prints; used from any thread.
  Done found(const JournaledFinding& finding);
  void fail(const Error& error);
  void timed(const std::string& stage, const std::function<void()>& work);
  Done write_reports();
  [[nodiscard]] std::string ledger_with_findings(const TableContext& table) const;

  CampaignRequest request_;
  CampaignPlaces places_;
  std::unique_ptr<ReplayCommand> replay_;  // where makers expect it
  std::unique_ptr<KnownFindings> ledger_;  // where makers expect it
  std::vector<TableContext> tables_;
  std::vector<FuzzJob> jobs_;
  std::optional<Journal> journal_;
  JournalContent before_;
  History history_;
  CampaignReport report_;
  std::vector<bool> proved_;                  // by table: the proofs ran to their end
  std::vector<CampaignFinding> of_tables_;    // of the table stages, by table
  std::vector<JournaledFinding> of_fuzzing_;  // in the order of their slices
  std::unique_ptr<std::mutex> mutex_ = std::make_unique<std::mutex>();
  std::vector<std::string> printed_;  // fingerprints
  Clock::time_point start_{};
};

}  // namespace convproof::campaign
