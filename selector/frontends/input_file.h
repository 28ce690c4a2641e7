#pragma once

#include <cstddef>
#include <expected>
#include <string>

#include "selector/op/error.h"

namespace convproof {

inline constexpr std::size_t max_file_bytes = std::size_t{256} << 20;

// The whole content of the file at `path`, text or not, of at most `max_file_bytes`; larger files
// are refused before they are read. An error's place is the path.
std::expected<std::string, Error> read_input_file(const std::string& path);

}  // namespace convproof
