#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "selector/op/error.h"

namespace convproof::ci {

// Writes a file whole or not at all: to a temporary name beside it, then renamed.
std::expected<void, Error> write_file(const std::string& path, std::string_view content);

}  // namespace convproof::ci
