#include "ci/campaign_run/campaign_command.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "fuzz/planted_fault.h"

namespace convproof::campaign {

void add_campaign_command(CLI::App& app, CampaignRequest& request, std::function<int()>& run) {
  std::vector<std::string> fault_names;
  for (const auto& fault : fuzz::planted_faults()) fault_names.emplace_back(fault.name);

  CLI::App& campaign = *app.add_subcommand(
      "campaign", "The nightly run: corpus, proofs, fuzzing on all cores, and its report page");
  auto* const quick = campaign.add_flag("--quick", request.quick,
                                        "about a minute of fuzzing on two cores; default");
  auto* const minutes =
      campaign.add_option("--minutes", request.minutes, "end fuzzing this long after the start")
          ->check(CLI::Range(0.1, 100'000.0));
  auto* const executions =
      campaign
          .add_option("--executions", request.executions,
                      "end fuzzing after this many executions: repeats exactly")
          ->check(CLI::PositiveNumber);
  quick->excludes(minutes)->excludes(executions);
  minutes->excludes(executions);
  campaign.add_option("--out", request.out, "for the reports, the grown corpora and the journal")
      ->capture_default_str();
  campaign.add_flag("--resume", request.resume, "go on where a campaign in that folder was killed");
  campaign.add_option("--seed", request.seed, "of everything that is drawn")->capture_default_str();
  campaign
      .add_option("--table", request.tables,
                  "a table by name, or its file; all that a campaign covers by default")
      ->allow_extra_args(false);
  campaign
      .add_option("--known", request.known,
                  "a ledger, in the place of the one in corpus/known and fuzz/known")
      ->allow_extra_args(false);
  campaign.add_option("--build", request.build_folder, "the folder of the libFuzzer binaries");
  campaign.add_option("--corpus", request.corpus_folder, "the cases and seeds")
      ->capture_default_str();
  campaign
      .add_option("--workers", request.workers,
                  "fuzzing processes at a time; the result does not depend on it")
      ->default_str("one a core")
      ->check(CLI::Range(1U, 1024U));
  campaign.add_option("--fault", request.fault, "plant this fault in the fuzz targets")
      ->check(CLI::IsMember(fault_names))
      ->group("");
  campaign.footer(
      "exit status: 0 nothing new, 1 findings that no ledger knows, 2 bad usage, 3 the campaign "
      "failed\n"
      "example: convproof campaign --minutes 480 --out nightly");
  campaign.callback([&] { run = [&] { return run_campaign(request); }; });
}

}  // namespace convproof::campaign
