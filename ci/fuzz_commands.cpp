#include "ci/fuzz_commands.h"

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "ci/fuzz_targets.h"
#include "fuzz/planted_fault.h"
#include "fuzz/reproducer.h"

namespace convproof::ci {

void add_fuzz_commands(CLI::App& app, FuzzRequest& request, std::function<int()>& run) {
  std::vector<std::string> target_names;
  for (const FuzzTarget& target : fuzz_targets) target_names.emplace_back(target.name);
  std::vector<std::string> format_names;
  for (const auto& format : fuzz::reproducer_formats) format_names.emplace_back(format.name);
  std::vector<std::string> fault_names;
  for (const auto& fault : fuzz::planted_faults()) fault_names.emplace_back(fault.name);

  CLI::App& fuzz =
      *app.add_subcommand("fuzz", "Run the fuzz targets, then shrink and report what they found");
  fuzz.add_option("target", request.targets, "fuzz_lower and the like; all by default")
      ->check(CLI::IsMember(target_names));
  fuzz.add_option("--minutes", request.minutes, "of all targets together, on one core")
      ->check(CLI::Range(0.01, 100'000.0))
      ->capture_default_str();
  fuzz.add_option("--registry", request.registry, "a built-in table by name, or a table's file")
      ->default_str("neuron-repaired");
  fuzz.add_option("--known", request.known,
                  "ledgers of known findings; by default those of the registry in corpus/known and "
                  "fuzz/known");
  fuzz.add_option("--build", request.build_folder,
                  "the folder of the libFuzzer binaries; by default build/fuzz/bin beside the "
                  "command's own build");
  fuzz.add_option("--corpus", request.corpus_folder, "the seeds: a folder with readable files")
      ->capture_default_str();
  fuzz.add_flag("--no-corpus", request.no_corpus, "start from nothing");
  fuzz.add_option("--out", request.out_folder, "for findings, crashes and the grown corpus")
      ->capture_default_str();
  fuzz.add_option("--seed", request.seed, "of libFuzzer; 0 draws one")->capture_default_str();
  fuzz.add_option("--fault", request.fault, "plant this fault, to see it found")
      ->check(CLI::IsMember(fault_names));
  fuzz.footer(
      "exit status: 1 where there is a finding that no ledger knows, 3 where a target ran nothing\n"
      "example: convproof fuzz fuzz_lower --minutes 5 --registry neuron");
  fuzz.callback([&] { run = [&] { return run_fuzz(request); }; });

  CLI::App& replay = *app.add_subcommand("replay", "Run saved findings again");
  replay.add_option("case", request.files, "JSON cases, or any readable file with convolutions")
      ->required();
  replay.add_option("--registry", request.registry, "a built-in table by name, or a table's file")
      ->default_str("neuron");
  replay.add_option("--known", request.known, "ledgers of known findings")->capture_default_str();
  replay.add_option("--seed", request.seed, "of the data")->capture_default_str();
  replay.footer(
      "exit status: 1 where a case is a finding that no ledger knows\n"
      "example: convproof replay corpus/regressions --registry neuron-repaired");
  replay.callback([&] { run = [&] { return run_replay(request); }; });

  CLI::App& repro = *app.add_subcommand("repro", "A saved finding as a stand-alone program");
  repro.add_option("case", request.files, "a JSON case, or any readable file with one convolution")
      ->required();
  repro.add_option("--as", request.as, "the form")
      ->check(CLI::IsMember(format_names))
      ->capture_default_str();
  repro.footer("example: convproof repro finding.json --as stablehlo > finding.mlir");
  repro.callback([&] { run = [&] { return run_repro(request); }; });
}

}  // namespace convproof::ci
