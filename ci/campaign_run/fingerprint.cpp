#include "ci/campaign_run/fingerprint.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "selector/op/perm.h"
#include "selector/rules/predicate.h"

namespace convproof::campaign {

std::uint64_t hash_of(std::string_view text) {
  std::uint64_t hash = 1469598103934665603U;
  for (const char c : text) hash = (hash ^ static_cast<std::uint8_t>(c)) * 1099511628211U;
  return hash;
}

std::string content_of(const Row& row) {
  std::string content;
  for (const Clause& clause : row.predicate.clauses) {
    content += clause.message ? "assert " : "";
    content += to_string(clause.condition);
    content += '\n';
  }
  // Arguments and options that the clauses read: one that is new to the table changes no row.
  const std::string clauses = content;
  for (const Parameter& parameter : row.predicate.parameters) {
    if (clauses.find(parameter.name) == std::string::npos) continue;
    content += fmt::format("{}={}\n", parameter.name, parameter.value);
  }
  content += row.kernel;
  for (const std::optional<Perm>& layout :
       {row.lowering.layout.in, row.lowering.layout.kern, row.lowering.layout.out}) {
    content += '\n';
    if (!layout) continue;
    for (const auto axis : *layout) content += fmt::format("{},", static_cast<int>(axis));
  }
  return content;
}

std::string fingerprint_of(std::string_view table, std::string_view content, std::string_view kind,
                           std::string_view clause) {
  return fmt::format("{:016x}",
                     hash_of(fmt::format("{}\n\n{}\n\n{}\n\n{}", table, content, kind, clause)));
}

}  // namespace convproof::campaign
