#include "fuzz/read_law.h"

#include <expected>
#include <optional>
#include <string_view>

#include "fuzz/extra_counters.h"
#include "selector/registry/conv_subject.h"

namespace convproof::fuzz {

std::optional<BrokenLaw> without_place(const Error& error, std::string_view file_name) {
  count_message(error.rule);
  if (error.place.starts_with(file_name) && !error.rule.empty()) return std::nullopt;
  return BrokenLaw{"errors-are-located", to_string(error)};
}

std::optional<BrokenLaw> errors_without_place(const std::expected<Document, Error>& document,
                                              std::string_view file_name) {
  if (!document) return without_place(document.error(), file_name);
  std::optional<BrokenLaw> last;
  for (const Error& error : document->errors) {
    if (auto broken = without_place(error, file_name)) last = broken;
  }
  return last;
}

std::optional<BrokenLaw> without_structure(const ConvOp& op) {
  const auto structure = check_structure(op);
  if (structure) return std::nullopt;
  return BrokenLaw{"operations-have-structure", to_string(structure.error())};
}

ConvOp without_pass_flags(ConvOp op) {
  op.is_pglt = false;
  return op;
}

}  // namespace convproof::fuzz
