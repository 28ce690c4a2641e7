#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace convproof::campaign {

// What the command line asked of `campaign`.
struct CampaignRequest {
  bool quick = false;           // the default where no other budget is given
  double minutes = 0;           // of the whole campaign; 0: no such limit
  std::int64_t executions = 0;  // of all fuzz targets together; 0: no such limit
  bool resume = false;
  std::string out = "results";
  std::uint64_t seed = 1;
  std::vector<std::string> tables{};  // names or files; the list of campaign_tables.h where empty
  std::vector<std::string> known{};  // ledgers in the place of those in corpus/known and fuzz/known
  std::string build_folder{};        // of the libFuzzer binaries; found where empty
  std::string corpus_folder = "corpus";
  unsigned workers = 0;  // 0: as many as there are cores
  std::string fault{};   // plant this fault in the fuzz targets
};

// Runs a campaign. Prints results on standard output and everything else on standard error, and
// returns the exit status: 0 nothing new, 1 new findings, 2 bad usage, 3 the campaign failed.
int run_campaign(const CampaignRequest& request);

}  // namespace convproof::campaign
