// Writes the seeds of every fuzz target below the folder $SEEDS, from the cases of $CORPUS, and a
// line a target, its name and the longest input it takes, to $SEEDS/targets.
//
// A fuzz target itself, which does its work before the first input: only so it links with any
// engine and any instrumentation that a fleet brings.

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>

#include <fmt/format.h>

#include "ci/fuzz_seeds.h"
#include "ci/fuzz_targets.h"
#include "ci/inputs.h"
#include "ci/write_file.h"

std::span<const convproof::DocumentFormat> convproof::ci::further_formats() { return {}; }

extern "C" int LLVMFuzzerInitialize(int* /*argc*/, char*** /*argv*/) {
  using namespace convproof;
  const char* const corpus = std::getenv("CORPUS");
  const char* const seeds = std::getenv("SEEDS");
  if (corpus == nullptr || seeds == nullptr) {
    fmt::print(stderr, "write_fuzz_seeds: needs CORPUS and SEEDS in its environment\n");
    std::_Exit(2);
  }
  std::string list;
  for (const ci::FuzzTarget& target : ci::fuzz_targets) {
    if (target.beyond_core) continue;
    if (const auto written = ci::write_seeds(target, corpus, seeds); !written) {
      fmt::print(stderr, "{}\n", to_string(written.error()));
      std::_Exit(1);
    }
    list += fmt::format("{} {}\n", target.name, target.max_length);
  }
  if (const auto written = ci::write_file(std::string(seeds) + "/targets", list); !written) {
    fmt::print(stderr, "{}\n", to_string(written.error()));
    std::_Exit(1);
  }
  std::_Exit(0);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* /*data*/, std::size_t /*size*/) {
  return 0;
}
