// Candidates of small generated calls, checked as a campaign does: every configuration of a call in
// turn.
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include <benchmark/benchmark.h>

#include "oracle/arbitrary_aten_call.h"
#include "oracle/aten_check.h"
#include "oracle/aten_test_calls.h"
#include "oracle/draw.h"
#include "selector/kernels/inductor/aten_geometry.h"

namespace convproof::oracle {
namespace {

struct Work {
  AtenCall call{};
  std::string_view kernel{};
  std::vector<TemplateConfiguration> configurations{};
};

std::vector<Work> corpus(bool backward) {
  std::vector<Work> work;
  for (std::uint64_t seed = 1; seed <= 4096; ++seed) {
    SplitMixDraw draw(seed);
    const AtenCall call = candidate_call(arbitrary_aten_call(draw, {.backward = backward}));
    const auto geometry = *aten_geometry(call.convolution);
    if (backward) {
      work.push_back({call, "aten_convolution_backward", {{}}});
      if (geometry.transposed || geometry.dims != 2) continue;
      work.push_back({call, "convolution_backward_weight", clamped_configurations(call)});
      work.push_back({call, "convolution_backward_input", clamped_configurations(call)});
      continue;
    }
    work.push_back({call, "aten_convolution", {{}}});
    if (geometry.transposed) continue;
    if (geometry.dims == 1 && geometry.groups > 1 && geometry.weight_columns == 1) {
      work.push_back({call,
                      "depthwise_conv1d",
                      {depthwise_configurations.begin(), depthwise_configurations.end()}});
    }
    if (geometry.dims == 1) continue;
    work.push_back({call, geometry.dims == 2 ? "convolution2d" : "convolution3d",
                    clamped_configurations(call)});
  }
  return work;
}

void candidates(benchmark::State& state, bool backward) {
  const std::vector<Work> work = corpus(backward);
  AtenChecker checker;
  std::size_t next = 0;
  std::int64_t checked = 0;
  for (auto _ : state) {
    const Work& item = work[next];
    for (const TemplateConfiguration& configuration : item.configurations) {
      benchmark::DoNotOptimize(checker.check(item.call, item.kernel, configuration, 1).value);
    }
    checked += static_cast<std::int64_t>(item.configurations.size());
    next = (next + 1) % work.size();
  }
  state.counters["candidates_per_second"] =
      benchmark::Counter(static_cast<double>(checked), benchmark::Counter::kIsRate);
}

// A call of its own for every candidate: nothing is shared.
void alone(benchmark::State& state) {
  const std::vector<Work> work = corpus(false);
  AtenChecker checker;
  std::size_t next = 0;
  std::uint64_t seed = 1;
  for (auto _ : state) {
    const Work& item = work[next];
    if (!item.configurations.empty()) {
      benchmark::DoNotOptimize(
          checker.check(item.call, item.kernel, item.configurations[0], seed++).value);
    }
    next = (next + 1) % work.size();
  }
  state.counters["candidates_per_second"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

BENCHMARK_CAPTURE(candidates, forward, false);
BENCHMARK_CAPTURE(candidates, backward, true);
BENCHMARK(alone);

}  // namespace
}  // namespace convproof::oracle
