#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "selector/op/error.h"

namespace convproof::campaign {

// The corpora of a campaign: a folder for each target, an input a file. Files come in by rename
// only, whole, so that a kill at any moment leaves none half-written.

// SHA-1 in hexadecimal: libFuzzer's name for an input.
std::string sha1_of(std::string_view content);

// The names of the folder's files, sorted; empty where there is no folder.
std::vector<std::string> files_of(const std::string& folder);

std::expected<std::string, Error> read_whole(const std::string& path);

// Moves the inputs that a slice left in `from` to `to`. An input whose content does not bear its
// name is refused, with all that come after it: something cut it short, as a full disk does.
// Idempotent: what a kill left undone is done by calling it again. Gives the number moved.
std::expected<std::size_t, Error> adopt_inputs(const std::string& from, const std::string& to);

// Puts the folder `next` in the place of `folder`. `repair_swap` ends a swap that was cut off.
std::expected<void, Error> swap_folder(const std::string& next, const std::string& folder);
std::expected<void, Error> repair_swap(const std::string& folder);

}  // namespace convproof::campaign
