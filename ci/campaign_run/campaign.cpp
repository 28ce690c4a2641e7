#include "ci/campaign_run/campaign.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <expected>
#include <filesystem>
#include <functional>
#include <iterator>
#include <mutex>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ci/campaign_run/printers.h"
#include "ci/progress.h"
#include "ci/write_file.h"

namespace convproof::campaign {
namespace {

namespace fs = std::filesystem;

// The folders of cases below a corpus folder: all but the ledgers.
std::vector<std::string> case_folders(const std::string& corpus) {
  std::vector<std::string> folders;
  std::error_code error;
  for (fs::directory_iterator entry(corpus, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->is_directory(error) && entry->path().filename() != "known") {
      folders.push_back(entry->path().string());
    }
  }
  std::ranges::sort(folders);
  return folders;
}

}  // namespace

double Campaign::seconds() const {
  return std::chrono::duration<double>(Clock::now() - start_).count();
}

void Campaign::fail(const Error& error) {
  const std::scoped_lock lock(*mutex_);
  report_.failures.push_back(to_string(error));
  fmt::print(stderr, "convproof campaign: {}\n", report_.failures.back());
}

void Campaign::timed(const std::string& stage, const std::function<void()>& work) {
  const double before = seconds();
  work();
  report_.timings.stages.push_back({stage, seconds() - before});
  fmt::print(stderr, "{:<10} {:6.1f} s\n", stage, seconds() - before);
}

std::expected<void, Error> Campaign::found(const JournaledFinding& finding) {
  if (auto journaled = journal_->add(finding); !journaled) return journaled;
  const CampaignFinding& shown = finding.finding;
  if (!shown.red()) return {};
  if (std::ranges::find(printed_, shown.fingerprint) != printed_.end()) return {};
  printed_.push_back(shown.fingerprint);
  fmt::print("new   {}\n", shown.signature);
  for (const std::string& line : {shown.operation, shown.reason, shown.replay}) {
    if (!line.empty()) fmt::print("      {}\n", line);
  }
  std::fflush(stdout);
  return {};
}

// Corpus, proofs and survey of each table, a table a worker.
void Campaign::run_table_stages() {
  // Drawing is the cheapest way to check many convolutions; fuzzing finds the rare ones.
  constexpr double drawn_a_minute = 150'000;
  const auto drawn = request_.minutes > 0
                         ? static_cast<std::int64_t>(request_.minutes * drawn_a_minute)
                         : std::min<std::int64_t>(request_.executions, 20'000);
  const StageOptions options{.program = places_.program,
                             .corpus = case_folders(request_.corpus_folder),
                             .seed = request_.seed,
                             .max_work = request_.quick ? 20'000'000 : 200'000'000,
                             .drawn = drawn,
                             .threads = tables_.size() < request_.workers ? request_.workers : 1,
                             .interrupted = ci::interrupted,
                             .drawn_enough = [this] {
                               return request_.minutes > 0 && seconds() > 60 * request_.minutes / 4;
                             }};
  std::vector<std::vector<CampaignFinding>> by_table(tables_.size());
  std::vector<std::vector<SkippedItem>> skipped(tables_.size());
  std::atomic<std::size_t> next = 0;
  const auto run_stages = [&](std::size_t at) {
    for (auto* const stage : {check_corpus, prove, survey}) {
      if (ci::interrupted()) {
        skipped[at].push_back({"stages of " + report_.tables[at].name, "stopped early"});
        return;
      }
      auto outcome = stage(tables_[at], options, report_.tables[at]);
      if (!outcome) {
        fail(outcome.error());
        continue;
      }
      if (stage == prove && !ci::interrupted()) proved_[at] = true;
      std::ranges::move(outcome->skipped, std::back_inserter(skipped[at]));
      for (CampaignFinding& finding : outcome->findings) {
        {
          const std::scoped_lock lock(*mutex_);
          if (auto done = found({.finding = finding}); !done) {
            report_.failures.push_back(to_string(done.error()));
          }
        }
        by_table[at].push_back(std::move(finding));
      }
    }
  };
  {
    std::vector<std::jthread> workers;
    const std::size_t count = std::min<std::size_t>(request_.workers, tables_.size());
    for (std::size_t worker = 0; worker < count; ++worker) {
      workers.emplace_back([&] {
        for (std::size_t at = next++; at < tables_.size(); at = next++) run_stages(at);
      });
    }
  }
  for (std::size_t at = 0; at < tables_.size(); ++at) {
    std::ranges::move(by_table[at], std::back_inserter(of_tables_));
    std::ranges::move(skipped[at], std::back_inserter(report_.skipped));
  }
}

FuzzOptions Campaign::fuzz_options() {
  return {.out = request_.out,
          .binary_folder = places_.binaries,
          .corpus_folder = request_.corpus_folder,
          .seed = request_.seed,
          .fault = request_.fault,
          .workers = request_.workers,
          .repeatable = request_.minutes == 0,
          .executions = request_.executions,
          .time_over = [this] { return request_.minutes > 0 && seconds() > 60 * request_.minutes; },
          .interrupted = ci::interrupted,
          .seconds = [this] { return seconds(); },
          .found =
              [this](const JournaledFinding& finding) {
                const std::scoped_lock lock(*mutex_);
                return found(finding);
              }};
}

void Campaign::run_fuzzing() {
  const FuzzOptions options = fuzz_options();
  std::error_code ignored;
  const std::string ready = request_.out + "/run/ready";
  if (!fs::exists(ready, ignored)) {
    auto filled = fill_corpora(options, !request_.quick);
    if (filled) filled = ci::write_file(ready, "");
    if (!filled) return fail(filled.error());
  }
  FuzzStage stage(options, tables_, *ledger_, *replay_, jobs_, *journal_);
  timed("fuzz", [&] {
    if (auto done = stage.run(before_); !done) fail(done.error());
  });
  report_.jobs = stage.reports();
  of_fuzzing_ = stage.findings();
  std::ranges::copy(stage.skipped(), std::back_inserter(report_.skipped));
  report_.timings.fuzzing = stage.rates();
  for (const FuzzJobReport& job : report_.jobs) {
    if (job.crashes < most_crashes) continue;
    report_.skipped.push_back(
        {fmt::format("further fuzzing of {} {}", job.target, job.table), "it crashed too often"});
  }
  timed("minimise", [&] {
    auto corpora = minimise_corpora(options, jobs_, !request_.quick, report_.skipped);
    if (!corpora) return fail(corpora.error());
    report_.corpora = std::move(*corpora);
  });
  for (std::size_t at = 0; at < tables_.size(); ++at) {
    survey_inputs(tables_[at], request_.out + "/run/corpus", report_.tables[at]);
  }
}

// In an order that does not depend on when each was found.
void Campaign::gather_findings() {
  report_.findings = of_tables_;
  for (const JournaledFinding& finding : of_fuzzing_) report_.findings.push_back(finding.finding);
}

std::expected<void, Error> Campaign::write_reports() {
  for (const TableContext& table : tables_) {
    const std::string path = fmt::format("{}/ledger/{}.json", request_.out, table.registry->name);
    if (auto written = ci::write_file(path, ledger_with_findings(table)); !written) return written;
  }
  struct Format {
    const char* file;
    std::string (*print)(const CampaignReport&);
  };
  for (const Format& format : {Format{"report.json", report_to_json},
                               {"report.sarif", report_to_sarif},
                               {"junit.xml", report_to_junit},
                               {"report.md", report_to_markdown},
                               {"index.html", report_to_html}}) {
    const std::string path = fmt::format("{}/{}", request_.out, format.file);
    if (auto written = ci::write_file(path, format.print(report_)); !written) return written;
  }
  return {};
}

int Campaign::run() {
  fmt::print(stderr, "campaign of {} in {}, seed {}{}\n", report_.budget, request_.out,
             request_.seed, before_.whole_bytes > 0 ? ", resumed" : "");
  timed("tables", [&] { run_table_stages(); });
  run_fuzzing();
  gather_findings();
  timed("ledger", [&] {
    replay_saved();
    close_ledgers();
  });
  std::vector<std::string> order;
  for (const TableContext& table : tables_) order.push_back(table.registry->name);
  tidy_findings(report_.findings, order);
  give_states(history_, report_.findings);
  tidy_findings(report_.findings, order);
  report_.interrupted = ci::interrupted();
  report_.timings.seconds = seconds();

  if (auto written = write_reports(); !written) fail(written.error());
  const int status = exit_status(report_);
  // What was stopped says nothing of what is absent, and can be resumed.
  if (status < 2 && !report_.interrupted) {
    remember(report_, history_);
    auto kept = ci::write_file(request_.out + "/history.json", write_history(history_));
    if (kept) kept = journal_->end(status);
    if (!kept) fail(kept.error());
  }
  const Totals totals = totals_of(report_);
  fmt::print(
      "campaign: {}; {} known, {} absent; {} executions, {} convolutions checked; {}/index.html\n",
      verdict_of(report_), totals.known, totals.absent, totals.executions, totals.checked,
      request_.out);
  return exit_status(report_);
}

}  // namespace convproof::campaign
