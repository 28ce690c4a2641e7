#pragma once

#include <cassert>
#include <cstdint>

namespace convproof::oracle {

// The SplitMix64 generator of Steele, Lea and Flood: one word of state, every seed good, the same
// sequence on every platform. Not for secrets.
class SplitMix64 {
 public:
  constexpr explicit SplitMix64(std::uint64_t seed) : state_(seed) {}

  constexpr std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t word = state_;
    word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9U;
    word = (word ^ (word >> 27)) * 0x94d049bb133111ebU;
    return word ^ (word >> 31);
  }

  // In [0, bound), bound at least 1; the bias is below bound / 2^64.
  constexpr std::uint64_t below(std::uint64_t bound) {
    assert(bound >= 1);
    return static_cast<std::uint64_t>((static_cast<Product>(next()) * bound) >> 64);
  }

  // In [low, high], both ends included. `high - low` must be below 2^63.
  constexpr std::int64_t between(std::int64_t low, std::int64_t high) {
    assert(low <= high);
    return low + static_cast<std::int64_t>(below(static_cast<std::uint64_t>(high - low) + 1));
  }

 private:
  __extension__ using Product = unsigned __int128;

  std::uint64_t state_;
};

}  // namespace convproof::oracle
