// The whole check on small generated convolutions, and its parts beside it.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <benchmark/benchmark.h>

#include "oracle/arbitrary_conv_op.h"
#include "oracle/check.h"
#include "oracle/draw.h"
#include "selector/registry/conv_subject.h"
#include "selector/registry/registry.h"

namespace convproof::oracle {
namespace {

std::vector<ConvOp> corpus() {
  std::vector<ConvOp> ops;
  for (std::uint64_t seed = 1; seed <= 4096; ++seed) {
    SplitMixDraw draw(seed);
    ops.push_back(arbitrary_conv_op(draw));
  }
  return ops;
}

template <class Work>
void over_corpus(benchmark::State& state, const Work& work) {
  const std::vector<ConvOp> ops = corpus();
  std::size_t next = 0;
  for (auto _ : state) {
    benchmark::DoNotOptimize(work(ops[next]));
    next = (next + 1) % ops.size();
  }
  state.counters["per_second"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

void validate_only(benchmark::State& state) {
  over_corpus(state, [](const ConvOp& op) { return validate(op).has_value(); });
}

void select_only(benchmark::State& state) {
  const Registry registry = find_registry("neuron").value();
  Matcher matcher = Matcher::compile(registry).value();
  over_corpus(state, [&](const ConvOp& op) { return matcher.select(op).row; });
}

void whole_check(benchmark::State& state) {
  const Registry registry = find_registry("neuron").value();
  Checker checker = Checker::create(registry).value();
  over_corpus(state, [&](const ConvOp& op) { return checker.check(op, 1).value; });
}

BENCHMARK(validate_only);
BENCHMARK(select_only);
BENCHMARK(whole_check);

}  // namespace
}  // namespace convproof::oracle
