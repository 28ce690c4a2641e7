#pragma once

#include <expected>
#include <set>
#include <string>
#include <vector>

#include "selector/op/error.h"

namespace convproof::ci {

// The signatures that the ledgers know. Without files, those of the registry in corpus/known and
// fuzz/known, as far as they exist.
std::expected<std::set<std::string>, Error> known_signatures(const std::vector<std::string>& files,
                                                             const std::string& registry);

}  // namespace convproof::ci
