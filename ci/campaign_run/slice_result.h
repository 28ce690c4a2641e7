#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "ci/campaign_run/campaign_report.h"

namespace convproof::campaign {

// What one slice of fuzzing came to: a run of one target on one table, from the corpus as it stood
// when its round began.
struct SliceResult {
  int round = 0;
  std::size_t job = 0;
  std::string folder{};  // where it left its new inputs, below the campaign's run folder
  std::int64_t executions = 0;
  std::int64_t checked = 0;
  std::int64_t crashes = 0;
  std::int64_t new_features = 0;
  CoveragePoint end{};  // its own executions; coverage and corpus in all

  bool operator==(const SliceResult&) const = default;
};

}  // namespace convproof::campaign
