#include "props/proofs/blocking.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace convproof::proofs {
namespace {

using Sets = std::span<const std::vector<std::uint32_t>>;

bool meets(const std::vector<std::uint32_t>& set, const std::vector<std::uint32_t>& chosen) {
  return std::ranges::any_of(
      chosen, [&](std::uint32_t element) { return std::ranges::find(set, element) != set.end(); });
}

// Extends `chosen` by at most `more` elements.
bool extend(Sets sets, std::size_t more, std::vector<std::uint32_t>& chosen) {
  const std::vector<std::uint32_t>* smallest = nullptr;
  for (const auto& set : sets) {
    if (meets(set, chosen)) continue;
    if (smallest == nullptr || set.size() < smallest->size()) smallest = &set;
  }
  if (smallest == nullptr) return true;
  if (more == 0) return false;
  for (const std::uint32_t element : *smallest) {
    chosen.push_back(element);
    if (extend(sets, more - 1, chosen)) return true;
    chosen.pop_back();
  }
  return false;
}

std::vector<std::uint32_t> greedy(Sets sets) {
  std::vector<std::uint32_t> chosen;
  while (true) {
    std::map<std::uint32_t, std::size_t> counts;
    for (const auto& set : sets) {
      if (meets(set, chosen)) continue;
      for (const std::uint32_t element : set) ++counts[element];
    }
    if (counts.empty()) break;
    const auto most = std::ranges::max_element(
        counts, [](const auto& a, const auto& b) { return a.second < b.second; });
    chosen.push_back(most->first);
  }
  for (std::size_t i = chosen.size(); i-- > 0;) {
    std::vector<std::uint32_t> without = chosen;
    without.erase(without.begin() + static_cast<std::ptrdiff_t>(i));
    if (std::ranges::all_of(sets, [&](const auto& set) { return meets(set, without); })) {
      chosen = std::move(without);
    }
  }
  return chosen;
}

}  // namespace

std::vector<std::uint32_t> smallest_hitting_set(Sets sets, std::size_t exact) {
  for (std::size_t size = 0; size <= exact; ++size) {
    std::vector<std::uint32_t> chosen;
    if (!extend(sets, size, chosen)) continue;
    std::ranges::sort(chosen);
    return chosen;
  }
  std::vector<std::uint32_t> chosen = greedy(sets);
  std::ranges::sort(chosen);
  return chosen;
}

}  // namespace convproof::proofs
