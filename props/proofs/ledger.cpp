#include "props/proofs/ledger.h"

#include <algorithm>
#include <cstddef>
#include <expected>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace convproof::proofs {
namespace {

using Json = nlohmann::json;

std::unexpected<Error> refuse(std::string place, std::string rule) {
  return std::unexpected(Error{.place = std::move(place), .value = {}, .rule = std::move(rule)});
}

// registry/kind/row/rest
std::vector<std::string_view> parts_of(std::string_view signature) {
  std::vector<std::string_view> parts;
  while (parts.size() < 3) {
    const std::size_t slash = signature.find('/');
    parts.push_back(signature.substr(0, slash));
    if (slash == std::string_view::npos) return parts;
    signature.remove_prefix(slash + 1);
  }
  parts.push_back(signature);
  return parts;
}

}  // namespace

std::expected<Ledger, Error> parse_ledger(std::string_view json_text, std::string_view file) {
  const Json document = Json::parse(json_text, nullptr, false);
  const auto at = [&](std::string_view place) { return fmt::format("{}: {}", file, place); };
  if (document.is_discarded()) return refuse(std::string(file), "is no JSON");
  if (!document.is_object() || document.value("version", Json()) != 1) {
    return refuse(at("version"), "must be 1");
  }
  const auto text_of = [](const Json& object, const char* key) -> const std::string* {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_string() ||
        found->get_ref<const std::string&>().empty()) {
      return nullptr;
    }
    return found->get_ptr<const std::string*>();
  };
  Ledger ledger;
  const std::string* const registry = text_of(document, "registry");
  if (registry == nullptr) return refuse(at("registry"), "must be a registry's name");
  ledger.registry = *registry;
  const auto known = document.find("known");
  if (known == document.end() || !known->is_array()) return refuse(at("known"), "must be an array");
  std::set<std::string> seen;
  for (std::size_t i = 0; i < known->size(); ++i) {
    const Json& entry = (*known)[i];
    const std::string place = fmt::format("known[{}]", i);
    if (!entry.is_object()) return refuse(at(place), "must be an object");
    const std::string* const signature = text_of(entry, "signature");
    const std::string* const why = text_of(entry, "why");
    if (signature == nullptr) return refuse(at(place + ".signature"), "must be a text");
    if (why == nullptr)
      return refuse(at(place + ".why"), "must be a text: an entry needs a reason");
    if (!seen.insert(*signature).second) return refuse(at(place + ".signature"), "is given twice");
    ledger.known.push_back({*signature, *why});
  }
  return ledger;
}

void apply(const Ledger& ledger, const std::vector<FindingKind>& kinds, std::string_view row,
           ProofReport& report) {
  if (ledger.registry != report.registry) return;
  for (const KnownFinding& known : ledger.known) {
    const auto finding = std::ranges::find(report.findings, known.signature, &Finding::signature);
    if (finding != report.findings.end()) {
      if (finding->status != FindingStatus::unknown) finding->known = known.why;
      continue;
    }
    const std::vector<std::string_view> parts = parts_of(known.signature);
    const auto kind = parts.size() > 1 ? finding_kind_named(parts[1]) : std::nullopt;
    const bool asked =
        (kinds.empty() || (kind && std::ranges::find(kinds, *kind) != kinds.end())) &&
        (row.empty() || (parts.size() > 2 && parts[2] == row));
    if (asked) report.vanished.push_back(known.signature);
  }
}

}  // namespace convproof::proofs
