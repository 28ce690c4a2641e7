#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace convproof::ci {

// What the command line asked of `prove`, `diff` or `why-not`.
struct ProveRequest {
  std::vector<std::string> registries{};  // prove: any number; diff: old and new; why-not: one
  std::vector<std::string> settings{};    // NAME=VALUE, options of the tables
  std::vector<std::string> known{};       // ledger files, at most one per registry
  std::vector<std::string> assumptions{};
  std::vector<std::string> kinds{};
  std::string row{};
  std::string file{};  // why-not: the convolution
  std::string format = "text";
  std::string smt2_folder{};
  std::string save_folder{};
  std::uint64_t seed = 1;
  std::uint32_t samples = 24'576;
  std::uint32_t threads = 2;
  std::uint32_t timeout_seconds = 60;  // per question
  std::uint32_t memory_megabytes = 4'000;
};

// Each prints results on standard output and everything else on standard error, and returns the
// exit status: 0 nothing new, 1 findings, 2 bad usage or bad input, 3 undecided or an internal
// failure.
int run_prove(const ProveRequest& request);
int run_diff(const ProveRequest& request);
int run_why_not(const ProveRequest& request);

}  // namespace convproof::ci
