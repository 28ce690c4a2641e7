#include "ci/fuzz_run.h"

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <expected>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ci/progress.h"
#include "fuzz/child_process.h"

namespace convproof::ci {
namespace {

using Clock = std::chrono::steady_clock;

// A crash every second or so is one fault met again and again.
constexpr std::size_t most_crashes = 5;

std::uint64_t number_at(std::string_view text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// Reads what libFuzzer and the target print.
class Listener {
 public:
  explicit Listener(std::string_view target)
      : target_(target), terminal_(isatty(fileno(stderr)) != 0) {}

  bool hear(std::string_view line) {
    constexpr std::string_view statistics = "statistics: executions=";
    constexpr std::string_view finding = "finding ";
    constexpr std::string_view artifact = "Test unit written to ";
    if (line.starts_with('#')) {
      running_ = number_at(line.substr(1));
      show(line);
    } else if (line.starts_with(statistics)) {
      executions_ += number_at(line.substr(statistics.size()));
      running_ = 0;
      const std::size_t space = line.find(' ', statistics.size());
      statistics_ = space == std::string_view::npos ? "" : std::string(line.substr(space + 1));
    } else if (line.starts_with(finding)) {
      const std::string_view rest = line.substr(finding.size());
      const std::size_t space = rest.find(' ');
      if (space != std::string_view::npos) {
        counts_[std::string(rest.substr(space + 1))] += number_at(rest);
      }
    } else if (const std::size_t at = line.find(artifact); at != std::string_view::npos) {
      crashes_.emplace_back(line.substr(at + artifact.size()));
    } else if (line.find("ERROR: ") != std::string_view::npos || line.starts_with("SUMMARY: ")) {
      clear();
      fmt::print(stderr, "{}: {}\n", target_, line);
    }
    if (!line.empty() && last_.size() < 4) last_.emplace_back(line);
    return !interrupted();
  }

  void clear() {
    if (shown_) fmt::print(stderr, "\r\x1b[K");
    shown_ = false;
  }

  // A program that crashes leaves no statistics: its last progress line must do.
  void end_of_run() {
    executions_ += running_;
    running_ = 0;
  }

  std::uint64_t executions_ = 0;
  std::uint64_t running_ = 0;
  std::string statistics_{};
  std::map<std::string, std::uint64_t> counts_{};
  std::vector<std::string> crashes_{};
  std::vector<std::string> last_{};  // what a program says that does not get to run

 private:
  // `#8192 pulse cov: 812 ft: 2210 corp: 301/9Kb lim: 320 exec/s: 4096 rss: 60Mb`
  void show(std::string_view line) {
    if (!terminal_) return;
    shown_ = true;
    fmt::print(stderr, "\r\x1b[K{} {}", target_, line.substr(0, 110));
    std::fflush(stderr);
  }

  std::string target_;
  bool terminal_;
  bool shown_ = false;
};

fuzz::ChildProgram program_of(const FuzzTarget& target, const TargetOptions& options,
                              double seconds, std::uint64_t seed) {
  fuzz::ChildProgram program{.path = fmt::format("{}/{}", options.binary_folder, target.name)};
  program.environment = {"CONVPROOF_FUZZ_REGISTRY=" + options.registry,
                         "CONVPROOF_FUZZ_KNOWN=" + options.known_file,
                         "CONVPROOF_FUZZ_FINDINGS=" + options.folders.findings};
  if (!options.fault.empty()) {
    program.environment.push_back("CONVPROOF_FUZZ_FAULT=" + options.fault);
  }
  program.arguments = {
      fmt::format("-max_total_time={}", std::max(1, static_cast<int>(std::lround(seconds)))),
      fmt::format("-seed={}", seed),
      fmt::format("-max_len={}", target.max_length),
      fmt::format("-artifact_prefix={}/{}-", options.folders.crashes, target.name),
      "-timeout=20",
      "-rss_limit_mb=4096",
      "-len_control=0",
      "-reload=0"};
  const std::string dictionary = fmt::format("{}/{}.dict", options.binary_folder, target.name);
  std::error_code ignored;
  if (std::filesystem::exists(dictionary, ignored)) {
    program.arguments.push_back("-dict=" + dictionary);
  }
  if (options.from_corpus) {
    program.arguments.push_back(fmt::format("{}/{}", options.folders.corpus, target.name));
  }
  return program;
}

}  // namespace

std::expected<TargetRun, Error> run_target(const FuzzTarget& target, const TargetOptions& options) {
  Listener listener(target.name);
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  std::uint64_t seed = options.seed;
  while (elapsed() < options.seconds && !interrupted()) {
    const std::size_t crashes = listener.crashes_.size();
    const auto end = run_child(program_of(target, options, options.seconds - elapsed(), seed++),
                               [&](std::string_view line) { return listener.hear(line); });
    if (!end) return std::unexpected(end.error());
    listener.end_of_run();
    if (end->stopped || end->status == 0) break;
    if (listener.crashes_.size() == crashes) {
      std::string said;
      for (const std::string& line : listener.last_) said += "\n  " + line;
      return std::unexpected(Error{std::string(target.name), fmt::to_string(end->status),
                                   "ended before its time without an input to blame:" + said});
    }
    if (listener.crashes_.size() >= most_crashes) break;
  }
  listener.clear();
  TargetRun run{.name = std::string(target.name),
                .executions = listener.executions_,
                .per_second = static_cast<std::uint64_t>(static_cast<double>(listener.executions_) /
                                                         std::max(elapsed(), 0.001)),
                .statistics = listener.statistics_,
                .counts = {listener.counts_.begin(), listener.counts_.end()},
                .crashes = listener.crashes_};
  return run;
}

}  // namespace convproof::ci
