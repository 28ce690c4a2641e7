#include "fuzz/text_law.h"

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "fuzz/extra_counters.h"
#include "fuzz/read_law.h"

namespace convproof::fuzz {
namespace {

constexpr std::string_view file_name = "input";

}  // namespace

TextResult TextLaw::check(std::string_view text) const {
  TextResult result;
  const auto document = read(text, std::string(file_name));
  result.broken = errors_without_place(document, file_name);
  if (!document) return result;
  for (const FoundOp& found : document->ops) {
    if (result.broken) return result;
    if (!found.op) {
      count_message(found.op.error().rule);
      if (to_string(found.op.error()).empty())
        result.broken = BrokenLaw{"errors-are-told", found.name};
      continue;
    }
    ++result.operations;
    const ConvOp& op = *found.op;
    result.broken = without_structure(op);
    if (result.broken) return result;
    count_sizes(op);
    std::string printed = print(op);
    if (fault != nullptr && fault->text != nullptr) fault->text(printed);
    const auto again = read(printed, std::string(file_name));
    if (!again || again->ops.size() != 1) {
      result.broken = BrokenLaw{"printed-text-reads", fmt::format("{}", printed)};
    } else if (const FoundOp& second = again->ops.front(); !second.op) {
      result.broken = BrokenLaw{"printed-text-reads",
                                fmt::format("{}: {}", to_string(second.op.error()), printed)};
    } else if (without_pass_flags(*second.op) != without_pass_flags(op)) {
      result.broken = BrokenLaw{"printed-text-is-the-same",
                                fmt::format("{} became {}", to_string(op), to_string(*second.op))};
    }
  }
  return result;
}

}  // namespace convproof::fuzz
