// The `main` of a fuzz target without libFuzzer: runs the inputs of files and folders, then random
// ones from the target's own mutator.
//
//   fuzz_lower [--runs N] [--seed S] [FILE|FOLDER...]
//
// Exits with 1 at the first finding, 2 where an argument is wrong.

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "fuzz/targets/target.h"
#include "oracle/random.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);
extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t max_size, unsigned seed);

namespace {

namespace fs = std::filesystem;
using convproof::oracle::SplitMix64;
using Input = std::vector<std::uint8_t>;

constexpr std::size_t max_input = 1 << 16;

SplitMix64 mutate_random(1);

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::vector<fs::path> files_below(const fs::path& path) {
  std::vector<fs::path> files;
  if (!fs::is_directory(path)) return {path};
  for (const auto& entry : fs::recursive_directory_iterator(path)) {
    if (entry.is_regular_file()) files.push_back(entry.path());
  }
  std::ranges::sort(files);
  return files;
}

void run_random(std::uint64_t runs, std::uint64_t seed, std::vector<Input> inputs) {
  SplitMix64 random(seed);
  mutate_random = SplitMix64(seed);
  if (inputs.empty()) inputs.emplace_back();
  constexpr std::size_t most_kept = 4096;
  for (std::uint64_t run = 0; run < runs; ++run) {
    const std::size_t from = random.below(inputs.size());
    Input input = inputs[from];
    const std::size_t size = input.size();
    input.resize(max_input);
    input.resize(LLVMFuzzerCustomMutator(input.data(), size, max_input,
                                         static_cast<unsigned>(random.next())));
    LLVMFuzzerTestOneInput(input.data(), input.size());
    // A walk without feedback: every input may be a parent.
    if (inputs.size() < most_kept) {
      inputs.push_back(std::move(input));
    } else {
      inputs[random.below(most_kept)] = std::move(input);
    }
  }
}

}  // namespace

// Flips, inserts, erases or copies a few bytes.
extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size,
                                        std::size_t max_size) {
  const std::uint64_t kind = mutate_random.below(4);
  if (size == 0 || (kind == 1 && size < max_size)) {
    const std::size_t at = size == 0 ? 0 : mutate_random.below(size);
    std::copy_backward(data + at, data + size, data + size + 1);
    data[at] = static_cast<std::uint8_t>(mutate_random.next());
    return size + 1;
  }
  const std::size_t at = mutate_random.below(size);
  if (kind == 2) {
    std::copy(data + at + 1, data + size, data + at);
    return size - 1;
  }
  if (kind == 3) {
    data[at] = data[mutate_random.below(size)];
  } else {
    data[at] = static_cast<std::uint8_t>(data[at] ^ (1U << mutate_random.below(8)));
  }
  return size;
}

int main(int argc, char** argv) {
  std::uint64_t runs = 0;
  std::uint64_t seed = 1;
  std::vector<Input> inputs;
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument == "--runs" || argument == "--seed") {
      const auto value = i + 1 < argc ? number(argv[i + 1]) : std::nullopt;
      if (!value) {
        std::fprintf(stderr, "%s: needs a number\n", argv[i]);
        return 2;
      }
      (argument == "--runs" ? runs : seed) = *value;
      ++i;
      continue;
    }
    if (!fs::exists(argument)) {
      std::fprintf(stderr, "%s: does not exist\n", argv[i]);
      return 2;
    }
    for (const fs::path& path : files_below(argument)) {
      for (Input& input : convproof::fuzz::inputs_of_file(path)) inputs.push_back(std::move(input));
    }
  }
  for (const Input& input : inputs) LLVMFuzzerTestOneInput(input.data(), input.size());
  run_random(runs, seed, std::move(inputs));
  return 0;
}
