#include <atomic>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "ci/campaign_run/corpus_files.h"
#include "ci/campaign_run/fuzz_child.h"
#include "ci/campaign_run/fuzz_stage.h"
#include "ci/fuzz_targets.h"

namespace convproof::campaign {
namespace {

namespace fs = std::filesystem;

std::expected<void, Error> merge(const FuzzOptions& options, const FuzzJob& job,
                                 const std::string& from, const std::string& into) {
  constexpr int most_attempts = 3;
  const std::string control = into + ".control";
  for (int attempt = 1;; ++attempt) {
    std::error_code ignored;
    fs::remove(control, ignored);
    fuzz::ChildProgram program = program_of(options, job);
    // What it finds was found before; it must not end the merge.
    program.environment.push_back("CONVPROOF_FUZZ_KNOWN=");
    program.environment.push_back("CONVPROOF_FUZZ_FINDINGS=" + into + ".findings");
    fs::create_directories(into + ".findings", ignored);
    program.arguments.insert(program.arguments.end(),
                             {"-merge=1", "-merge_control_file=" + control,
                              fmt::format("-artifact_prefix={}.findings/", into), into, from});
    const auto ended = run_fuzz_child(program, options);
    if (!ended) return std::unexpected(ended.error());
    fs::remove(control, ignored);
    fs::remove_all(into + ".findings", ignored);
    if (ended->end.stopped || ended->end.status == 0) return {};
    if (was_killed(ended->end) && attempt < most_attempts) continue;
    return std::unexpected(broken_target(job, *ended));
  }
}

std::expected<CorpusReport, Error> minimise(const FuzzOptions& options, const std::string& target,
                                            const std::vector<FuzzJob>& jobs, bool publish) {
  const std::string run = options.out + "/run";
  const std::string corpus = fmt::format("{}/corpus/{}", run, target);
  const std::string next = fmt::format("{}/minimised/{}", run, target);
  std::error_code error;
  fs::remove_all(next, error);
  fs::create_directories(next, error);
  if (error) return std::unexpected(Error{next, "", "cannot be made: " + error.message()});
  CorpusReport report{.target = target,
                      .inputs = static_cast<std::int64_t>(files_of(corpus).size())};
  for (const FuzzJob& job : jobs) {
    if (job.target != target) continue;
    if (auto merged = merge(options, job, corpus, next); !merged) {
      return std::unexpected(merged.error());
    }
  }
  for (const std::string& name : files_of(next)) {
    const auto content = read_whole(next + "/" + name);
    if (!content || sha1_of(*content) != name) {
      return std::unexpected(Error{next + "/" + name, "", "is not whole: no space was left"});
    }
    ++report.minimised;
  }
  if (publish && !options.interrupted()) {
    fs::create_directories(options.out + "/corpus", error);
    if (auto swapped = swap_folder(next, fmt::format("{}/corpus/{}", options.out, target));
        !swapped) {
      return std::unexpected(swapped.error());
    }
  }
  return report;
}

}  // namespace

std::expected<std::vector<CorpusReport>, Error> minimise_corpora(
    const FuzzOptions& options, const std::vector<FuzzJob>& jobs, bool publish,
    std::vector<SkippedItem>& skipped) {
  std::vector<CorpusReport> reports(ci::fuzz_targets.size());
  std::atomic<std::size_t> next = 0;
  std::optional<Error> failure;
  std::mutex mutex;
  {
    std::vector<std::jthread> workers;
    for (unsigned worker = 0; worker < options.workers; ++worker) {
      workers.emplace_back([&] {
        for (std::size_t at = next++; at < reports.size() && !options.interrupted(); at = next++) {
          auto report = minimise(options, std::string(ci::fuzz_targets[at].name), jobs, publish);
          const std::scoped_lock lock(mutex);
          if (report) {
            reports[at] = std::move(*report);
          } else if (!failure) {
            failure = report.error();
          }
        }
      });
    }
  }
  if (failure) return std::unexpected(*failure);
  if (options.interrupted()) {
    skipped.push_back({"merging and minimising the corpora", "stopped early"});
    return std::vector<CorpusReport>{};
  }
  return reports;
}

}  // namespace convproof::campaign
