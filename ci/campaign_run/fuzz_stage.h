#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "ci/campaign_run/campaign_report.h"
#include "ci/campaign_run/journal.h"
#include "ci/campaign_run/schedule.h"
#include "ci/campaign_run/slice_output.h"
#include "ci/campaign_run/table_stage.h"
#include "selector/op/error.h"

namespace convproof::campaign {

struct FuzzOptions {
  std::string out{};            // the campaign's folder
  std::string binary_folder{};  // of the libFuzzer binaries
  std::string corpus_folder{};  // seeds; a folder with readable files
  std::uint64_t seed = 1;
  std::string fault{};  // planted in every target
  unsigned workers = 2;
  // Same seed, same result, whatever the paths and addresses: guidance by compared values is off,
  // since they may be addresses.
  bool repeatable = false;
  std::int64_t executions = 0;  // stop before a round that would go beyond; 0: no such limit
  // Asked between slices: true where the campaign's time is over.
  std::function<bool()> time_over{};
  std::function<bool()> interrupted{};
  std::function<double()> seconds{};  // since the campaign began
  // Journals and prints a finding; an error ends the campaign.
  std::function<std::expected<void, Error>(const JournaledFinding&)> found{};
};

// The jobs of a campaign: each target of operations on each table of its kind that can be executed,
// each target of text once.
std::vector<FuzzJob> jobs_of(const std::vector<TableContext>& tables, bool quick);

// The corpora below OUT/run/corpus: the seeds of the repository's corpus, and the inputs that
// earlier campaigns left in OUT/corpus where `grown`.
std::expected<void, Error> fill_corpora(const FuzzOptions& options, bool grown);

// Fuzzes round by round. A round's slices start from the corpora as they stand when it begins, run
// as single processes with a seed and a number of executions of their own, and are adopted together
// when all have ended: what they find does not depend on the number of workers, on how fast they
// are, or on whether one was killed and run again.
class FuzzStage {
 public:
  // Borrows everything.
  FuzzStage(FuzzOptions options, const std::vector<TableContext>& tables,
            const KnownFindings& known, const ReplayCommand& command, std::vector<FuzzJob> jobs,
            Journal& journal);

  // Goes on from what the journal says was done, from nothing where it is empty.
  std::expected<void, Error> run(const JournalContent& before);

  [[nodiscard]] std::vector<FuzzJobReport> reports() const;
  // Those of this stage, in the order of their slices.
  [[nodiscard]] std::vector<JournaledFinding> findings() const;
  [[nodiscard]] const std::vector<SkippedItem>& skipped() const { return skipped_; }
  [[nodiscard]] const std::vector<RatePoint>& rates() const { return rates_; }

 private:
  using Done = std::expected<void, Error>;

  Done run_round(int round, const std::vector<std::size_t>& jobs);
  // False where it was stopped.
  std::expected<bool, Error> run_slice(int round, std::size_t job);
  Done end_slice(SliceResult slice, const SliceOutput& output, const std::string& folder);
  Done collect_operations(const SliceResult& slice, const std::string& folder);
  Done collect_texts(const SliceResult& slice, const SliceOutput& output,
                     const std::string& folder);
  Done collect_crashes(const SliceResult& slice, const SliceOutput& output);
  Done found(const SliceResult& slice, CampaignFinding finding);
  Done adopt_round(int round);
  Done write_inputs(int round);
  [[nodiscard]] std::string run_folder() const { return options_.out + "/run"; }
  [[nodiscard]] std::string inputs_file(int round, const std::string& target) const;
  [[nodiscard]] std::string known_file(int round, const std::string& table) const;
  [[nodiscard]] const TableContext* table_of(std::size_t job) const;
  // A finding of a target rather than of a row.
  [[nodiscard]] CampaignFinding target_finding(std::size_t job, std::string_view kind,
                                               std::string_view signature,
                                               std::string_view reason) const;

  FuzzOptions options_;
  const std::vector<TableContext>& tables_;
  const KnownFindings& known_;
  const ReplayCommand& command_;
  std::vector<FuzzJob> jobs_;
  Journal& journal_;

  std::mutex mutex_;  // guards all that follows, and the tables' spines
  std::vector<SliceResult> slices_{};
  std::vector<JournaledFinding> findings_{};
  std::vector<SkippedItem> skipped_{};
  std::vector<RatePoint> rates_{};
};

// Merges each target's corpus, keeping the smallest inputs that reach what all of them reach, under
// every table. Where `publish`, the result takes the place of OUT/corpus/TARGET.
std::expected<std::vector<CorpusReport>, Error> minimise_corpora(const FuzzOptions& options,
                                                                 const std::vector<FuzzJob>& jobs,
                                                                 bool publish,
                                                                 std::vector<SkippedItem>& skipped);

}  // namespace convproof::campaign
