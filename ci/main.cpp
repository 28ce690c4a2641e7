#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "ci/campaign_run/campaign_command.h"
#include "ci/commands.h"
#include "ci/fuzz_commands.h"
#include "ci/prove_commands.h"
#include "selector/registry/registry.h"
#include "selector/rules/nearest_name.h"

namespace convproof::ci {
namespace {

struct Command {
  const char* name;
  const char* about;
  const char* example;
  int (*run)(const Request&);
  bool executes;  // runs kernels: takes a limit of work
};

constexpr Command commands[] = {
    {"select", "Which row takes each convolution, and the pass's statistics",
     "convproof select model.hlo --registry neuron", run_select, false},
    {"explain", "Clause by clause, why each row does or does not match",
     "convproof explain model.mlir --registry my-table.json", run_explain, false},
    {"check", "Run the selected kernel against the reference convolution",
     "convproof check model.hlo corpus/ --registry neuron-repaired\n"
     "         convproof check --generate 100000 --seed 7",
     run_check, true},
    {"lower", "The lowered program: transposes, kernel name, marshalled attributes",
     "convproof lower model.hlo --registry neuron", run_lower, false},
};

void add_options(CLI::App& command, Request& request, const Command& info) {
  command.add_option(
      "file", request.files,
      "HLO, StableHLO or MHLO text, or JSON cases; a folder stands for the files below it");
  command.add_option("--registry", request.registry, "a built-in table by name, or a table's file")
      ->capture_default_str();
  command
      .add_option("--set", request.settings,
                  "an option of the table or a switch of its kernels: NAME=VALUE")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command
      .add_option("--env", request.environment,
                  "what calls of aten are compiled for: device=cpu, autotune=false, ...")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  command.add_option("--format", request.format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  command.add_option("--seed", request.seed, "of the data, and of generated operations")
      ->capture_default_str();
  command
      .add_option("--generate", request.generate,
                  "draw this many convolutions instead of reading files")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1'000'000'000}));
  command
      .add_option("--size", request.size, "of generated ones: 0 small, 1 around 128, 2 around 512")
      ->check(CLI::Range(0, 2));
  if (info.run == run_select)
    command.add_flag("--pglt", request.pglt, "the pass flag that rows may read");
  if (info.run == run_check || info.run == run_lower) {
    command.add_option("--kernel", request.kernel, "this kernel, whatever the table selects");
  }
  if (info.run == run_check) {
    command
        .add_option(
            "--values", request.values,
            "what the operands hold: field, random elements of a prime field, which decides "
            "equality for all finite data; special, small numbers and one infinity, which "
            "shows where a candidate spreads NaN to elements that have none by definition "
            "(tables about calls of aten only)")
        ->check(CLI::IsMember({"field", "special"}))
        ->capture_default_str();
  }
  if (info.executes) {
    command
        .add_option("--max-work", request.max_work,
                    "multiply-adds above which a convolution is skipped")
        ->check(CLI::PositiveNumber)
        ->capture_default_str();
    command.add_flag(
        "--explained-ok", request.explained_ok,
        "exit 0 where a broken contract clause or a known defect explains every finding");
    command.add_option("--report", request.report_file,
                       "write the JSON report to this file as well");
  }
  command.footer(fmt::format("example: {}", info.example));
}

int run_on_convolutions(const Command& command, const Request& request) {
  if (request.files.empty() == (request.generate == 0)) {
    fmt::print(stderr, "convproof {}: give either files or --generate N\n", command.name);
    return 2;
  }
  return command.run(request);
}

int run(int argc, char** argv) {
  CLI::App app("Fuzzing and differential verification of convolution kernel selection tables");
  app.set_version_flag("--version", std::string("convproof ") + CONVPROOF_VERSION);
  app.require_subcommand(1);
  app.footer(fmt::format(
      "built-in tables: {}\nexit status: 0 nothing found, 1 findings, 2 bad usage or bad input, "
      "3 undecided or an internal failure",
      fmt::join(registry_names(), ", ")));
  std::function<int()> run_chosen;
  Request request;
  for (const Command& command : commands) {
    CLI::App* const sub = app.add_subcommand(command.name, command.about);
    add_options(*sub, request, command);
    sub->callback([&] { run_chosen = [&] { return run_on_convolutions(command, request); }; });
  }
  ProveRequest prove_request;
  add_prove_commands(app, prove_request, run_chosen);
  FuzzRequest fuzz_request;
  add_fuzz_commands(app, fuzz_request, run_chosen);
  campaign::CampaignRequest campaign_request;
  campaign::add_campaign_command(app, campaign_request, run_chosen);

  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands(nullptr)) names.push_back(sub->get_name());
  if (argc > 1 && argv[1][0] != '-' && std::ranges::find(names, argv[1]) == names.end()) {
    const std::string near = did_you_mean(argv[1], names);
    fmt::print(stderr, "convproof: command = {}: unknown{}\n", argv[1],
               near.empty() ? fmt::format(", known are: {}", fmt::join(names, ", ")) : near);
    return 2;
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const int status = app.exit(error);
    return status == 0 ? 0 : 2;
  }
  return run_chosen();
}

}  // namespace
}  // namespace convproof::ci

int main(int argc, char** argv) {
  try {
    return convproof::ci::run(argc, argv);
  } catch (const std::bad_alloc&) {
    std::fputs("convproof: out of memory\n", stderr);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "convproof: internal failure: %s\n", error.what());
  }
  return 3;
}
