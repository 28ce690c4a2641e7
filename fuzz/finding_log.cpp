#include "fuzz/finding_log.h"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

namespace convproof::fuzz {
namespace {

// How a target ends where nobody collects findings: as libFuzzer expects a crash, elsewhere with a
// plain status that a test can tell from one.
[[noreturn]] void die() {
#ifdef CONVPROOF_LIBFUZZER
  std::abort();
#else
  std::fflush(nullptr);
  std::_Exit(1);
#endif
}

}  // namespace

std::string file_name_of(std::string_view signature) {
  std::uint64_t hash = 1469598103934665603U;  // FNV-1a
  for (const char c : signature) hash = (hash ^ static_cast<std::uint8_t>(c)) * 1099511628211U;
  std::string name;
  for (const char c : signature) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (plain) {
      name += c;
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  constexpr std::size_t longest = 96;
  if (name.size() > longest) name.resize(longest);
  return fmt::format("{}-{:08x}", name, hash & 0xFFFFFFFFU);
}

FindingLog::FindingLog(FindingLogOptions options) : options_(std::move(options)) {
  if (options_.known_file.empty()) return;
  std::ifstream known(options_.known_file);
  if (!known) {
    fmt::print(stderr, "{}: cannot be read: the known signatures\n", options_.known_file);
    std::_Exit(2);
  }
  for (std::string line; std::getline(known, line);) {
    if (!line.empty()) known_.insert(line);
  }
}

bool FindingLog::is_known(const Signature& signature) const {
  return known_.contains(to_string(signature)) || known_.contains(ledger_signature(signature));
}

bool FindingLog::count(const std::string& signature, bool known) {
  const bool first = ++counts_[signature] == 1;
  return first && !known;
}

void FindingLog::add(const Signature& signature, const ConvOp& op, const std::string& detail) {
  const std::string name = to_string(signature);
  if (!count(name, is_known(signature))) return;
  JsonCase found;
  found.id = name;
  found.op = op;
  found.why = detail;
  save_case(std::move(found), to_string(op));
}

void FindingLog::add(const Signature& signature, const AtenCall& call, const std::string& detail) {
  const std::string name = to_string(signature);
  if (!count(name, is_known(signature))) return;
  JsonCase found;
  found.id = name;
  found.aten = call;
  found.why = detail;
  save_case(std::move(found), to_string(call));
}

void FindingLog::save_case(JsonCase found, const std::string& shown) {
  found.source = fmt::format("{}; convproof replay {}.json{}", options_.origin,
                             file_name_of(found.id), options_.replay);
  save(found.id, ".json", write_json_cases({&found, 1}), fmt::format("{}\n  {}", shown, found.why));
}

void FindingLog::add_text(const std::string& law, std::string_view text,
                          const std::string& detail) {
  if (!count(law, known_.contains(law))) return;
  save(law, ".txt", text, fmt::format("{}\n{}", detail, text.substr(0, 2000)));
}

void FindingLog::save(const std::string& signature, std::string_view extension,
                      std::string_view content, const std::string& shown) {
  fmt::print(stderr, "finding: {}\n  {}\n", signature, shown);
  if (options_.folder.empty()) die();
  const std::string path =
      fmt::format("{}/{}{}", options_.folder, file_name_of(signature), extension);
  const std::string temporary = fmt::format("{}.{}.part", path, ::getpid());
  std::ofstream file(temporary, std::ios::binary);
  file << content;
  file.close();
  std::error_code failed;
  if (file) std::filesystem::rename(temporary, path, failed);
  if (!file || failed) {
    // A finding that cannot be kept must not be lost in silence.
    fmt::print(stderr, "{}: cannot be written\n", path);
    die();
  }
}

}  // namespace convproof::fuzz
