#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "oracle/draw.h"

namespace convproof::fuzz {

// Choices from a fuzzer's bytes: as few bytes per choice as its range needs, little end first, and
// `low` once they run out. A source for oracle::Draw.
class ByteDraw {
 public:
  explicit ByteDraw(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::int64_t between(std::int64_t low, std::int64_t high) {
    const std::uint64_t range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    std::uint64_t value = 0;
    for (std::uint64_t left = range, shift = 0; left != 0; left >>= 8, shift += 8) {
      if (next_ == bytes_.size()) return low;
      value |= std::uint64_t{bytes_[next_++]} << shift;
    }
    if (range != ~std::uint64_t{0}) value %= range + 1;
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(low) + value);
  }

 private:
  std::span<const std::uint8_t> bytes_;
  std::size_t next_ = 0;
};

// Choices from a seed, kept as the bytes from which a ByteDraw makes the same choices.
class RecordingDraw {
 public:
  explicit RecordingDraw(std::uint64_t seed) : random_(seed) {}

  std::int64_t between(std::int64_t low, std::int64_t high) {
    const std::int64_t choice = random_.between(low, high);
    std::uint64_t value = static_cast<std::uint64_t>(choice) - static_cast<std::uint64_t>(low);
    const std::uint64_t range = static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low);
    for (std::uint64_t left = range; left != 0; left >>= 8, value >>= 8) {
      bytes_.push_back(static_cast<std::uint8_t>(value & 0xff));
    }
    return choice;
  }

  [[nodiscard]] std::span<const std::uint8_t> bytes() const { return bytes_; }

 private:
  oracle::SplitMixDraw random_;
  std::vector<std::uint8_t> bytes_{};
};

}  // namespace convproof::fuzz
