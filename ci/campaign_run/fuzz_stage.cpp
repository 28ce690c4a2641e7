#include "ci/campaign_run/fuzz_stage.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <tuple>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ci/campaign_run/corpus_files.h"
#include "ci/campaign_run/fingerprint.h"
#include "ci/campaign_run/fuzz_child.h"
#include "ci/fuzz_seeds.h"
#include "ci/fuzz_targets.h"
#include "ci/write_file.h"

namespace convproof::campaign {
namespace {

namespace fs = std::filesystem;

std::expected<void, Error> make_folder(const std::string& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return std::unexpected(Error{path, "", "cannot be made: " + error.message()});
  return {};
}

// libFuzzer takes 32 bits, and 0 as a wish for a random seed.
std::uint32_t seed_of_slice(std::uint64_t seed, int round, std::size_t job) {
  const std::uint64_t hash = hash_of(fmt::format("{} {} {}", seed, round, job));
  return std::max<std::uint32_t>(static_cast<std::uint32_t>(hash ^ hash >> 32), 1);
}

}  // namespace

std::vector<FuzzJob> jobs_of(const std::vector<TableContext>& tables, bool quick) {
  const auto slice = [&](const ci::FuzzTarget& target) {
    return std::int64_t{quick ? target.slice / 2 : target.slice};
  };
  std::vector<FuzzJob> jobs;
  for (const ci::FuzzTarget& target : ci::fuzz_targets) {
    if (!target.operations) {
      jobs.push_back({std::string(target.name), "", slice(target)});
      continue;
    }
    for (const TableContext& table : tables) {
      if (target.candidates ? !table.candidates : !table.spine) continue;
      jobs.push_back({std::string(target.name), table.argument, slice(target)});
    }
  }
  return jobs;
}

std::expected<void, Error> fill_corpora(const FuzzOptions& options, bool grown) {
  const std::string corpora = options.out + "/run/corpus";
  for (const ci::FuzzTarget& target : ci::fuzz_targets) {
    // By way of a folder of its own, so that seeds too bear the names of their content.
    const std::string seeds = options.out + "/run/seeds";
    const std::string corpus = fmt::format("{}/{}", corpora, target.name);
    for (const std::string& folder : {seeds, corpus}) {
      if (auto made = make_folder(folder); !made) return made;
    }
    if (auto written = ci::write_seeds(target, options.corpus_folder, seeds); !written) {
      return std::unexpected(written.error());
    }
    const std::string own = fmt::format("{}/{}", seeds, target.name);
    const std::string kept = fmt::format("{}/corpus/{}", options.out, target.name);
    if (auto repaired = repair_swap(kept); !repaired) return repaired;
    for (const std::string& from : {own, grown ? kept : std::string()}) {
      if (from.empty()) continue;
      for (const std::string& name : files_of(from)) {
        const auto content = read_whole(from + "/" + name);
        if (!content) return std::unexpected(content.error());
        if (auto copied = ci::write_file(corpus + "/" + sha1_of(*content), *content); !copied) {
          return copied;
        }
      }
    }
  }
  return {};
}

FuzzStage::FuzzStage(FuzzOptions options, const std::vector<TableContext>& tables,
                     const KnownFindings& known, const ReplayCommand& command,
                     std::vector<FuzzJob> jobs, Journal& journal)
    : options_(std::move(options)),
      tables_(tables),
      known_(known),
      command_(command),
      jobs_(std::move(jobs)),
      journal_(journal) {}

std::expected<void, Error> FuzzStage::run(const JournalContent& before) {
  slices_ = before.slices;
  for (const JournaledFinding& finding : before.findings) {
    if (finding.round >= 0) findings_.push_back(finding);
  }
  for (int round = 0; !options_.interrupted(); ++round) {
    std::vector<SliceResult> earlier;
    std::int64_t spent = 0;
    for (const SliceResult& slice : slices_) {
      if (slice.round >= round) continue;
      earlier.push_back(slice);
      spent += jobs_[slice.job].slice_executions;
    }
    std::ranges::sort(earlier, {},
                      [](const SliceResult& slice) { return std::pair(slice.round, slice.job); });
    const std::vector<std::size_t> jobs = jobs_of_round(round, jobs_.size(), earlier);
    if (jobs.empty()) break;
    if (options_.executions > 0 && spent + executions_of(jobs, jobs_) > options_.executions) break;
    if (round < before.adopted_rounds) continue;
    if (options_.time_over()) break;
    if (auto done = run_round(round, jobs); !done) return done;
  }
  return {};
}

std::expected<void, Error> FuzzStage::run_round(int round, const std::vector<std::size_t>& jobs) {
  const std::string folder = fmt::format("{}/round-{}", run_folder(), round);
  if (auto made = make_folder(folder); !made) return made;
  // What a killed campaign left of slices that did not end.
  std::set<std::string> whole;
  for (const SliceResult& slice : slices_) whole.insert(run_folder() + "/" + slice.folder);
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.is_directory() && !whole.contains(entry.path().string())) {
      fs::remove_all(entry.path(), ignored);
    }
  }
  // Adoption may have begun: then all slices have ended, and no input is read again.
  if (auto written = write_inputs(round); !written) return written;

  std::vector<std::size_t> open;
  for (const std::size_t job : jobs) {
    const bool done = std::ranges::any_of(slices_, [&](const SliceResult& slice) {
      return slice.round == round && slice.job == job;
    });
    if (!done) open.push_back(job);
  }
  std::atomic<std::size_t> next = 0;
  std::atomic<bool> stopped = false;
  std::optional<Error> failure;
  {
    std::vector<std::jthread> workers;
    for (unsigned worker = 0; worker < options_.workers; ++worker) {
      workers.emplace_back([&] {
        while (!stopped) {
          const std::size_t at = next++;
          if (at >= open.size()) return;
          // The first round is run whole, so that no target is left out.
          const bool over = round > 0 && options_.time_over();
          const auto ran = over ? std::expected<bool, Error>(false) : run_slice(round, open[at]);
          if (ran && *ran) continue;
          stopped = true;
          const std::scoped_lock lock(mutex_);
          if (!ran && !failure) failure = ran.error();
        }
      });
    }
  }
  if (failure) return std::unexpected(*failure);
  if (options_.interrupted()) {
    skipped_.push_back({fmt::format("slices of round {} of fuzzing", round + 1), "stopped early"});
  }
  return adopt_round(round);
}

std::string FuzzStage::inputs_file(int round, const std::string& target) const {
  return fmt::format("{}/round-{}/{}.inputs", run_folder(), round, target);
}

std::string FuzzStage::known_file(int round, const std::string& table) const {
  return fmt::format("{}/round-{}/known-{:016x}", run_folder(), round, hash_of(table));
}

// What the slices of a round start from: lists of inputs in an order of their own, since that of a
// folder depends on the file system, and the signatures that need no report any more.
std::expected<void, Error> FuzzStage::write_inputs(int round) {
  std::error_code ignored;
  for (const FuzzJob& job : jobs_) {
    const std::string list = inputs_file(round, job.target);
    if (fs::exists(list, ignored)) continue;
    const std::string corpus = fmt::format("{}/corpus/{}", run_folder(), job.target);
    std::string text;
    for (const std::string& name : files_of(corpus)) {
      text += (text.empty() ? "" : ",") + corpus + "/" + name;
    }
    if (auto written = ci::write_file(list, text); !written) return written;
  }
  for (std::size_t job = 0; job < jobs_.size(); ++job) {
    const TableContext* const table = table_of(job);
    const std::string name = table == nullptr ? "" : table->registry->name;
    std::string text;
    for (const proofs::KnownFinding& known : known_.of(name)) text += known.signature + "\n";
    for (const JournaledFinding& found : findings_) {
      if (found.round < round) text += found.finding.signature + "\n";
    }
    if (auto written = ci::write_file(known_file(round, jobs_[job].table), text); !written) {
      return written;
    }
  }
  return {};
}

const TableContext* FuzzStage::table_of(std::size_t job) const {
  const auto found = std::ranges::find(tables_, jobs_[job].table, &TableContext::argument);
  return jobs_[job].table.empty() || found == tables_.end() ? nullptr : &*found;
}

std::expected<bool, Error> FuzzStage::run_slice(int round, std::size_t job) {
  constexpr int most_attempts = 3;
  for (int attempt = 1;; ++attempt) {
    // A name that no process of a killed campaign writes to any more.
    SliceResult slice{.round = round, .job = job};
    slice.folder = fmt::format("round-{}/job-{}.{}-{}", round, job, ::getpid(), attempt);
    const std::string folder = run_folder() + "/" + slice.folder;
    for (const char* part : {"/new", "/artifacts", "/findings"}) {
      if (auto made = make_folder(folder + part); !made) return std::unexpected(made.error());
    }
    fuzz::ChildProgram program = program_of(options_, jobs_[job]);
    program.environment.push_back("CONVPROOF_FUZZ_KNOWN=" + known_file(round, jobs_[job].table));
    program.environment.push_back("CONVPROOF_FUZZ_FINDINGS=" + folder + "/findings");
    program.arguments.push_back(fmt::format("-runs={}", jobs_[job].slice_executions));
    program.arguments.push_back(fmt::format("-seed={}", seed_of_slice(options_.seed, round, job)));
    program.arguments.push_back(fmt::format("-artifact_prefix={}/artifacts/", folder));
    const std::string list = inputs_file(round, jobs_[job].target);
    std::error_code ignored;
    if (fs::file_size(list, ignored) > 0) program.arguments.push_back("-seed_inputs=@" + list);
    program.arguments.push_back(folder + "/new");

    const auto ended = run_fuzz_child(program, options_);
    if (!ended) return std::unexpected(ended.error());
    if (ended->end.stopped || options_.interrupted()) return false;
    if (was_killed(ended->end)) {
      if (attempt < most_attempts) continue;
      return std::unexpected(Error{jobs_[job].target, fmt::format("status {}", ended->end.status),
                                   fmt::format("was killed {} times", most_attempts)});
    }
    slice.executions = ended->output.executions();
    slice.checked = ended->output.checked();
    slice.crashes = static_cast<std::int64_t>(ended->output.artifacts().size());
    slice.new_features = ended->output.new_features();
    slice.end = ended->output.end();
    slice.end.executions = slice.executions;
    if (ended->output.could_not_write() || (ended->end.status != 0 && slice.crashes == 0)) {
      return std::unexpected(broken_target(jobs_[job], *ended));
    }
    const std::scoped_lock lock(mutex_);
    if (auto done = end_slice(std::move(slice), ended->output, folder); !done) {
      return std::unexpected(done.error());
    }
    return true;
  }
}

std::expected<void, Error> FuzzStage::end_slice(SliceResult slice, const SliceOutput& output,
                                                const std::string& folder) {
  if (auto done = collect_operations(slice, folder + "/findings"); !done) return done;
  if (auto done = collect_texts(slice, output, folder + "/findings"); !done) return done;
  if (auto done = collect_crashes(slice, output); !done) return done;
  if (auto done = journal_.add(slice); !done) return done;
  const std::int64_t before = rates_.empty() ? 0 : rates_.back().executions;
  rates_.push_back({.seconds = options_.seconds(), .executions = before + slice.executions});
  slices_.push_back(std::move(slice));
  return {};
}

std::expected<void, Error> FuzzStage::adopt_round(int round) {
  for (const SliceResult& slice : slices_) {
    if (slice.round != round) continue;
    const auto moved =
        adopt_inputs(fmt::format("{}/{}/new", run_folder(), slice.folder),
                     fmt::format("{}/corpus/{}", run_folder(), jobs_[slice.job].target));
    if (!moved) return std::unexpected(moved.error());
  }
  if (auto done = journal_.adopted(round); !done) return done;
  std::error_code ignored;
  fs::remove_all(fmt::format("{}/round-{}", run_folder(), round), ignored);
  return {};
}

std::vector<FuzzJobReport> FuzzStage::reports() const {
  std::vector<SliceResult> slices = slices_;
  std::ranges::sort(slices, {},
                    [](const SliceResult& slice) { return std::pair(slice.round, slice.job); });
  std::vector<FuzzJobReport> reports;
  for (std::size_t job = 0; job < jobs_.size(); ++job) {
    const TableContext* const table = table_of(job);
    FuzzJobReport report{.target = jobs_[job].target,
                         .table = table == nullptr ? "" : table->registry->name};
    for (const SliceResult& slice : slices) {
      if (slice.job != job) continue;
      report.executions += slice.executions;
      report.checked += slice.checked;
      report.crashes += slice.crashes;
      CoveragePoint point = slice.end;
      point.executions = report.executions;
      report.points.push_back(point);
    }
    reports.push_back(std::move(report));
  }
  return reports;
}

std::vector<JournaledFinding> FuzzStage::findings() const {
  // Those of one slice keep their order.
  std::vector<std::size_t> order(findings_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) {
    return std::tuple(findings_[i].round, findings_[i].job, i);
  });
  std::vector<JournaledFinding> findings;
  for (const std::size_t i : order) findings.push_back(findings_[i]);
  return findings;
}

}  // namespace convproof::campaign
