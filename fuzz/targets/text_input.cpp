#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "fuzz/targets/target.h"
#include "oracle/random.h"

namespace convproof::fuzz {

const std::string_view default_registry = "neuron-repaired";

namespace {

std::size_t put(std::string_view text, std::uint8_t* data, std::size_t max_size) {
  const std::size_t size = std::min(text.size(), max_size);
  std::copy_n(text.begin(), size, data);
  return size;
}

// One line gone, doubled, or moved to the end: what structure a text has stands in its lines.
std::string with_a_line_moved(std::string_view text, oracle::SplitMix64& random) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  if (lines.empty()) return {};
  const auto at = static_cast<std::ptrdiff_t>(random.below(lines.size()));
  const std::string_view line = lines[static_cast<std::size_t>(at)];
  const std::uint64_t how = random.below(3);
  if (how != 1) lines.erase(lines.begin() + at);
  if (how == 1) lines.insert(lines.begin() + at, line);
  if (how == 2) lines.push_back(line);
  std::string result;
  for (const std::string_view kept : lines) result += kept;
  return result;
}

}  // namespace

std::vector<std::vector<std::uint8_t>> inputs_of_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()}};
}

}  // namespace convproof::fuzz

// Mostly bytes and dictionary words; at times a line, or the text of a fresh operation or call.
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed) {
  using namespace convproof;
  using namespace convproof::fuzz;
  oracle::SplitMix64 random(seed);
  const std::uint64_t kind = target_settings().plain ? 1 : random.below(16);
  if (kind == 0 || size == 0) return put(fresh_text(random.next()), data, max_size);
  if (kind <= 2 && !target_settings().plain) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const std::string changed = with_a_line_moved(text, random);
    if (!changed.empty()) return put(changed, data, max_size);
  }
  return LLVMFuzzerMutate(data, size, max_size);
}
