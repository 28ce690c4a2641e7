#pragma once

#include <functional>

#include "ci/campaign_run/campaign_request.h"

namespace CLI {
class App;
}

namespace convproof::campaign {

// Registers `campaign`; when it is parsed, `run` is set to the call that executes it. `request`
// must outlive the parse and the run.
void add_campaign_command(CLI::App& app, CampaignRequest& request, std::function<int()>& run);

}  // namespace convproof::campaign
