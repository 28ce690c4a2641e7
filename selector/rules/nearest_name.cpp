#include "selector/rules/nearest_name.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace convproof {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Insertions, deletions, replacements and exchanges of neighbours, letter case apart.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1);
  std::vector<std::size_t> last(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last = last;
    last = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0U : 1U)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
          lower(a[i - 2]) == lower(b[j - 1])) {
        row[j] = std::min(row[j], before_last[j - 2] + 1);
      }
    }
  }
  return row[b.size()];
}

}  // namespace

std::string_view nearest_name(std::string_view name, std::span<const std::string_view> names) {
  constexpr std::size_t longest = 64;  // longer names are no typing slips, and cost time
  if (name.size() > longest) return {};
  std::string_view best;
  std::size_t best_distance = std::max<std::size_t>(1, name.size() / 3) + 1;
  for (const std::string_view candidate : names) {
    if (candidate.size() > longest) continue;
    const std::size_t distance = edit_distance(name, candidate);
    // A distance as long as the shorter word shares nothing with it.
    if (distance < best_distance && distance < std::min(name.size(), candidate.size())) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

std::string_view nearest_name(std::string_view name, std::span<const std::string> names) {
  const std::vector<std::string_view> views(names.begin(), names.end());
  return nearest_name(name, views);
}

std::string did_you_mean(std::string_view name, std::span<const std::string> names) {
  const std::string_view near = nearest_name(name, names);
  return near.empty() ? std::string() : ", did you mean `" + std::string(near) + "`?";
}

}  // namespace convproof
