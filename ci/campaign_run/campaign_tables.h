#pragma once

#include <array>
#include <string_view>

namespace convproof::campaign {

// The built-in tables that a campaign covers. What can be done with a table, as fuzzing it, is seen
// from the table itself.
inline constexpr std::array<std::string_view, 6> campaign_tables{"neuron",
                                                                 "neuron-repaired",
                                                                 "inductor-forward",
                                                                 "inductor-forward-repaired",
                                                                 "inductor-backward",
                                                                 "inductor-backward-repaired"};

}  // namespace convproof::campaign
