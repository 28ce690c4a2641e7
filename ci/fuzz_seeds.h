#pragma once

#include <cstddef>
#include <expected>
#include <string>

#include "ci/fuzz_targets.h"
#include "selector/op/error.h"

namespace convproof::ci {

// Writes the seeds of a target below `folder`/NAME: the operations of the corpus (cut to the size
// of a fuzzer's) for targets that read operations, its files and printed operations for text
// targets, a clause a file for fuzz_registry. Returns how many there are.
std::expected<std::size_t, Error> write_seeds(const FuzzTarget& target, const std::string& corpus,
                                              const std::string& folder);

}  // namespace convproof::ci
