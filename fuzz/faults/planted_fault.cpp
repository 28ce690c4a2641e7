#include "fuzz/planted_fault.h"

#include <cstddef>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "fuzz/faults/fault_lists.h"
#include "selector/registries/embedded.h"

namespace convproof::fuzz {
namespace {

std::vector<PlantedFault> all_faults() {
  std::vector<PlantedFault> faults;
  for (const auto list : {program_faults(), registry_faults(), text_faults()}) {
    faults.insert(faults.end(), list.begin(), list.end());
  }
  return faults;
}

// Where the text of a row stands: from its `{"id"` to before the next row's, or the list's end.
struct RowText {
  std::size_t begin = 0;
  std::size_t end = 0;
};

std::optional<RowText> find_row_text(std::string_view text, std::string_view row) {
  const std::size_t begin = text.find(fmt::format("{{\"id\": \"{}\"", row));
  if (begin == std::string_view::npos) return std::nullopt;
  std::size_t depth = 0;
  for (std::size_t i = begin; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return RowText{begin, i + 1};
  }
  return std::nullopt;
}

}  // namespace

std::span<const PlantedFault> planted_faults() {
  static const std::vector<PlantedFault> faults = all_faults();
  return faults;
}

const PlantedFault* find_fault(std::string_view name) {
  for (const PlantedFault& fault : planted_faults()) {
    if (fault.name == name) return &fault;
  }
  return nullptr;
}

std::expected<Registry, LocatedError> registry_with(const RegistryFault& fault,
                                                    std::string_view registry_name) {
  const std::string file = fmt::format("{}.json", registry_name);
  const auto refuse = [&](std::string_view value, std::string rule) {
    return std::unexpected(LocatedError{
        .error = {.place = file, .value = std::string(value), .rule = std::move(rule)}});
  };
  const auto source = embedded_file(file);
  if (!source) return refuse(registry_name, "is no built-in registry");
  std::string text(*source);
  const auto row = find_row_text(text, fault.row);
  if (!row) return refuse(fault.row, "is no row");
  if (!fault.swap_with.empty()) {
    const auto other = find_row_text(text, fault.swap_with);
    if (!other || other->begin < row->end) return refuse(fault.swap_with, "is no later row");
    const std::string first = text.substr(row->begin, row->end - row->begin);
    const std::string second = text.substr(other->begin, other->end - other->begin);
    text.replace(other->begin, other->end - other->begin, first);
    text.replace(row->begin, row->end - row->begin, second);
    return load_registry(text, file);
  }
  const std::string from = fault.drops.empty() ? std::string(fault.old_text)
                                               : fmt::format("\"clause\": \"{}\"", fault.drops);
  const std::string_view to = fault.drops.empty() ? fault.new_text : R"("clause": "True")";
  const std::size_t at = text.find(from, row->begin);
  if (at == std::string::npos || at >= row->end) return refuse(from, "is not in the row");
  text.replace(at, from.size(), to);
  return load_registry(text, file);
}

}  // namespace convproof::fuzz
