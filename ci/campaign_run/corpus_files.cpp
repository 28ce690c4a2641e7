#include "ci/campaign_run/corpus_files.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace convproof::campaign {
namespace {

namespace fs = std::filesystem;

std::unexpected<Error> failed(const std::string& path, const std::string& rule) {
  return std::unexpected(Error{path, "", rule});
}

std::expected<void, Error> move(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::rename(from, to, error);
  if (error) return failed(to, "cannot be written: " + error.message());
  return {};
}

}  // namespace

// FIPS 180-4, section 6.1.
std::string sha1_of(std::string_view content) {
  std::array<std::uint32_t, 5> state{0x67452301, 0xEFCDAB89, 0x98BADCFE, 0x10325476, 0xC3D2E1F0};
  std::string padded(content);
  padded += '\x80';
  while (padded.size() % 64 != 56) padded += '\0';
  const std::uint64_t bits = std::uint64_t{content.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8) padded += static_cast<char>(bits >> shift);
  const auto byte = [&](std::size_t at) {
    return std::uint32_t{static_cast<std::uint8_t>(padded[at])};
  };
  for (std::size_t block = 0; block < padded.size(); block += 64) {
    std::array<std::uint32_t, 80> words{};
    for (std::size_t i = 0; i < 16; ++i) {
      const std::size_t at = block + 4 * i;
      words[i] = byte(at) << 24 | byte(at + 1) << 16 | byte(at + 2) << 8 | byte(at + 3);
    }
    for (std::size_t i = 16; i < 80; ++i) {
      words[i] = std::rotl(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
    }
    auto [a, b, c, d, e] = state;
    for (std::size_t i = 0; i < 80; ++i) {
      const std::uint32_t mixed = i < 20   ? ((b & c) | (~b & d)) + 0x5A827999
                                  : i < 40 ? (b ^ c ^ d) + 0x6ED9EBA1
                                  : i < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8F1BBCDC
                                           : (b ^ c ^ d) + 0xCA62C1D6;
      const std::uint32_t next = std::rotl(a, 5) + mixed + e + words[i];
      e = d;
      d = c;
      c = std::rotl(b, 30);
      b = a;
      a = next;
    }
    state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d, state[4] + e};
  }
  std::string text;
  for (const std::uint32_t word : state) text += fmt::format("{:08x}", word);
  return text;
}

std::vector<std::string> files_of(const std::string& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->is_regular_file(error)) names.push_back(entry->path().filename().string());
  }
  std::ranges::sort(names);
  return names;
}

std::expected<std::string, Error> read_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return failed(path, "cannot be read");
  return std::string{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

std::expected<std::size_t, Error> adopt_inputs(const std::string& from, const std::string& to) {
  std::size_t moved = 0;
  for (const std::string& name : files_of(from)) {
    const std::string path = from + "/" + name;
    const auto content = read_whole(path);
    if (!content) return std::unexpected(content.error());
    if (sha1_of(*content) != name) {
      return failed(path, "is not whole: no space was left, or something else wrote to it");
    }
    if (auto done = move(path, to + "/" + name); !done) return std::unexpected(done.error());
    ++moved;
  }
  return moved;
}

std::expected<void, Error> swap_folder(const std::string& next, const std::string& folder) {
  const std::string old = folder + ".old";
  std::error_code error;
  fs::remove_all(old, error);
  if (fs::exists(folder, error)) {
    if (auto done = move(folder, old); !done) return done;
  }
  if (auto done = move(next, folder); !done) return done;
  fs::remove_all(old, error);
  return {};
}

std::expected<void, Error> repair_swap(const std::string& folder) {
  const std::string old = folder + ".old";
  std::error_code error;
  if (!fs::exists(folder, error) && fs::exists(old, error)) return move(old, folder);
  fs::remove_all(old, error);
  return {};
}

}  // namespace convproof::campaign
