#include "props/proofs/samples.h"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <span>
#include <thread>
#include <utility>
#include <vector>

namespace convproof::proofs {
namespace {

constexpr std::size_t word_bits = 64;
constexpr std::size_t block = 16 * word_bits;  // samples per piece of work: no two share a word

}  // namespace

SampleSet::SampleSet(std::size_t count, bool full)
    : count_(count), words_((count + word_bits - 1) / word_bits, 0) {
  if (full) complement();
}

SampleSet& SampleSet::operator&=(const SampleSet& other) {
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] &= other.words_[i];
  return *this;
}

SampleSet& SampleSet::operator|=(const SampleSet& other) {
  for (std::size_t i = 0; i < words_.size(); ++i) words_[i] |= other.words_[i];
  return *this;
}

void SampleSet::complement() {
  for (std::uint64_t& word : words_) word = ~word;
  if (count_ % word_bits != 0) words_.back() &= (std::uint64_t{1} << (count_ % word_bits)) - 1;
}

std::size_t SampleSet::size() const {
  std::size_t count = 0;
  for (const std::uint64_t word : words_) count += static_cast<std::size_t>(std::popcount(word));
  return count;
}

std::vector<std::size_t> SampleSet::first(std::size_t most) const {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < words_.size() && found.size() < most; ++i) {
    for (std::uint64_t word = words_[i]; word != 0 && found.size() < most; word &= word - 1) {
      found.push_back(i * word_bits + static_cast<std::size_t>(std::countr_zero(word)));
    }
  }
  return found;
}

void for_each_index(std::size_t count, std::size_t threads,
                    const std::function<void(std::size_t, std::size_t)>& work) {
  std::atomic<std::size_t> next = 0;
  const auto run = [&](std::size_t thread) {
    for (std::size_t index = next++; index < count; index = next++) work(index, thread);
  };
  std::vector<std::jthread> others;
  for (std::size_t thread = 1; thread < threads; ++thread) others.emplace_back(run, thread);
  run(0);
}

SampleSource generated_samples(const Subject& subject, std::uint64_t seed) {
  return [&subject, seed](std::size_t sample) { return subject.sample(seed, sample); };
}

Samples::Samples(const Subject& subject, std::span<Observer> observers, std::size_t predicates,
                 std::size_t count, const SampleSource& source)
    : records_(count),
      domain_(count),
      matched_(predicates, SampleSet(count)),
      raised_(predicates, SampleSet(count)) {
  std::mutex mutex;
  const std::size_t blocks = (count + block - 1) / block;
  for_each_index(blocks, observers.size(), [&](std::size_t index, std::size_t thread) {
    Observer& observer = observers[thread];
    for (std::size_t sample = index * block; sample < std::min(count, (index + 1) * block);
         ++sample) {
      records_[sample] = source(sample);
      observer.read(records_[sample]);
      if (!observer.holds(matches(0)) || !subject.well_formed(records_[sample])) continue;
      domain_.insert(sample);
      for (std::uint32_t predicate = 0; predicate < predicates; ++predicate) {
        const PredicateOutcome outcome = observer.outcome(predicate);
        if (outcome.kind == PredicateOutcome::Kind::matched) matched_[predicate].insert(sample);
        if (outcome.kind != PredicateOutcome::Kind::raised) continue;
        raised_[predicate].insert(sample);
        const std::scoped_lock lock(mutex);
        raised_at_.try_emplace({predicate, outcome.clause}, SampleSet(count))
            .first->second.insert(sample);
      }
    }
  });
}

SampleSet Samples::matching(const Literal& literal) const {
  SampleSet set = matched_[literal.predicate];
  switch (literal.outcome) {
    case Literal::Outcome::matched:
      break;
    case Literal::Outcome::passed:
      set |= raised_[literal.predicate];
      set.complement();
      break;
    case Literal::Outcome::raised:
      set = raised_[literal.predicate];
      if (literal.clause) {
        const auto at = raised_at_.find({literal.predicate, *literal.clause});
        set = at == raised_at_.end() ? SampleSet(records_.size()) : at->second;
      }
      break;
  }
  if (!literal.holds) set.complement();
  return set;
}

SampleSet Samples::matching(const Condition& condition) const {
  SampleSet members = domain_;
  for (const std::vector<Literal>& any : condition.all) {
    SampleSet one(records_.size());
    for (const Literal& literal : any) one |= matching(literal);
    members &= one;
  }
  return members;
}

}  // namespace convproof::proofs
