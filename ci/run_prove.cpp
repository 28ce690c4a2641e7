#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ci/commands.h"
#include "ci/progress.h"
#include "ci/prove_options.h"
#include "ci/prove_report.h"
#include "ci/prove_request.h"
#include "ci/write_file.h"
#include "props/proofs/ledger.h"
#include "props/proofs/prove_table.h"
#include "selector/registry/registry.h"

namespace convproof::ci {
namespace {

std::optional<std::vector<proofs::Ledger>> read_ledgers(const std::vector<std::string>& files) {
  std::vector<proofs::Ledger> ledgers;
  for (const std::string& file : files) {
    std::ifstream stream(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(stream), {}};
    if (!stream.good() && text.empty()) {
      fmt::print(stderr, "convproof: {}: cannot be read\n", file);
      return std::nullopt;
    }
    auto ledger = proofs::parse_ledger(text, file);
    if (!ledger) {
      fmt::print(stderr, "convproof: {}\n", to_string(ledger.error()));
      return std::nullopt;
    }
    ledgers.push_back(std::move(*ledger));
  }
  return ledgers;
}

bool save_witnesses(const proofs::ProofReport& report, const std::string& folder) {
  for (const proofs::Finding& finding : report.findings) {
    if (!finding.witness) continue;
    const std::string path = fmt::format("{}/{}", folder, witness_file(finding.signature));
    const std::string saved = report.subject->json_case(
        finding.signature, *finding.witness, finding.detail,
        fmt::format("convproof prove {} --seed {}", report.registry, report.seed));
    if (auto written = write_file(path, saved); !written) {
      fmt::print(stderr, "convproof: {}\n", to_string(written.error()));
      return false;
    }
  }
  return true;
}

std::string printed(const std::vector<proofs::ProofReport>& reports, const ProveRequest& request) {
  if (request.format == "json") return prove_to_json(reports);
  if (request.format == "sarif") return prove_to_sarif(reports);
  if (request.format == "junit") return prove_to_junit(reports);
  if (request.format == "markdown") return prove_to_markdown(reports);
  std::string text;
  for (const proofs::ProofReport& report : reports) {
    if (!text.empty()) text += "\n";
    text += prove_to_text(report, request.save_folder, is_terminal_output());
  }
  return text;
}

}  // namespace

int run_prove(const ProveRequest& request) {
  watch_interrupts();
  const auto ledgers = read_ledgers(request.known);
  if (!ledgers || !make_folders(request)) return 2;
  std::vector<std::string> names =
      request.registries.empty() ? registry_names() : request.registries;
  std::set<std::string> used;
  std::vector<proofs::ProofReport> reports;
  int status = 0;
  for (const std::string& name : names) {
    const auto registry = open_registry(Request{.registry = name, .settings = request.settings});
    if (!registry) return 2;
    auto options = prove_options(request, *registry);
    if (!options) return 2;
    std::optional<Progress> progress;
    std::mutex mutex;
    options->progress = [&](std::size_t done, std::size_t total) {
      const std::scoped_lock lock(mutex);
      if (!progress) progress.emplace(registry->name, static_cast<std::int64_t>(total));
      progress->at(static_cast<std::int64_t>(done));
    };
    auto report = proofs::prove_table(*registry, *options);
    progress.reset();
    if (!report) {
      fmt::print(stderr, "convproof: {}\n", to_string(report.error()));
      return 2;
    }
    for (const proofs::Ledger& ledger : *ledgers) {
      if (ledger.registry == registry->name) used.insert(ledger.registry);
      proofs::apply(ledger, options->kinds, request.row, *report);
    }
    if (!request.save_folder.empty() && !save_witnesses(*report, request.save_folder)) return 3;
    status = std::max(status, exit_status(*report));
    reports.push_back(std::move(*report));
    if (interrupted()) break;
  }
  for (const proofs::Ledger& ledger : *ledgers) {
    if (used.contains(ledger.registry) || interrupted()) continue;
    fmt::print(stderr, "convproof: --known: no table of this run is called {}\n", ledger.registry);
    return 2;
  }
  return print_result(printed(reports, request), status);
}

}  // namespace convproof::ci
