// Plants every fault, one at a time, and measures how long its target takes to find it from an
// empty corpus; and how long the same target takes as plain libFuzzer, without mutator and
// counters.
//
//   fuzz_strength BINARY_FOLDER [SECONDS [PLAIN_SECONDS]]
//
// Exits with 1 where a fault is not found within SECONDS (20), which no plain run decides.

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <vector>

#include <fmt/format.h>

#include "fuzz/child_process.h"
#include "fuzz/planted_fault.h"

namespace {

using namespace convproof::fuzz;
using Clock = std::chrono::steady_clock;

// Where libFuzzer may leave what it was running when it was stopped.
std::string scratch_folder() {
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / fmt::format("fuzz_strength-{}", ::getpid());
  std::filesystem::create_directories(folder);
  return folder.string();
}

// Seconds until the target reports the fault; nothing where it does not.
std::optional<double> time_to_find(const std::string& folder, const PlantedFault& fault,
                                   double seconds, bool plain) {
  const bool text = fault.text != nullptr;
  ChildProgram program{
      .path = fmt::format("{}/{}", folder, fault.target),
      .arguments = {fmt::format("-max_total_time={}", std::lround(seconds)), "-seed=1",
                    fmt::format("-max_len={}", text ? 4096 : 320), "-len_control=0",
                    fmt::format("-artifact_prefix={}/", scratch_folder())},
      .environment = {fmt::format("CONVPROOF_FUZZ_FAULT={}", fault.name)}};
  if (plain) program.environment.emplace_back("CONVPROOF_FUZZ_PLAIN=1");
  const auto start = Clock::now();
  std::optional<double> found;
  const auto end = run_child(program, [&](std::string_view line) {
    if (!line.starts_with("finding: ")) return true;
    found = std::chrono::duration<double>(Clock::now() - start).count();
    return false;
  });
  if (!end) {
    fmt::print(stderr, "{}\n", to_string(end.error()));
    std::exit(2);
  }
  if (!found && end->status != 0) {
    fmt::print(stderr, "{}: ended with status {} and no finding\n", fault.name, end->status);
    std::exit(2);
  }
  return found;
}

std::string shown(const std::optional<double>& seconds, double limit) {
  return seconds ? fmt::format("{:.2f}", *seconds) : fmt::format(">{:.0f}", limit);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 4) {
    fmt::print(stderr, "usage: fuzz_strength BINARY_FOLDER [SECONDS [PLAIN_SECONDS]]\n");
    return 2;
  }
  const double limit = argc > 2 ? std::atof(argv[2]) : 20;
  const double plain_limit = argc > 3 ? std::atof(argv[3]) : limit;
  fmt::print("{:<44} {:<14} {:>8} {:>8}\n", "fault", "target", "seconds", "plain");
  std::size_t faults = 0;
  std::size_t missed = 0;
  std::size_t missed_plain = 0;
  double total = 0;
  double total_plain = 0;
  for (const PlantedFault& fault : planted_faults()) {
    const auto seconds = time_to_find(argv[1], fault, limit, false);
    std::optional<double> plain;
    if (plain_limit > 0) plain = time_to_find(argv[1], fault, plain_limit, true);
    fmt::print("{:<44} {:<14} {:>8} {:>8}\n", fault.name, fault.target, shown(seconds, limit),
               plain_limit > 0 ? shown(plain, plain_limit) : "-");
    std::fflush(stdout);
    ++faults;
    missed += seconds ? 0 : 1;
    missed_plain += plain ? 0 : 1;
    total += seconds.value_or(limit);
    total_plain += plain.value_or(plain_limit);
  }
  fmt::print("{} of {} faults found, {:.1f} s in all", faults - missed, faults, total);
  if (plain_limit > 0) {
    fmt::print("; plain: {} of {}, at least {:.1f} s: a gain of at least {:.1f}",
               faults - missed_plain, faults, total_plain, total_plain / total);
  }
  fmt::print("\n");
  std::filesystem::remove_all(scratch_folder());
  return missed == 0 ? 0 : 1;
}
