#include "fuzz/targets/target.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "fuzz/extra_counters.h"
#include "fuzz/finding_log.h"

namespace convproof::fuzz {
namespace {

std::string environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

[[noreturn]] void refuse(const std::string& message) {
  fmt::print(stderr, "{}\n", message);
  std::_Exit(2);
}

// What a run came to; printed when it ends, so that a target that runs nothing shows.
struct Statistics {
  std::uint64_t executions = 0;
  std::uint64_t well_formed = 0;  // or, of a text target, read without an error
  std::uint64_t kernels_run = 0;
  std::uint64_t candidates = 0;  // executed, by targets of tables of candidates
  std::array<std::uint64_t, oracle::check_classes.size()> classes{};
};
Statistics statistics;

double share(std::uint64_t part) {
  return statistics.executions == 0
             ? 0
             : 100.0 * static_cast<double>(part) / static_cast<double>(statistics.executions);
}

void print_statistics() {
  const bool spine = statistics.kernels_run > 0;
  fmt::print(stderr, "statistics: executions={} well_formed={:.2f}%", statistics.executions,
             share(statistics.well_formed));
  if (spine) fmt::print(stderr, " reached_kernel={:.2f}%", share(statistics.kernels_run));
  if (statistics.candidates > 0) fmt::print(stderr, " candidates={}", statistics.candidates);
  for (const oracle::CheckClassInfo& info : oracle::check_classes) {
    const std::uint64_t count = statistics.classes[static_cast<std::size_t>(info.value)];
    if (count > 0) fmt::print(stderr, " {}={}", info.name, count);
  }
  fmt::print(stderr, "\n");
  for (const auto& [signature, count] : target_findings().counts()) {
    fmt::print(stderr, "finding {} {}\n", count, signature);
  }
}

TargetSettings read_settings() {
  TargetSettings settings;
  settings.registry = default_registry;
  if (auto registry = environment("CONVPROOF_FUZZ_REGISTRY"); !registry.empty()) {
    settings.registry = std::move(registry);
  }
  if (const auto fault = environment("CONVPROOF_FUZZ_FAULT"); !fault.empty()) {
    settings.fault = find_fault(fault);
    if (settings.fault == nullptr) refuse(fmt::format("{}: no planted fault has this name", fault));
    if (!settings.fault->registry.table.empty()) settings.registry = settings.fault->registry.table;
  }
  settings.plain = !environment("CONVPROOF_FUZZ_PLAIN").empty();
#ifdef CONVPROOF_LIBFUZZER
  enable_counters(!settings.plain);
#endif
  std::atexit(print_statistics);
  return settings;
}

Spine make_spine(std::string kernel) {
  auto spine = Spine::create({.registry = target_settings().registry,
                              .fault = target_settings().fault,
                              .kernel = std::move(kernel)});
  if (!spine) refuse(to_string(spine.error()));
  return std::move(*spine);
}

}  // namespace

const TargetSettings& target_settings() {
  // Never destroyed: the closing statistics read them after other statics are gone.
  static const TargetSettings& settings = *new TargetSettings(read_settings());
  return settings;
}

Spine& target_spine() {
  static Spine spine = make_spine("");
  return spine;
}

Spine& target_spine_of_kernel(std::size_t kernel) {
  static std::vector<std::unique_ptr<Spine>> spines(
      target_spine().registry().kernels.kernels.size());
  if (!spines[kernel]) {
    spines[kernel] =
        std::make_unique<Spine>(make_spine(target_spine().registry().kernels.kernels[kernel].name));
  }
  return *spines[kernel];
}

CandidateSpine& target_candidates() {
  static CandidateSpine spine = [] {
    CandidateSpineOptions options;
    options.registry = target_settings().registry;
    options.fault = target_settings().fault;
    auto made = CandidateSpine::create(options);
    if (!made) refuse(to_string(made.error()));
    return std::move(*made);
  }();
  return spine;
}

FindingLog& target_findings() {
  // Never destroyed, as the settings.
  static FindingLog& log =
      *new FindingLog({.known_file = environment("CONVPROOF_FUZZ_KNOWN"),
                       .folder = environment("CONVPROOF_FUZZ_FINDINGS"),
                       .origin = "convproof " CONVPROOF_VERSION " " CONVPROOF_TARGET ", seed 1",
                       .replay = fmt::format(" --registry {}", target_settings().registry)});
  return log;
}

void count_execution(bool useful) {
  static_cast<void>(target_settings());
  ++statistics.executions;
  statistics.well_formed += useful ? 1 : 0;
}

void conclude(std::string_view text, const TextResult& result) {
  count_execution(result.operations > 0);
  if (result.broken) broken_law(result.broken->law, text, result.broken->detail);
}

void conclude(Spine& spine, const ConvOp& op, const oracle::Verdict& verdict) {
  using oracle::CheckClass;
  count_execution(verdict.value != CheckClass::invalid);
  ++statistics.classes[static_cast<std::size_t>(verdict.value)];
  const bool ran = verdict.value == CheckClass::equal || verdict.value == CheckClass::different ||
                   verdict.value == CheckClass::rejected;
  statistics.kernels_run += ran ? 1 : 0;
  if (!is_finding(verdict.value)) return;
  const Signature signature = spine.signature(op, verdict);
  const bool known = target_findings().is_known(signature) ||
                     target_findings().counts().contains(to_string(signature));
  target_findings().add(signature, op, known ? "" : spine.explain(op, verdict).detail);
}

void conclude(CandidateSpine& spine, const AtenCall& call, const CandidateFindings& findings) {
  count_execution(true);
  statistics.kernels_run += findings.candidates > 0 ? 1 : 0;
  statistics.candidates += findings.candidates;
  // Describing a finding runs the spine again, which overwrites the findings.
  const std::vector<Signature> signatures = findings.signatures;
  for (const Signature& signature : signatures) {
    const bool known = target_findings().is_known(signature) ||
                       target_findings().counts().contains(to_string(signature));
    target_findings().add(signature, call, known ? "" : spine.explain(call, signature).detail);
  }
}

void broken_law(std::string_view law, const ConvOp& op, const std::string& detail) {
  const Signature signature{.registry = target_settings().registry,
                            .class_name = "law",
                            .row = CONVPROOF_TARGET,
                            .kernel = "-",
                            .site = std::string(law)};
  target_findings().add(signature, op, detail);
}

void broken_law(std::string_view law, std::string_view text, const std::string& detail) {
  target_findings().add_text(fmt::format("law/{}/{}", CONVPROOF_TARGET, law), text, detail);
}

}  // namespace convproof::fuzz
