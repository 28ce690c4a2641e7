#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ci/commands.h"
#include "ci/operations.h"
#include "ci/report.h"
#include "oracle/check.h"
#include "selector/lowering/attributes.h"
#include "selector/registry/conv_subject.h"

namespace convproof::ci {
namespace {

nlohmann::ordered_json bridge_json(const std::optional<Perm>& bridge) {
  if (!bridge) return nullptr;
  return nlohmann::ordered_json(std::vector<std::int64_t>(bridge->begin(), bridge->end()));
}

}  // namespace

int run_lower(const Request& request) {
  const auto registry = open_registry(request);
  if (!registry) return 2;
  if (registry->policy == Policy::collect_all) {
    fmt::print(
        stderr,
        "convproof: --registry = {}: `lower` shows programs of general convolutions; `select` "
        "shows the candidates of this table\n",
        request.registry);
    return 2;
  }
  // Nothing is executed: the limit of work does not matter here.
  auto checker = oracle::Checker::create(*registry, {.kernel = request.kernel});
  if (!checker) {
    fmt::print(stderr, "convproof: {}\n", to_string(checker.error()));
    return 2;
  }
  Report report{.command = "lower", .registry = registry->name, .seed = request.seed};
  nlohmann::ordered_json operations = nlohmann::ordered_json::array();
  for_each_operation(
      request, report, convolution_generator(request),
      [&](const FoundOp& found, std::uint64_t /*seed*/) {
        if (const auto problem = problem_of(found)) return add_error(found, *problem, report);
        const oracle::RowChoice choice = checker->choose(*found.op);
        std::string text = fmt::format("{}\n  {}\n", title_of(found), to_string(*found.op));
        nlohmann::ordered_json entry{{"name", found.name},
                                     {"file", found.place.file},
                                     {"line", found.place.line},
                                     {"op", to_string(*found.op)}};
        if (!choice.row) {
          const std::string why = choice.selection.status == Selection::Status::raised
                                      ? raise_text(*registry, choice.selection)
                                  : choice.selection.status == Selection::Status::gated
                                      ? "the pass does not look at it"
                                      : "no row takes it";
          text += fmt::format("  stays a convolution: {}\n", why);
          entry["detail"] = why;
        } else if (const auto program = checker->lowered(*found.op, *choice.row); !program) {
          return add_error(found, program.error(), report);
        } else {
          entry["row"] = registry->rows[*choice.row].id;
          entry["func_name"] = program->kernel.func_name;
          entry["attrs"] = attributes_text(program->kernel, registry->keys);
          entry["in_bridge"] = bridge_json(program->in_bridge);
          entry["kern_bridge"] = bridge_json(program->kern_bridge);
          entry["out_bridge"] = bridge_json(program->out_bridge);
          std::string lines = to_string(*program, registry->keys);
          text += fmt::format("  row {}\n", registry->rows[*choice.row].id);
          for (std::size_t start = 0; start < lines.size();) {
            const std::size_t end = lines.find('\n', start);
            text += fmt::format("    {}\n", lines.substr(start, end - start));
            start = end + 1;
          }
        }
        if (request.format == "json") {
          operations.push_back(std::move(entry));
        } else {
          fmt::print("{}\n", text);
        }
      });
  return print_operations(report, request, std::move(operations));
}

}  // namespace convproof::ci
