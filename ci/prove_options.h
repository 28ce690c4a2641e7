#pragma once

#include <optional>
#include <string_view>

#include "ci/prove_request.h"
#include "props/proofs/prove_table.h"
#include "selector/registry/registry.h"

namespace convproof::ci {

// The request as the prover's options for one table, its assumptions parsed over the table's
// schema; nothing after an error was printed.
std::optional<proofs::ProveOptions> prove_options(const ProveRequest& request,
                                                  const Registry& registry);

// Makes the folders that the request writes to; false after an error was printed.
bool make_folders(const ProveRequest& request);

// Prints the result and returns the status, 3 where it cannot be printed.
int print_result(std::string_view text, int status);

}  // namespace convproof::ci
