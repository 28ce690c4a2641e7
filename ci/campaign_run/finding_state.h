#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "ci/campaign_run/campaign_report.h"
#include "selector/op/error.h"

namespace convproof::campaign {

// What one earlier campaign of a folder found, in short.
struct PastCampaign {
  std::vector<CampaignFinding> findings{};  // those that were there, without what was absent

  bool operator==(const PastCampaign&) const = default;
};

// The campaigns of a folder, oldest first:
//   {"version": 1, "campaigns": [{"findings": [...]}]}
using History = std::vector<PastCampaign>;
inline constexpr std::size_t longest_history = 30;

std::expected<History, Error> parse_history(std::string_view json_text, std::string_view file);
std::string write_history(const History& history);

// Adds what a report found; the oldest campaigns are forgotten.
void remember(const CampaignReport& report, History& history);

// Gives each finding its state, and adds those of the last campaign that are gone:
//   new        no campaign of the history had it
//   unchanged  the last one had it, and it was never gone since it first came
//   flapping   it was gone at least once since it first came
//   absent     the last one had it, and it is gone
// What the ledger knows was there before any history: it is unchanged at its first sight.
void give_states(const History& history, std::vector<CampaignFinding>& findings);

}  // namespace convproof::campaign
