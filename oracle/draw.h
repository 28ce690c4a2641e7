#pragma once

#include <concepts>
#include <cstdint>

#include "oracle/random.h"

namespace convproof::oracle {

// A source of choices. `between` is inclusive at both ends, and a source that shrinks shrinks
// towards `low`: generators put what is simplest there.
template <class Source>
concept DrawSource = requires(Source& source, std::int64_t bound) {
  { source.between(bound, bound) } -> std::same_as<std::int64_t>;
};

// A borrowed source of any type, so that generators are compiled once.
class Draw {
 public:
  template <DrawSource Source>
    requires(!std::same_as<Source, Draw>)
  Draw(Source& source)
      : source_(&source), between_([](void* erased, std::int64_t low, std::int64_t high) {
          return static_cast<Source*>(erased)->between(low, high);
        }) {}

  std::int64_t between(std::int64_t low, std::int64_t high) { return between_(source_, low, high); }

  // True once in `times`, on the last of the values drawn.
  bool once_in(std::int64_t times) { return between(0, times - 1) == times - 1; }

 private:
  void* source_;
  std::int64_t (*between_)(void*, std::int64_t, std::int64_t);
};

// Choices from a seed.
class SplitMixDraw {
 public:
  explicit SplitMixDraw(std::uint64_t seed) : random_(seed) {}
  std::int64_t between(std::int64_t low, std::int64_t high) { return random_.between(low, high); }

 private:
  SplitMix64 random_;
};

}  // namespace convproof::oracle
