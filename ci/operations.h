#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "ci/commands.h"
#include "ci/report.h"
#include "selector/frontends/document.h"
#include "selector/op/error.h"

namespace convproof::ci {

// Draws an operation; its name and place are left to the caller.
using Generator = std::function<FoundOp(std::uint64_t seed)>;
Generator convolution_generator(const Request& request);

// Calls `visit` for every operation the request names, in order: those of its files, or generated
// ones. Generated operation i is drawn from seed + i, so that `--generate 1 --seed SEED+i` draws it
// again. Stops early on Ctrl-C and says so in the report. Problems outside operations go into the
// report.
void for_each_operation(const Request& request, Report& report, const Generator& generator,
                        const std::function<void(const FoundOp&, std::uint64_t seed)>& visit);

// The parts of an operation's report that do not depend on the command.
OperationReport base_report(const FoundOp& found);

// `FILE:LINE NAME`, or the name of a generated operation.
std::string title_of(const FoundOp& found);

// Why the operation is no well-formed convolution: its reader's error, or the first axiom it
// breaks.
std::optional<Error> problem_of(const FoundOp& found);

// Adds a problem of one operation to the report's errors.
void add_error(const FoundOp& found, const Error& problem, Report& report);

// Counts an operation that cannot be checked; that it cannot is what its case may expect.
void add_invalid(const FoundOp& found, std::string detail, Report& report);

// Ends a command that prints operation by operation: errors on standard error, and, where JSON was
// asked for, `{"version": 1, ..., "operations": [...]}`. Gives the exit status.
int print_operations(const Report& report, const Request& request,
                     nlohmann::ordered_json operations);

// Prints the report in the requested format and gives the exit status.
int print_report(const Report& report, const Request& request);

}  // namespace convproof::ci
