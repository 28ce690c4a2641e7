#include "ci/prove_commands.h"

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "props/proofs/finding.h"

namespace convproof::ci {
namespace {

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const auto& entry : proofs::finding_kinds) names.emplace_back(entry.name);
  return names;
}

void add_common(CLI::App& command, ProveRequest& request) {
  command.add_option("--set", request.settings, "an option of the tables: NAME=VALUE")
      ->type_name("NAME=VALUE");
  command
      .add_option("--assume", request.assumptions,
                  "consider only convolutions for which this condition holds")
      ->type_name("EXPR");
  command.add_option("--seed", request.seed, "of the sampled convolutions")->capture_default_str();
  command.add_option("--samples", request.samples, "convolutions to sample before solving")
      ->check(CLI::Range(1, 10'000'000))
      ->capture_default_str();
  command.add_option("--threads", request.threads, "the result does not depend on it")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  command
      .add_option("--timeout", request.timeout_seconds,
                  "seconds per question, as a safety; the solver's own budget comes first")
      ->check(CLI::Range(1, 86'400))
      ->capture_default_str();
  command.add_option("--memory", request.memory_megabytes, "megabytes for the solver")
      ->check(CLI::Range(64, 1'000'000))
      ->capture_default_str();
  command.add_option("--save", request.save_folder,
                     "write each witness to this folder as a JSON case that `check` reads");
  command.add_option("--smt2", request.smt2_folder,
                     "write each question to this folder as SMT-LIB 2");
}

}  // namespace

void add_prove_commands(CLI::App& app, ProveRequest& request, std::function<int()>& run) {
  CLI::App& prove = *app.add_subcommand(
      "prove", "Dead rows, unsound rows, aborting predicates, overlaps: proved, or with a witness");
  prove.add_option("registry", request.registries,
                   "built-in tables by name, or tables' files; all built-in tables by default");
  prove.add_option("--known", request.known,
                   "a ledger of known findings: only others count, and all of it must still occur");
  prove.add_option("--kind", request.kinds, "only these kinds of finding")
      ->check(CLI::IsMember(kind_names()));
  prove.add_option("--row", request.row, "only this row's obligations");
  prove.add_option("--format", request.format, "text, json, sarif, junit or markdown")
      ->check(CLI::IsMember({"text", "json", "sarif", "junit", "markdown"}))
      ->capture_default_str();
  add_common(prove, request);
  prove.footer(
      "exit status: 1 where a row is shadowed, contradictory or unsound or a predicate raises and "
      "no\n"
      "ledger knows it; the other kinds are information\n"
      "example: convproof prove neuron --known corpus/known/neuron.json\n"
      "         convproof prove my-table.json --assume \"element_type == 'bf16'\"");
  prove.callback([&] { run = [&] { return run_prove(request); }; });

  CLI::App& diff = *app.add_subcommand(
      "diff", "The convolutions for which two tables select differently; nothing: proved alike");
  diff.add_option("tables", request.registries, "the old and the new table, by name or file")
      ->expected(2)
      ->required();
  diff.add_option("--format", request.format, "text or json")
      ->check(CLI::IsMember({"text", "json"}))
      ->capture_default_str();
  add_common(diff, request);
  diff.footer("example: convproof diff neuron neuron-repaired");
  diff.callback([&] { run = [&] { return run_diff(request); }; });

  CLI::App& why_not = *app.add_subcommand("why-not", "Why a row does not take a convolution");
  why_not.add_option("row", request.row, "the row's id")->required();
  why_not.add_option("file", request.file, "a file with convolutions")->required();
  why_not.add_option("--registry", request.registries, "a built-in table by name, or a file")
      ->expected(1);
  why_not.add_option("--set", request.settings, "an option of the table: NAME=VALUE")
      ->type_name("NAME=VALUE");
  why_not.footer("example: convproof why-not conv2d-depthwise model.hlo");
  why_not.callback([&] { run = [&] { return run_why_not(request); }; });
}

}  // namespace convproof::ci
