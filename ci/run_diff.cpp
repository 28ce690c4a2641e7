#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "ci/commands.h"
#include "ci/progress.h"
#include "ci/prove_options.h"
#include "ci/prove_report.h"
#include "ci/prove_request.h"
#include "ci/write_file.h"
#include "props/proofs/diff_tables.h"

namespace convproof::ci {

int run_diff(const ProveRequest& request) {
  watch_interrupts();
  if (!make_folders(request)) return 2;
  const auto old_table =
      open_registry(Request{.registry = request.registries[0], .settings = request.settings});
  if (!old_table) return 2;
  const auto new_table =
      open_registry(Request{.registry = request.registries[1], .settings = request.settings});
  if (!new_table) return 2;
  const auto options = prove_options(request, *old_table);
  if (!options) return 2;
  const auto report = proofs::diff_tables(*old_table, *new_table, *options);
  if (!report) {
    fmt::print(stderr, "convproof: {}\n", to_string(report.error()));
    return 2;
  }
  int number = 0;
  for (const proofs::Change& change : report->changes) {
    if (request.save_folder.empty() || !change.witness) continue;
    const std::string path = fmt::format("{}/change-{}.json", request.save_folder, ++number);
    const std::string saved =
        report->subject->json_case(fmt::format("change-{}", number), *change.witness);
    if (auto written = write_file(path, saved); !written) {
      fmt::print(stderr, "convproof: {}\n", to_string(written.error()));
      return 3;
    }
  }
  return print_result(request.format == "json" ? diff_to_json(*report) : diff_to_text(*report),
                      exit_status(*report));
}

}  // namespace convproof::ci
