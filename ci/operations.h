#pragma once

#include <cstdint>
#include <functional>

#include "ci/commands.h"
#include "ci/report.h"
#include "selector/frontends/document.h"

namespace convproof::ci {

// Calls `visit` for every operation the request names, in order: those of its files, or generated
// ones. Generated operation i is drawn from seed + i, so that `--generate 1 --seed SEED+i` draws it
// again. Stops early on Ctrl-C and says so in the report. Problems outside operations go into the
// report.
void for_each_operation(const Request& request, Report& report,
                        const std::function<void(const FoundOp&, std::uint64_t seed)>& visit);

// The parts of an operation's report that do not depend on the command.
OperationReport base_report(const FoundOp& found);

// Prints the report in the requested format and gives the exit status.
int print_report(const Report& report, const Request& request);

}  // namespace convproof::ci
