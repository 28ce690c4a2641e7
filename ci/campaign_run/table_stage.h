#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "ci/campaign_run/campaign_report.h"
#include "ci/campaign_run/finding_maker.h"
#include "ci/campaign_run/known_findings.h"
#include "fuzz/candidate_spine.h"
#include "fuzz/spine.h"
#include "selector/op/error.h"
#include "selector/registry/registry.h"

namespace convproof::campaign {

// One table of a campaign with what its stages share.
struct TableContext {
  std::string argument{};                              // what the user calls it: a name or a file
  std::unique_ptr<Registry> registry{};                // where `maker` expects it
  std::unique_ptr<fuzz::Spine> spine{};                // of a table that selects one row
  std::unique_ptr<fuzz::CandidateSpine> candidates{};  // of a table that collects candidates
  std::string no_spine{};                              // why there is neither
  std::unique_ptr<FindingMaker> maker{};

  [[nodiscard]] bool executable() const { return spine || candidates; }
};

struct StageOptions {
  std::string program{};  // convproof itself: stages that may be killed run as its children
  std::vector<std::string> corpus{};  // folders with cases
  std::uint64_t seed = 1;
  std::int64_t max_work = 100'000'000;
  std::int64_t drawn = 20'000;  // operations of the survey
  unsigned threads = 2;
  std::function<bool()> interrupted{};
  std::function<bool()> drawn_enough{};  // the survey's share of the campaign's time is over
};

// What a stage found, beside what it wrote into the table's report.
struct StageFindings {
  std::vector<CampaignFinding> findings{};
  std::vector<SkippedItem> skipped{};
};
using StageOutcome = std::expected<StageFindings, Error>;

// The stages. Each is the same for the same seed, so that a resumed campaign may run it again.

// `convproof check` over the corpus: classes, golden values, what the cases expect.
StageOutcome check_corpus(const TableContext& table, const StageOptions& options,
                          TableReport& report);

// `convproof prove`: the row accounts, and every answer that is wrong or unknown.
StageOutcome prove(const TableContext& table, const StageOptions& options, TableReport& report);

// Draws operations, every other one near some row, checks each, and counts which rows and clauses
// they reach.
StageOutcome survey(const TableContext& table, const StageOptions& options, TableReport& report);

// The same for a table of candidates: its operations are calls of aten, and none is moved towards a
// row.
StageOutcome survey_calls(const TableContext& table, const StageOptions& options,
                          TableReport& report);
// What the calls of the corpus show.
StageOutcome findings_of_calls(const TableContext& table, const StageOptions& options);

// Counts the rows and clauses that the fuzzed operations of the table's kind reach. `corpora` holds
// a folder for each target.
void survey_inputs(const TableContext& table, const std::string& corpora, TableReport& report);
void survey_call_inputs(const TableContext& table, const std::string& folder, TableReport& report);

struct ToolOutput {
  int status = 0;      // exit status
  std::string text{};  // JSON
};
// Runs convproof for a JSON document; again where something kills it.
std::expected<ToolOutput, Error> run_tool(const std::string& program,
                                          const std::vector<std::string>& arguments,
                                          const std::function<bool()>& interrupted);

}  // namespace convproof::campaign
