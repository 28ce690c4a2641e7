#include "ci/campaign_run/known_findings.h"

#include <algorithm>
#include <cstddef>
#include <expected>
#include <filesystem>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "ci/campaign_run/corpus_files.h"
#include "props/proofs/ledger.h"

namespace convproof::campaign {
namespace {

std::expected<proofs::Ledger, Error> read_ledger(const std::string& path) {
  const auto text = read_whole(path);
  if (!text) return std::unexpected(text.error());
  return proofs::parse_ledger(*text, path);
}

}  // namespace

std::expected<KnownFindings, Error> KnownFindings::read(const std::vector<std::string>& tables,
                                                        const std::vector<std::string>& files) {
  KnownFindings result;
  std::set<std::string> given;
  const auto add = [&](proofs::Ledger ledger) {
    auto& known = result.known_[ledger.registry];
    for (proofs::KnownFinding& entry : ledger.known) {
      if (std::ranges::find(known, entry.signature, &proofs::KnownFinding::signature) ==
          known.end()) {
        known.push_back(std::move(entry));
      }
    }
  };
  for (const std::string& file : files) {
    auto ledger = read_ledger(file);
    if (!ledger) return std::unexpected(ledger.error());
    given.insert(ledger->registry);
    add(std::move(*ledger));
  }
  std::vector<std::string> registries = tables;
  registries.emplace_back(text_registry);
  for (const std::string& name : registries) {
    if (given.contains(name)) continue;
    for (const char* folder : {"corpus/known", "fuzz/known"}) {
      const std::string path = fmt::format("{}/{}.json", folder, name);
      std::error_code ignored;
      if (!std::filesystem::exists(path, ignored)) continue;
      auto ledger = read_ledger(path);
      if (!ledger) return std::unexpected(ledger.error());
      add(std::move(*ledger));
    }
  }
  return result;
}

const std::vector<proofs::KnownFinding>& KnownFindings::of(std::string_view table) const {
  static const std::vector<proofs::KnownFinding> none;
  const auto found = known_.find(table.empty() ? text_registry : table);
  return found == known_.end() ? none : found->second;
}

std::string KnownFindings::why(std::string_view table, std::string_view signature) const {
  const auto& known = of(table);
  const auto found = std::ranges::find(known, signature, &proofs::KnownFinding::signature);
  return found == known.end() ? "" : found->why;
}

SignatureParts parts_of(std::string_view signature) {
  SignatureParts parts;
  const auto next = [&] {
    const std::size_t slash = signature.find('/');
    std::string part(signature.substr(0, slash));
    signature.remove_prefix(slash == std::string_view::npos ? signature.size() : slash + 1);
    return part;
  };
  parts.table = next();
  parts.kind = next();
  parts.row = next();
  parts.clause = signature.substr(signature.rfind('/') + 1);
  return parts;
}

}  // namespace convproof::campaign
