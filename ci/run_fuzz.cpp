#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <expected>
#include <filesystem>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ci/fuzz_known.h"
#include "ci/fuzz_request.h"
#include "ci/fuzz_run.h"
#include "ci/fuzz_seeds.h"
#include "ci/fuzz_targets.h"
#include "ci/progress.h"
#include "ci/write_file.h"
#include "fuzz/finding_log.h"
#include "fuzz/spine.h"
#include "fuzz/triage.h"
#include "selector/frontends/document.h"
#include "selector/frontends/json_cases.h"

namespace convproof::ci {
namespace {

namespace fs = std::filesystem;

// Where the targets are: as told, beside the command, or in build/fuzz next to the command's own
// build.
std::optional<std::string> find_targets(const std::string& told) {
  std::error_code ignored;
  const fs::path command = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  std::vector<fs::path> places{command / "../../fuzz/bin", command};
  if (!told.empty()) places = {told, fs::path(told) / "bin"};
  for (const fs::path& place : places) {
    if (fs::exists(place / "fuzz_lower", ignored)) {
      return fs::weakly_canonical(place, ignored).string();
    }
  }
  return std::nullopt;
}

void print_run(const TargetRun& run) {
  fmt::print("{:<16} {:>11} executions {:>8}/s  {}\n", run.name, run.executions, run.per_second,
             run.statistics);
  for (const auto& [signature, count] : run.counts) {
    fmt::print("  {:>9} times {}\n", count, signature);
  }
}

std::vector<FoundOp> findings_in(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  std::vector<FoundOp> found;
  for (const fs::path& file : files) {
    auto document = read_document(file.string());
    if (document) std::ranges::move(document->ops, std::back_inserter(found));
  }
  return found;
}

// Shrinks what the run found and writes each case again, whole or not at all. Returns how many
// there are; a finding of another law than the spine's stays as it was found.
std::expected<std::size_t, Error> triage_folder(const std::string& folder, fuzz::Spine& spine,
                                                const FuzzRequest& request,
                                                const std::string& registry) {
  std::size_t count = 0;
  std::set<std::string> seen;
  for (const FoundOp& found : findings_in(folder)) {
    if (!found.op) continue;
    const auto finding = fuzz::triage(spine, *found.op);
    if (!finding) {
      fmt::print("new   {}\n      {}\n", found.name, to_string(*found.op));
      ++count;
      continue;
    }
    const std::string name = to_string(finding->signature);
    if (!seen.insert(name).second) continue;
    ++count;
    const std::string path = fmt::format("{}/{}.json", folder, fuzz::file_name_of(name));
    const std::string planted = request.fault.empty() ? "" : ", planted fault " + request.fault;
    const std::string replay =
        fmt::format("convproof replay {} --registry {} --seed 1", path, registry);
    const JsonCase saved{.id = name,
                         .op = finding->op,
                         .why = finding->detail,
                         .source = fmt::format("convproof {} fuzz, seed {}{}; {}",
                                               CONVPROOF_VERSION, request.seed, planted, replay)};
    if (auto written = write_file(path, write_json_cases({&saved, 1})); !written) {
      return std::unexpected(written.error());
    }
    fmt::print("new   {}\n      {}\n      {}\n      {}\n", name, to_string(finding->op),
               finding->detail, replay);
    if (to_string(finding->found) != to_string(finding->op)) {
      fmt::print("      shrunk in {} ms from {}\n", finding->shrinking.count(),
                 to_string(finding->found));
    }
  }
  return count;
}

std::size_t count_texts(const std::string& folder) {
  std::size_t count = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (!entry.is_regular_file() || entry.path().extension() == ".json") continue;
    fmt::print("new   {}\n", entry.path().string());
    ++count;
  }
  return count;
}

int refuse(const std::string& message, int status) {
  fmt::print(stderr, "convproof fuzz: {}\n", message);
  return status;
}

int run(const FuzzRequest& request) {
  const std::string registry = request.registry.empty() ? "neuron-repaired" : request.registry;
  const auto folder = find_targets(request.build_folder);
  if (!folder) {
    return refuse(
        "no fuzz targets found; build them with `cmake --preset fuzz && cmake --build --preset "
        "fuzz`, or name their folder with --build",
        2);
  }
  const auto* fault = request.fault.empty() ? nullptr : fuzz::find_fault(request.fault);
  auto spine = fuzz::Spine::create({.registry = registry, .fault = fault});
  if (!spine) return refuse(to_string(spine.error()), 2);
  const auto known = known_signatures(request.known, spine->registry().name);
  if (!known) return refuse(to_string(known.error()), 2);

  // A run's findings stand in a folder of their own; the grown corpus is shared by later runs.
  const FuzzFolders folders{
      .findings = fmt::format("{}/findings-{}", request.out_folder, ::getpid()),
      .crashes = fmt::format("{}/crashes", request.out_folder),
      .corpus = fmt::format("{}/corpus", request.out_folder)};
  for (const std::string& path : {folders.findings, folders.crashes, folders.corpus}) {
    std::error_code failed;
    fs::create_directories(path, failed);
    if (failed) return refuse(fmt::format("{}: {}", path, failed.message()), 2);
  }
  std::string lines;
  for (const std::string& signature : *known) lines += signature + '\n';
  const std::string known_file = folders.findings + "/known";
  if (auto written = write_file(known_file, lines); !written) {
    return refuse(to_string(written.error()), 3);
  }

  std::vector<const FuzzTarget*> targets;
  for (const FuzzTarget& target : fuzz_targets) {
    const bool chosen = request.targets.empty() ||
                        std::ranges::find(request.targets, target.name) != request.targets.end();
    if (chosen) targets.push_back(&target);
  }
  watch_interrupts();
  const double seconds = request.minutes * 60 / static_cast<double>(targets.size());
  bool ran_nothing = false;
  std::size_t crashes = 0;
  for (const FuzzTarget* target : targets) {
    if (interrupted()) break;
    if (!request.no_corpus) {
      if (auto seeded = write_seeds(*target, request.corpus_folder, folders.corpus); !seeded) {
        return refuse(to_string(seeded.error()), 2);
      }
    }
    const auto ended = run_target(*target, {.binary_folder = *folder,
                                            .folders = folders,
                                            .known_file = known_file,
                                            .registry = registry,
                                            .fault = request.fault,
                                            .seconds = seconds,
                                            .seed = request.seed,
                                            .from_corpus = !request.no_corpus});
    if (!ended) return refuse(to_string(ended.error()), 3);
    print_run(*ended);
    for (const std::string& crash : ended->crashes) fmt::print("crash {}\n", crash);
    crashes += ended->crashes.size();
    ran_nothing =
        ran_nothing || (ended->executions == 0 && ended->crashes.empty() && !interrupted());
  }
  std::error_code ignored;
  fs::remove(known_file, ignored);
  const auto found = triage_folder(folders.findings, *spine, request, registry);
  if (!found) return refuse(to_string(found.error()), 3);
  const std::size_t count = *found + count_texts(folders.findings) + crashes;
  if (count == 0) fs::remove(folders.findings, ignored);
  fmt::print("{} new finding{}{}\n", count, count == 1 ? "" : "s",
             interrupted() ? ", interrupted" : "");
  if (ran_nothing) return refuse("a target ran nothing", 3);
  return count == 0 ? 0 : 1;
}

}  // namespace

int run_fuzz(const FuzzRequest& request) {
  try {
    const int status = run(request);
    return std::fflush(stdout) == 0 ? status : 3;
  } catch (const fs::filesystem_error& error) {
    return refuse(error.what(), 3);
  }
}

}  // namespace convproof::ci
