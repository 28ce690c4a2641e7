#include <cstdint>
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

#include "selector/kernels/kernel_test_problem.h"
#include "selector/kernels/layouts.h"

// Small ops of the size that fuzzers run, one a kernel.
namespace convproof::kernel_test {
namespace {

const Layouts plain{image_layout::bf01, kernel_layout::oi01, image_layout::bf01};
const Layouts gradient{image_layout::fb01, kernel_layout::io01, image_layout::zero_1bf};

void measure(benchmark::State& state, std::string_view name, const ConvOp& op) {
  std::mt19937_64 random(1);
  const Operands operands = random_operands(op, random);
  std::vector<std::int64_t> result(static_cast<std::size_t>(element_count(op.res_shape)));
  Arena arena;
  const KernelCall call = call_of(op);
  const Kernel<std::int64_t> kernel = kernel_named<std::int64_t>(name);
  for (auto _ : state) {
    const KernelResult outcome =
        kernel(call, {operands.image, op.in_shape}, {operands.kernel, op.kern_shape},
               {result, op.res_shape}, {.switches = {.mend_last_tile = true}, .scratch = &arena});
    if (!outcome) state.SkipWithError("refused");
    benchmark::DoNotOptimize(result.data());
  }
  state.counters["multiply_adds"] = static_cast<double>(multiply_adds(op));
}

const WindowDim same{.pad_low = 1, .pad_high = 1};

BENCHMARK_CAPTURE(measure, dense, dense, make_op(gradient, {2, 3, 5, 5}, 4, 3, 3, same, same));
BENCHMARK_CAPTURE(measure, dense_dilated, dense,
                  make_op(gradient, {2, 3, 7, 7}, 4, 3, 3, {.rhs_dilation = 2},
                          {.rhs_dilation = 2}));
BENCHMARK_CAPTURE(measure, conv1d, conv1d,
                  make_op(plain, {2, 4, 1, 9}, 4, 1, 4, {}, {.pad_low = 3}, 4));
BENCHMARK_CAPTURE(measure, column_packing, column_packing,
                  make_op(gradient, {4, 2, 5, 5}, 4, 5, 5, same, same, 1, 4));
BENCHMARK_CAPTURE(measure, column_packing_1, column_packing_1,
                  make_op(plain, {1, 4, 8, 8}, 4, 3, 3, {.stride = 3}, {.stride = 3}, 4));
BENCHMARK_CAPTURE(measure, depthwise, depthwise,
                  make_op({image_layout::f01b, kernel_layout::o01i, image_layout::bf01},
                          {2, 4, 5, 5}, 4, 3, 3, same, same, 4));
BENCHMARK_CAPTURE(measure, pbp_0f1b, pbp_0f1b,
                  make_op({image_layout::zero_f1b, kernel_layout::zero_i1o, image_layout::zero_1fb},
                          {2, 3, 5, 5}, 4, 3, 3, same, same));
BENCHMARK_CAPTURE(measure, pbp_fb01, pbp_fb01,
                  make_op(gradient, {2, 3, 5, 5}, 4, 3, 3, same, same));

}  // namespace
}  // namespace convproof::kernel_test
