#include "ci/prove_options.h"

#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "ci/progress.h"
#include "selector/rules/predicate.h"

namespace convproof::ci {

std::optional<proofs::ProveOptions> prove_options(const ProveRequest& request,
                                                  const Registry& registry) {
  proofs::ProveOptions options;
  options.prover.seed = request.seed;
  options.prover.samples = request.samples;
  options.prover.threads = request.threads;
  options.prover.limits = {.milliseconds = 1000 * request.timeout_seconds,
                           .memory_megabytes = request.memory_megabytes};
  options.prover.smt2_folder = request.smt2_folder;
  options.row = request.row;
  options.interrupted = interrupted;
  for (const std::string& kind : request.kinds) {
    if (const auto known = proofs::finding_kind_named(kind)) options.kinds.push_back(*known);
  }
  for (const std::string& text : request.assumptions) {
    auto condition = parse_condition(text, registry.schema, {}, "--assume");
    if (!condition) {
      fmt::print(stderr, "convproof: {}\n", to_string(condition.error()));
      return std::nullopt;
    }
    options.assumed.push_back({.condition = std::move(*condition)});
  }
  return options;
}

bool make_folders(const ProveRequest& request) {
  for (const std::string& folder : {request.save_folder, request.smt2_folder}) {
    if (folder.empty()) continue;
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error) {
      fmt::print(stderr, "convproof: {}: cannot be made: {}\n", folder, error.message());
      return false;
    }
  }
  return true;
}

int print_result(std::string_view text, int status) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
    fmt::print(stderr, "convproof: standard output: cannot be written\n");
    return 3;
  }
  return status;
}

}  // namespace convproof::ci
