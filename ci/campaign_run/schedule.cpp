#include "ci/campaign_run/schedule.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

namespace convproof::campaign {
namespace {

struct Standing {
  std::int64_t new_features = 0;  // of its last slice
  std::int64_t crashes = 0;       // of all slices
};

}  // namespace

std::vector<std::size_t> jobs_of_round(int round, std::size_t job_count,
                                       std::span<const SliceResult> slices) {
  std::vector<Standing> standings(job_count);
  for (const SliceResult& slice : slices) {
    Standing& standing = standings[slice.job];
    standing.new_features = slice.new_features;
    standing.crashes += slice.crashes;
  }
  std::vector<std::size_t> running;
  for (std::size_t job = 0; job < job_count; ++job) {
    if (standings[job].crashes < most_crashes) running.push_back(job);
  }
  if (round == 0) return running;
  // The first job where they are equal.
  std::ranges::sort(running, {},
                    [&](std::size_t job) { return std::pair(-standings[job].new_features, job); });
  std::vector<std::size_t> chosen;
  const std::size_t best = (running.size() + 1) / 2;
  for (std::size_t place = 0; place < running.size(); ++place) {
    const bool turn = (static_cast<std::size_t>(round) + running[place]) % 3 == 0;
    if (place < best || turn) chosen.push_back(running[place]);
  }
  return chosen;
}

std::int64_t executions_of(std::span<const std::size_t> round, std::span<const FuzzJob> jobs) {
  return std::accumulate(
      round.begin(), round.end(), std::int64_t{0},
      [&](std::int64_t sum, std::size_t job) { return sum + jobs[job].slice_executions; });
}

}  // namespace convproof::campaign
