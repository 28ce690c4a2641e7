#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "ci/campaign_run/campaign_report.h"
#include "selector/op/error.h"

namespace convproof::campaign {

// One finding as a JSON object on one line: the form of report.json, of the journal and of the
// history. Reading it back gives the same finding.
std::string finding_to_json(const CampaignFinding& finding);
std::expected<CampaignFinding, Error> finding_from(std::string_view json_text);

}  // namespace convproof::campaign
