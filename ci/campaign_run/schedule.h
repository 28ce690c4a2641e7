#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "ci/campaign_run/slice_result.h"

namespace convproof::campaign {

// A fuzz target on a table.
struct FuzzJob {
  std::string target{};
  std::string table{};                // empty for targets of text
  std::int64_t slice_executions = 0;  // about ten seconds of one core

  bool operator==(const FuzzJob&) const = default;
};

// A job that crashes this often has shown its fault; it is not run again.
inline constexpr std::int64_t most_crashes = 5;

// The jobs of round `round`, in the order in which their slices start, chosen by what the slices of
// earlier rounds came to: the half with most new features in the last slice, since slices take
// about the same time, and of the others every third, in turn, so that none starves. All in round
// 0. A pure function: the same results give the same rounds, whatever the number of workers.
std::vector<std::size_t> jobs_of_round(int round, std::size_t job_count,
                                       std::span<const SliceResult> slices);

// Executions of the slices of a round.
std::int64_t executions_of(std::span<const std::size_t> round, std::span<const FuzzJob> jobs);

}  // namespace convproof::campaign
