#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "ci/campaign_run/campaign_report.h"
#include "ci/campaign_run/slice_result.h"
#include "selector/op/error.h"

namespace convproof::campaign {

// What a campaign was asked for; a resumed one must be asked for the same.
struct CampaignPlan {
  std::string tool_version{};
  std::uint64_t seed = 1;
  std::string budget{};
  std::vector<std::string> tables{};
  std::string fault{};

  bool operator==(const CampaignPlan&) const = default;
};

// A finding with the slice that found it, -1 where it is of another stage than fuzzing.
struct JournaledFinding {
  int round = -1;
  int job = -1;
  CampaignFinding finding{};

  bool operator==(const JournaledFinding&) const = default;
};

// What a journal says when it is read back.
struct JournalContent {
  CampaignPlan plan{};
  std::vector<JournaledFinding> findings{};
  std::vector<SliceResult> slices{};
  int adopted_rounds = 0;  // rounds whose new inputs stand in the corpora
  bool ended = false;
  std::size_t whole_bytes = 0;  // up to the end of the last whole line

  bool operator==(const JournalContent&) const = default;
};

// A line that a kill cut off is left out; any other line that cannot be read is an error.
std::expected<JournalContent, Error> parse_journal(std::string_view text, std::string_view file);

// The append-only record of a campaign: one JSON object a line. A line is on the disk when its call
// returns, so that what is printed afterwards survives a kill, a restart and a power cut.
class Journal {
 public:
  // Starts anew; what stood there is kept as PATH.previous.
  static std::expected<Journal, Error> start(const std::string& path, const CampaignPlan& plan);
  // Goes on after the last whole line of what parse_journal read.
  static std::expected<Journal, Error> reopen(const std::string& path, std::size_t whole_bytes);

  Journal(Journal&& other) noexcept;
  Journal& operator=(Journal&&) = delete;
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal();

  std::expected<void, Error> add(const JournaledFinding& finding);
  std::expected<void, Error> add(const SliceResult& slice);
  std::expected<void, Error> adopted(int round);
  std::expected<void, Error> end(int status);

 private:
  Journal(std::string path, int file) : path_(std::move(path)), file_(file) {}
  std::expected<void, Error> append(std::string line);

  std::string path_;
  int file_ = -1;
};

}  // namespace convproof::campaign
