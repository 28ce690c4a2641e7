#pragma once

#include <functional>

#include "ci/fuzz_request.h"

namespace CLI {
class App;
}

namespace convproof::ci {

// Adds `fuzz`, `replay` and `repro` to the command line; the one that is given sets `run`. The
// request must outlive the parse and the run.
void add_fuzz_commands(CLI::App& app, FuzzRequest& request, std::function<int()>& run);

}  // namespace convproof::ci
