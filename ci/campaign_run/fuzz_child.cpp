#include "ci/campaign_run/fuzz_child.h"

#include <algorithm>
#include <csignal>
#include <expected>
#include <filesystem>
#include <string>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "ci/fuzz_targets.h"

namespace convproof::campaign {

fuzz::ChildProgram program_of(const FuzzOptions& options, const FuzzJob& job) {
  fuzz::ChildProgram program{.path = fmt::format("{}/{}", options.binary_folder, job.target)};
  // Set even where empty, so that nothing in our own environment changes a run.
  program.environment = {"CONVPROOF_FUZZ_REGISTRY=" + job.table,
                         "CONVPROOF_FUZZ_FAULT=" + options.fault, "CONVPROOF_FUZZ_PLAIN="};
  int max_length = 4096;
  for (const ci::FuzzTarget& target : ci::fuzz_targets) {
    if (target.name == job.target) max_length = target.max_length;
  }
  program.arguments = {fmt::format("-max_len={}", max_length), "-timeout=20", "-rss_limit_mb=4096",
                       "-len_control=0", "-reload=0"};
  if (options.repeatable) {
    program.arguments.insert(program.arguments.end(), {"-use_cmp=0", "-use_memmem=0"});
  }
  const std::string dictionary = fmt::format("{}/{}.dict", options.binary_folder, job.target);
  std::error_code ignored;
  if (std::filesystem::exists(dictionary, ignored)) {
    program.arguments.push_back("-dict=" + dictionary);
  }
  return program;
}

std::expected<FuzzChildEnd, Error> run_fuzz_child(const fuzz::ChildProgram& program,
                                                  const FuzzOptions& options) {
  FuzzChildEnd ended;
  const auto end = fuzz::run_child(program, [&](std::string_view line) {
    ended.output.hear(line);
    return !options.interrupted();
  });
  if (!end) return std::unexpected(end.error());
  ended.end = *end;
  return ended;
}

bool was_killed(const fuzz::ChildEnd& end) {
  return end.status == 128 + SIGKILL || end.status == 128 + SIGTERM || end.status == 128 + SIGPIPE;
}

Error broken_target(const FuzzJob& job, const FuzzChildEnd& ended) {
  std::string said;
  for (const std::string& line : ended.output.tail()) said += "\n  " + line;
  const std::string rule = ended.output.could_not_write()
                               ? "could not write what it found: is the disk full?"
                               : "ended before its time without an input to blame:";
  return {job.target + (job.table.empty() ? "" : " on " + job.table),
          fmt::format("status {}", ended.end.status), rule + said};
}

}  // namespace convproof::campaign
