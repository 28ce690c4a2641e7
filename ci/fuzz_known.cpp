#include "ci/fuzz_known.h"

#include <expected>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "props/proofs/ledger.h"

namespace convproof::ci {

std::expected<std::set<std::string>, Error> known_signatures(const std::vector<std::string>& files,
                                                             const std::string& registry) {
  std::vector<std::string> paths = files;
  if (paths.empty()) {
    for (const char* folder : {"corpus/known", "fuzz/known"}) {
      std::string path = fmt::format("{}/{}.json", folder, registry);
      std::error_code ignored;
      if (std::filesystem::exists(path, ignored)) paths.push_back(std::move(path));
    }
  }
  std::set<std::string> signatures;
  for (const std::string& path : paths) {
    std::ifstream file(path, std::ios::binary);
    if (!file) return std::unexpected(Error{path, "", "cannot be read"});
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    const auto ledger = proofs::parse_ledger(text, path);
    if (!ledger) return std::unexpected(ledger.error());
    for (const proofs::KnownFinding& known : ledger->known) signatures.insert(known.signature);
  }
  return signatures;
}

}  // namespace convproof::ci
