#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "selector/registry/registry.h"

namespace convproof::campaign {

// FNV-1a, 64 bits.
std::uint64_t hash_of(std::string_view text);

// What a row is, whatever it is called and wherever it stands: its clauses, kernel and layout.
std::string content_of(const Row& row);

// 16 hexadecimal digits that stay the same while the row keeps its content, so that a finding is
// recognised after rows were renamed, reordered or moved to other lines. `content` is that of the
// row; where no row takes part, what stands for it: a target's name, a case's.
std::string fingerprint_of(std::string_view table, std::string_view content, std::string_view kind,
                           std::string_view clause);

}  // namespace convproof::campaign
