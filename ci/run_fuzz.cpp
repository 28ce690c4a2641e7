#include <algorithm>
#include <chrono>
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
#include "fuzz/candidate_spine.h"
#include "fuzz/finding_log.h"
#include "fuzz/spine.h"
#include "fuzz/triage.h"
#include "selector/frontends/document.h"
#include "selector/frontends/json_cases.h"
#include "selector/registry/registry.h"

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

// The findings of a run as they are told: shrunk where they are still findings of the spine.
class Triage {
 public:
  Triage(std::string folder, const FuzzRequest& request, std::string registry)
      : folder_(std::move(folder)), request_(request), registry_(std::move(registry)) {}

  // A finding of another law than the spine's stays as it was found.
  void keep(const FoundOp& found, const std::string& shown) {
    fmt::print("new   {}\n      {}\n", found.name, shown);
    ++count_;
  }

  // Writes a shrunk finding's case again, whole or not at all; of one signature only the first.
  std::expected<void, Error> add(const fuzz::Signature& signature, JsonCase shrunk,
                                 const std::string& shown, const std::string& from,
                                 std::chrono::milliseconds shrinking) {
    const std::string name = to_string(signature);
    if (!seen_.insert(name).second) return {};
    ++count_;
    const std::string path = fmt::format("{}/{}.json", folder_, fuzz::file_name_of(name));
    const std::string planted = request_.fault.empty() ? "" : ", planted fault " + request_.fault;
    const std::string replay =
        fmt::format("convproof replay {} --registry {} --seed 1", path, registry_);
    shrunk.id = name;
    shrunk.source = fmt::format("convproof {} fuzz, seed {}{}; {}", CONVPROOF_VERSION,
                                request_.seed, planted, replay);
    if (auto written = write_file(path, write_json_cases({&shrunk, 1})); !written)
      return std::unexpected(written.error());
    fmt::print("new   {}\n      {}\n      {}\n      {}\n", name, shown, shrunk.why, replay);
    if (from != shown) fmt::print("      shrunk in {} ms from {}\n", shrinking.count(), from);
    return {};
  }

  [[nodiscard]] std::size_t count() const { return count_; }

 private:
  std::string folder_;
  const FuzzRequest& request_;
  std::string registry_;
  std::size_t count_ = 0;
  std::set<std::string> seen_{};
};

// How many findings there are.
std::expected<std::size_t, Error> triage_folder(const std::string& folder, fuzz::Spine& spine,
                                                Triage triage) {
  for (const FoundOp& found : findings_in(folder)) {
    if (!found.op) continue;
    const auto finding = fuzz::triage(spine, *found.op);
    if (!finding) {
      triage.keep(found, to_string(*found.op));
      continue;
    }
    JsonCase shrunk;
    shrunk.op = finding->op;
    shrunk.why = finding->explanation.detail;
    if (auto added = triage.add(finding->signature, std::move(shrunk), to_string(finding->op),
                                to_string(finding->found), finding->shrinking);
        !added) {
      return std::unexpected(added.error());
    }
  }
  return triage.count();
}

std::expected<std::size_t, Error> triage_folder(const std::string& folder,
                                                fuzz::CandidateSpine& spine,
                                                const std::set<std::string>& known, Triage triage) {
  for (const FoundOp& found : findings_in(folder)) {
    if (!found.aten) continue;
    const std::vector<fuzz::TriagedCall> findings = fuzz::triage(spine, *found.aten);
    if (findings.empty()) triage.keep(found, to_string(*found.aten));
    for (const fuzz::TriagedCall& finding : findings) {
      // A call has findings beside the one that it was saved for.
      if (known.contains(to_string(finding.signature)) ||
          known.contains(ledger_signature(finding.signature))) {
        continue;
      }
      JsonCase shrunk;
      shrunk.aten = finding.call;
      shrunk.why = finding.explanation.detail;
      if (auto added = triage.add(finding.signature, std::move(shrunk), to_string(finding.call),
                                  to_string(finding.found), finding.shrinking);
          !added) {
        return std::unexpected(added.error());
      }
    }
  }
  return triage.count();
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

std::expected<std::size_t, Error> triage_run(const std::string& folder,
                                             const std::set<std::string>& known, bool candidates,
                                             const fuzz::PlantedFault* fault,
                                             const std::string& registry,
                                             const FuzzRequest& request) {
  const Triage triage(folder, request, registry);
  if (candidates) {
    fuzz::CandidateSpineOptions options;
    options.registry = registry;
    options.fault = fault;
    auto spine = fuzz::CandidateSpine::create(options);
    if (!spine) return std::unexpected(spine.error().error);
    return triage_folder(folder, *spine, known, triage);
  }
  auto spine = fuzz::Spine::create({.registry = registry, .fault = fault});
  if (!spine) return std::unexpected(spine.error().error);
  return triage_folder(folder, *spine, triage);
}

// As asked for, else the one that the fault is planted in.
std::string registry_of(const FuzzRequest& request, const fuzz::PlantedFault* fault) {
  if (!request.registry.empty()) return request.registry;
  if (fault != nullptr && !fault->registry.table.empty()) return std::string(fault->registry.table);
  return "neuron-repaired";
}

int run(const FuzzRequest& request) {
  const auto* fault = request.fault.empty() ? nullptr : fuzz::find_fault(request.fault);
  const std::string registry = registry_of(request, fault);
  const auto folder = find_targets(request.build_folder);
  if (!folder) {
    return refuse(
        "no fuzz targets found; build them with `cmake --preset fuzz && cmake --build --preset "
        "fuzz`, or name their folder with --build",
        2);
  }
  const auto loaded = find_registry(registry);
  if (!loaded) return refuse(to_string(loaded.error()), 2);
  const bool candidates = fuzz::collects_candidates(*loaded);
  const auto known = known_signatures(request.known, loaded->name);
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
    const bool named = std::ranges::find(request.targets, target.name) != request.targets.end();
    if (named && target.candidates != candidates) {
      return refuse(
          fmt::format("{} is for tables of {}, and {} is none", target.name,
                      target.candidates ? "candidates" : "general convolutions", registry),
          2);
    }
    if (named || (request.targets.empty() && target.candidates == candidates))
      targets.push_back(&target);
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
  const auto found = triage_run(folders.findings, *known, candidates, fault, registry, request);
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
