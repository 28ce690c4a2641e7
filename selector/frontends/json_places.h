#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace convproof {

// Where the cases stand in a JSON text, which the parser's values do not remember.
struct JsonPlaces {
  std::vector<std::size_t> cases{};  // offsets of the elements of the array, or of `cases` in it
  std::optional<std::size_t> too_deep{};  // the first bracket beyond `max_json_depth`
};

inline constexpr std::size_t max_json_depth = 64;

// Scans brackets and strings only; of a text that is not JSON it makes something or other.
JsonPlaces find_json_places(std::string_view text);

}  // namespace convproof
