#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <expected>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <string>
#include <sys/file.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ci/campaign_run/campaign.h"
#include "ci/campaign_run/campaign_request.h"
#include "ci/campaign_run/campaign_tables.h"
#include "ci/progress.h"

namespace convproof::campaign {
namespace {

namespace fs = std::filesystem;

int refuse(const std::string& message, int status) {
  fmt::print(stderr, "convproof campaign: {}\n", message);
  return status;
}

// The libFuzzer binaries: as told, or in build/fuzz next to the command's own build. The targets
// beside a command are no libFuzzer binaries.
std::optional<std::string> find_binaries(const std::string& told, const fs::path& command) {
  std::vector<fs::path> places{command / "../../fuzz/bin"};
  if (!told.empty()) places = {told, fs::path(told) / "bin"};
  std::error_code ignored;
  for (const fs::path& place : places) {
    if (fs::exists(place / "fuzz_lower", ignored)) {
      return fs::weakly_canonical(place, ignored).string();
    }
  }
  return std::nullopt;
}

// As a user in this folder would type it.
std::string relative_to_here(const std::string& path) {
  std::error_code failed;
  const fs::path here = fs::current_path(failed);
  if (failed) return path;
  const std::string relative = fs::path(path).lexically_relative(here).string();
  return relative.empty() || relative.starts_with("..") ? path : relative;
}

// Held until the process ends: two campaigns in one folder would destroy each other's state.
bool lock_folder(const std::string& folder) {
  const int file = ::open((folder + "/lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
  return file >= 0 && ::flock(file, LOCK_EX | LOCK_NB) == 0;
}

int run(const CampaignRequest& request) {
  std::error_code failed;
  const fs::path self = fs::read_symlink("/proc/self/exe", failed);
  const auto binaries = find_binaries(request.build_folder, self.parent_path());
  if (!binaries) {
    return refuse(
        "no libFuzzer binaries found; build them with `cmake --preset fuzz && cmake --build "
        "--preset fuzz`, or name their folder with --build",
        2);
  }
  fs::create_directories(request.out, failed);
  if (failed) return refuse(fmt::format("{}: {}", request.out, failed.message()), 3);
  if (!lock_folder(request.out)) {
    return refuse(
        fmt::format("{}: another campaign runs there, or it cannot be written", request.out), 2);
  }
  ci::watch_interrupts();

  CampaignRequest complete = request;
  if (complete.minutes == 0 && complete.executions == 0) complete.quick = true;
  if (complete.workers == 0) complete.workers = std::max(1U, std::thread::hardware_concurrency());
  if (complete.tables.empty()) {
    complete.tables.assign(campaign_tables.begin(), campaign_tables.end());
  }
  auto campaign =
      Campaign::create(std::move(complete), {.program = self.string(),
                                             .shown_program = relative_to_here(self.string()),
                                             .binaries = relative_to_here(*binaries)});
  if (!campaign) return refuse(to_string(campaign.error().error), campaign.error().status);
  return campaign->run();
}

}  // namespace

int run_campaign(const CampaignRequest& request) {
  try {
    const int status = run(request);
    return std::fflush(stdout) == 0 ? status : 3;
  } catch (const fs::filesystem_error& error) {
    return refuse(error.what(), 3);
  } catch (const std::system_error& error) {
    return refuse(error.what(), 3);
  }
}

}  // namespace convproof::campaign
