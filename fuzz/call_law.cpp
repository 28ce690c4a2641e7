#include "fuzz/call_law.h"

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "fuzz/broken_law.h"
#include "fuzz/extra_counters.h"
#include "fuzz/read_law.h"
#include "selector/frontends/json_cases.h"
#include "selector/registry/aten_subject.h"
#include "selector/rules/located_error.h"

namespace convproof::fuzz {
namespace {

// In a folder that is none: a list that names other files opens none of ours.
const std::string file_name = "no-such-folder/input";

template <class T>
T loaded(std::expected<T, LocatedError> result) {
  if (!result) {
    fmt::print(stderr, "{}\n", to_string(result.error()));
    std::_Exit(2);
  }
  return std::move(*result);
}

std::unique_ptr<Registry> table(const std::string& name) {
  return std::make_unique<Registry>(loaded(find_registry(name)));
}

// For a message: bytes that no terminal shows become `?`.
std::string printable(std::string text) {
  std::ranges::replace_if(text, [](char c) { return c != '\n' && (c < 0x20 || c >= 0x7f); }, '?');
  return text;
}

std::optional<BrokenLaw> broken_by(const ConvOp& op, ReadSelection& selection) {
  if (auto broken = without_structure(op)) return broken;
  count_sizes(op);
  selection.select(op);
  const std::string printed = write_json_case("case", op);
  const auto again = read_json_cases(printed, file_name);
  if (!again || again->ops.size() != 1 || !again->ops[0].op)
    return BrokenLaw{"operations-read-as-cases", printed};
  const ConvOp& second = *again->ops[0].op;
  if (without_pass_flags(second) == without_pass_flags(op)) return std::nullopt;
  return BrokenLaw{"cases-are-the-same",
                   fmt::format("{} became {}", to_string(op), to_string(second))};
}

std::optional<BrokenLaw> broken_by(const AtenCall& call, const CallLaw& law,
                                   ReadSelection& selection) {
  selection.select(call);
  std::string printed = law.print(call);
  if (law.fault != nullptr && law.fault->text != nullptr) law.fault->text(printed);
  const auto again = law.read(printed, file_name);
  if (!again || again->ops.size() != 1) return BrokenLaw{"printed-text-reads", printable(printed)};
  const FoundOp& second = again->ops.front();
  if (!second.aten) {
    return BrokenLaw{"printed-text-reads",
                     fmt::format("{}: {}", second.op ? "no call" : to_string(second.op.error()),
                                 printable(printed))};
  }
  if (*second.aten == call) return std::nullopt;
  return BrokenLaw{"printed-text-is-the-same",
                   fmt::format("{} became {}", to_string(call), to_string(*second.aten))};
}

}  // namespace

ReadSelection ReadSelection::create() {
  ReadSelection made;
  made.convolutions_ = table("neuron");
  made.forward_ = table("inductor-forward");
  made.backward_ = table("inductor-backward");
  made.matcher_ = std::make_unique<Matcher>(loaded(Matcher::compile(*made.convolutions_)));
  made.forward_selector_ =
      std::make_unique<AtenSelector>(loaded(AtenSelector::compile(*made.forward_)));
  made.backward_selector_ =
      std::make_unique<AtenSelector>(loaded(AtenSelector::compile(*made.backward_)));
  return made;
}

void ReadSelection::select(const ConvOp& op) { static_cast<void>(matcher_->select(op)); }

void ReadSelection::select(const AtenCall& call) {
  if (!validate(call)) return;
  (call.backward ? *backward_selector_ : *forward_selector_).select(call, selection_);
}

TextResult CallLaw::check(std::string_view text, ReadSelection& selection) const {
  TextResult result;
  const auto document = read(text, file_name);
  result.broken = errors_without_place(document, file_name);
  if (!document) return result;
  for (const FoundOp& found : document->ops) {
    if (result.broken || result.operations == most_checked) return result;
    if (!found.op) result.broken = without_place(found.op.error(), file_name);
    if (found.op && !result.broken) result.broken = broken_by(*found.op, selection);
    if (found.aten && !result.broken) result.broken = broken_by(*found.aten, *this, selection);
    if (found.op || found.aten) ++result.operations;
  }
  return result;
}

}  // namespace convproof::fuzz
