#pragma once

#include <functional>
#include <memory>

#include "ci/prove_request.h"

namespace CLI {
class App;
}

namespace convproof::ci {

// Adds `prove`, `diff` and `why-not` to the command line; the one that is given sets `run`. The
// request must outlive the parse and the run.
void add_prove_commands(CLI::App& app, ProveRequest& request, std::function<int()>& run);

}  // namespace convproof::ci
