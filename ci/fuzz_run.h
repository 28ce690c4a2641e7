#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <utility>
#include <vector>

#include "ci/fuzz_targets.h"
#include "selector/op/error.h"

namespace convproof::ci {

struct FuzzFolders {
  std::string findings{};
  std::string crashes{};
  std::string corpus{};  // a folder for each target below it
};

struct TargetOptions {
  std::string binary_folder{};
  FuzzFolders folders{};
  std::string known_file{};
  std::string registry{};
  std::string fault{};
  double seconds = 60;
  std::uint64_t seed = 1;
  bool from_corpus = true;
};

// What one target's run came to.
struct TargetRun {
  std::string name{};
  std::uint64_t executions = 0;
  std::uint64_t per_second = 0;
  std::string statistics{};  // the target's own words
  std::vector<std::pair<std::string, std::uint64_t>>
      counts{};                        // findings by signature, known and new
  std::vector<std::string> crashes{};  // files of inputs
};

// Runs a libFuzzer binary for the given time, again after a crash, with a progress line on a
// terminal. Ctrl-C ends it early.
std::expected<TargetRun, Error> run_target(const FuzzTarget& target, const TargetOptions& options);

}  // namespace convproof::ci
