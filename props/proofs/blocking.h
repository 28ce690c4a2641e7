#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace convproof::proofs {

// A smallest set that meets each of the given sets, none of which may be empty; the first in order
// of size and then of elements. Exact while the sets need at most `exact` elements, and beyond that
// a set from which no element can be left out.
std::vector<std::uint32_t> smallest_hitting_set(std::span<const std::vector<std::uint32_t>> sets,
                                                std::size_t exact = 6);

}  // namespace convproof::proofs
