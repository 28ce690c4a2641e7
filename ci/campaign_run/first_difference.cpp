#include "ci/campaign_run/first_difference.h"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace convproof::campaign {

std::string first_difference_in(std::string_view detail) {
  // As oracle/check.cpp and oracle/aten_check.cpp put it.
  constexpr std::array<std::string_view, 2> introductions{"elements differ, first ",
                                                          "elements differ, the first is "};
  for (const std::string_view words : introductions) {
    const std::size_t at = detail.find(words);
    if (at == std::string_view::npos) continue;
    const std::string_view rest = detail.substr(at + words.size());
    return std::string(rest.substr(0, rest.find(';')));
  }
  return "";
}

}  // namespace convproof::campaign
