// How a campaign begins: its tables, its ledgers, its journal.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <expected>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "ci/campaign_run/campaign.h"
#include "ci/campaign_run/corpus_files.h"
#include "ci/campaign_run/row_counts.h"
#include "fuzz/candidate_spine.h"
#include "fuzz/planted_fault.h"

namespace convproof::campaign {
namespace {

namespace fs = std::filesystem;

std::string budget_text(const CampaignRequest& request, std::int64_t executions) {
  if (request.minutes > 0) return fmt::format("{:g} minutes", request.minutes);
  return fmt::format("{}{} executions", request.quick ? "quick: " : "", executions);
}

// What it takes to fuzz each job once, and half of them, the more rewarding ones, again.
std::int64_t two_rounds(const std::vector<FuzzJob>& jobs) {
  std::int64_t sum = 0;
  for (const FuzzJob& job : jobs) sum += job.slice_executions;
  return sum + sum * 3 / 4;
}

// Smaller slices for a budget that would not be enough for two rounds.
void fit_slices(std::int64_t executions, std::vector<FuzzJob>& jobs) {
  const std::int64_t needed = two_rounds(jobs);
  if (executions >= needed) return;
  for (FuzzJob& job : jobs) {
    job.slice_executions = std::max<std::int64_t>(job.slice_executions * executions / needed, 1);
  }
}

// What executes the table's operations; its `no_spine` says why there is nothing.
void open_spine(const fuzz::PlantedFault* fault, TableContext& table) {
  if (fuzz::collects_candidates(*table.registry)) {
    fuzz::CandidateSpineOptions options;
    options.registry = table.argument;
    options.fault = fault;
    auto candidates = fuzz::CandidateSpine::create(options);
    if (candidates) {
      table.candidates = std::make_unique<fuzz::CandidateSpine>(std::move(*candidates));
    } else {
      table.no_spine = to_string(candidates.error().error);
    }
    return;
  }
  auto spine = fuzz::Spine::create(
      {.registry = table.argument, .fault = fault, .max_work = std::int64_t{1} << 27});
  if (spine) {
    table.spine = std::make_unique<fuzz::Spine>(std::move(*spine));
  } else {
    table.no_spine = to_string(spine.error().error);
  }
}

}  // namespace

std::expected<Campaign, CampaignError> Campaign::create(CampaignRequest request,
                                                        CampaignPlaces places) {
  Campaign campaign;
  campaign.start_ = Clock::now();
  campaign.request_ = std::move(request);
  campaign.places_ = std::move(places);
  campaign.report_.timings.started =
      fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  campaign.report_.timings.workers = campaign.request_.workers;
  if (auto opened = campaign.open_tables(); !opened) return std::unexpected(opened.error());
  if (auto opened = campaign.open_journal(); !opened) return std::unexpected(opened.error());
  return campaign;
}

std::expected<void, CampaignError> Campaign::open_tables() {
  const fuzz::PlantedFault* const fault =
      request_.fault.empty() ? nullptr : fuzz::find_fault(request_.fault);
  replay_ = std::make_unique<ReplayCommand>(ReplayCommand{.program = places_.shown_program,
                                                          .fuzz_folder = places_.binaries,
                                                          .out = request_.out,
                                                          .fault = request_.fault});
  std::vector<std::string> names;
  std::vector<std::unique_ptr<Registry>> registries;
  for (const std::string& argument : request_.tables) {
    auto registry = find_registry(argument);
    if (!registry) return std::unexpected(CampaignError{registry.error().error, 2});
    names.push_back(registry->name);
    registries.push_back(std::make_unique<Registry>(std::move(*registry)));
  }
  auto known = KnownFindings::read(names, request_.known);
  if (!known) return std::unexpected(CampaignError{known.error(), 2});
  ledger_ = std::make_unique<KnownFindings>(std::move(*known));
  for (std::size_t i = 0; i < registries.size(); ++i) {
    TableContext table{.argument = request_.tables[i], .registry = std::move(registries[i])};
    open_spine(fault, table);
    if (!table.executable()) {
      for (const char* what : {"fuzzing", "executing"}) {
        report_.skipped.push_back(
            {fmt::format("{} {}", what, table.registry->name), table.no_spine});
      }
    }
    table.maker =
        std::make_unique<FindingMaker>(*table.registry, table.argument, *ledger_, *replay_);
    report_.tables.push_back(empty_report(*table.registry));
    tables_.push_back(std::move(table));
  }
  proved_.assign(tables_.size(), false);
  jobs_ = jobs_of(tables_, request_.quick);
  if (request_.quick) request_.executions = two_rounds(jobs_);
  if (request_.executions > 0) fit_slices(request_.executions, jobs_);
  report_.tool_version = CONVPROOF_VERSION;
  report_.seed = request_.seed;
  report_.budget = budget_text(request_, request_.executions);
  return {};
}

CampaignPlan Campaign::plan() const {
  return {.tool_version = report_.tool_version,
          .seed = request_.seed,
          .budget = report_.budget,
          .tables = request_.tables,
          .fault = request_.fault};
}

std::expected<void, CampaignError> Campaign::open_journal() {
  const auto failed = [](const Error& error, int status) {
    return std::unexpected(CampaignError{error, status});
  };
  const std::string path = request_.out + "/journal.jsonl";
  std::error_code error;
  if (const std::string past = request_.out + "/history.json"; fs::exists(past, error)) {
    const auto text = read_whole(past);
    if (!text) return failed(text.error(), 3);
    auto history = parse_history(*text, past);
    if (!history) return failed(history.error(), 3);
    history_ = std::move(*history);
  }
  bool going_on = false;
  if (request_.resume && fs::exists(path, error)) {
    const auto text = read_whole(path);
    if (!text) return failed(text.error(), 3);
    auto content = parse_journal(*text, path);
    if (!content) return failed(content.error(), 3);
    // Killed before its first line was whole, or ended: there is nothing to go on with.
    going_on = content->whole_bytes > 0 && !content->ended;
    if (going_on && content->plan != plan()) {
      return failed({path, content->plan.budget,
                     "is of a campaign with another seed, budget, tables or version; leave "
                     "--resume away to start anew"},
                    2);
    }
    if (going_on) before_ = std::move(*content);
  }
  for (const char* folder : {"findings", "known", "ledger"}) {
    fs::create_directories(request_.out + "/" + folder, error);
    if (error) return failed({request_.out, folder, error.message()}, 3);
  }
  if (going_on) {
    auto journal = Journal::reopen(path, before_.whole_bytes);
    if (!journal) return failed(journal.error(), 3);
    journal_.emplace(std::move(*journal));
    for (const JournaledFinding& finding : before_.findings) {
      printed_.push_back(finding.finding.fingerprint);
    }
    // A campaign that was killed before its corpora were whole begins with them.
    if (fs::exists(request_.out + "/run/corpus", error)) return {};
  }
  fs::remove_all(request_.out + "/run", error);
  if (error) return failed({request_.out + "/run", "", error.message()}, 3);
  if (!going_on) {
    auto journal = Journal::start(path, plan());
    if (!journal) return failed(journal.error(), 3);
    journal_.emplace(std::move(*journal));
  }
  return {};
}

}  // namespace convproof::campaign
