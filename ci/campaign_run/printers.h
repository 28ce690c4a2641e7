#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "ci/campaign_run/campaign_report.h"

namespace convproof::campaign {

// The printers of a campaign's report, one per format. Each shows the whole value; only what stands
// under `timings` differs between two campaigns of the same seed and budget.

// `{"version": 1, ...}`; every key is described in ci/campaign_run/report.schema.json.
std::string report_to_json(const CampaignReport& report);

// SARIF 2.1.0: a result a finding, at the line of its row, with its fingerprint, its state against
// the last campaign, and the ledger's reason as a suppression.
std::string report_to_sarif(const CampaignReport& report);

// JUnit XML: a suite per table, a case per row without findings and per finding.
std::string report_to_junit(const CampaignReport& report);

// For a review comment: the verdict, what is new and how to replay it, the figures.
std::string report_to_markdown(const CampaignReport& report);

// One self-contained page: no network, no scripts but for the copy buttons.
std::string report_to_html(const CampaignReport& report);

// The text with what HTML and XML read as markup escaped, and control characters replaced.
std::string escaped(std::string_view text);

}  // namespace convproof::campaign
