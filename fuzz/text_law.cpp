#include "fuzz/text_law.h"

#include <string>
#include <string_view>

#include <fmt/format.h>

#include "fuzz/extra_counters.h"
#include "selector/registry/conv_subject.h"

namespace convproof::fuzz {
namespace {

constexpr std::string_view file_name = "input";

// What no text form has a place for.
ConvOp without_pass_flags(ConvOp op) {
  op.is_pglt = false;
  return op;
}

std::optional<BrokenLaw> without_place(const Error& error) {
  count_message(error.rule);
  if (error.place.starts_with(file_name) && !error.rule.empty()) return std::nullopt;
  return BrokenLaw{"errors-are-located", to_string(error)};
}

}  // namespace

TextResult TextLaw::check(std::string_view text) const {
  TextResult result;
  const auto document = read(text, std::string(file_name));
  if (!document) {
    result.broken = without_place(document.error());
    return result;
  }
  for (const Error& error : document->errors) {
    if (auto broken = without_place(error)) result.broken = broken;
  }
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
    // A frontend may hand on an op that a pass would refuse, but never one that cannot be read.
    if (const auto structure = check_structure(op); !structure) {
      result.broken = BrokenLaw{"operations-have-structure", to_string(structure.error())};
      return result;
    }
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
