#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "props/proofs/question.h"
#include "props/proofs/subject.h"

namespace convproof::proofs {

// One bit per sampled operation.
class SampleSet {
 public:
  explicit SampleSet(std::size_t count = 0, bool full = false);

  void insert(std::size_t sample) { words_[sample / 64] |= std::uint64_t{1} << (sample % 64); }
  [[nodiscard]] bool contains(std::size_t sample) const {
    return (words_[sample / 64] >> (sample % 64) & 1U) != 0;
  }
  SampleSet& operator&=(const SampleSet& other);
  SampleSet& operator|=(const SampleSet& other);
  void complement();
  [[nodiscard]] std::size_t size() const;
  // The first members in order, at most `most`.
  [[nodiscard]] std::vector<std::size_t> first(std::size_t most) const;

 private:
  std::size_t count_ = 0;
  std::vector<std::uint64_t> words_{};
};

// An operation for each number; called from several threads.
using SampleSource = std::function<Record(std::size_t sample)>;

// The subject's own.
SampleSource generated_samples(const Subject& subject, std::uint64_t seed);

// Operations with the outcome of every predicate on each: most witnesses come from here, before any
// solver runs. The same source gives the same samples whatever the number of threads.
class Samples {
 public:
  // `observers` are equal, one per thread. Predicate 0 is the domain: samples outside it, or not
  // well formed, are not members of any set.
  Samples(const Subject& subject, std::span<Observer> observers, std::size_t predicates,
          std::size_t count, const SampleSource& source);

  [[nodiscard]] SampleSet matching(const Condition& condition) const;
  [[nodiscard]] const Record& record(std::size_t sample) const { return records_[sample]; }
  [[nodiscard]] std::size_t domain_size() const { return domain_.size(); }
  [[nodiscard]] const SampleSet& domain() const { return domain_; }

 private:
  [[nodiscard]] SampleSet matching(const Literal& literal) const;

  std::vector<Record> records_{};
  SampleSet domain_{};
  std::vector<SampleSet> matched_{};
  std::vector<SampleSet> raised_{};
  std::map<std::pair<std::uint32_t, std::uint32_t>, SampleSet> raised_at_{};
};

// Calls `work(index, thread)` for each index below `count` on `threads` threads.
void for_each_index(std::size_t count, std::size_t threads,
                    const std::function<void(std::size_t index, std::size_t thread)>& work);

}  // namespace convproof::proofs
