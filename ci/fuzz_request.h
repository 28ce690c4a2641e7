#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace convproof::ci {

// What the command line asked of `fuzz`, `replay` or `repro`.
struct FuzzRequest {
  std::vector<std::string> targets{};  // fuzz: all where empty
  std::vector<std::string> files{};    // replay, repro: cases
  std::string registry{};              // fuzz: the repaired table, replay: the documented one
  std::vector<std::string> known{};    // ledger files; corpus/known and fuzz/known where empty
  double minutes = 1;                  // fuzz: of all targets together
  std::string build_folder{};          // fuzz: where the targets are; found where empty
  std::string corpus_folder = "corpus";
  std::string out_folder = "results/fuzz";
  std::string fault{};  // fuzz: a planted fault
  std::uint64_t seed = 1;
  bool no_corpus = false;
  std::string as = "hlo";  // repro
};

// Each prints results on standard output and everything else on standard error, and returns the
// exit status: 0 nothing new, 1 findings, 2 bad usage or bad input, 3 an internal failure.
int run_fuzz(const FuzzRequest& request);
int run_replay(const FuzzRequest& request);
int run_repro(const FuzzRequest& request);

}  // namespace convproof::ci
