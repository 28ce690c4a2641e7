#include "ci/report.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace convproof::ci {

void Report::count(std::string_view value) {
  ++total;
  add_to(value);
}

void Report::add_to(std::string_view value) {
  const auto found =
      std::ranges::find_if(counts, [&](const auto& entry) { return entry.first == value; });
  if (found != counts.end()) {
    ++found->second;
  } else {
    counts.emplace_back(std::string(value), 1);
  }
}

int exit_status(const Report& report) {
  if (!report.errors.empty() || report.bad_operations > 0) return 2;
  if (report.interrupted) return 3;
  const bool golden_wrong = report.golden_equal != report.golden_checked;
  const bool unexpected = report.expectations_met != report.expectations;
  const bool fresh = report.findings > (report.explained_ok ? report.explained : 0);
  return fresh || golden_wrong || unexpected ? 1 : 0;
}

}  // namespace convproof::ci
