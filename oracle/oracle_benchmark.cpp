#include <cstdint>

#include <benchmark/benchmark.h>

#include "oracle/arbitrary_conv_op.h"
#include "oracle/convolution.h"
#include "oracle/fill.h"
#include "oracle/prime_field.h"
#include "oracle/random.h"
#include "oracle/scatter_convolution.h"
#include "oracle/tensor.h"

namespace convproof::oracle {
namespace {

// A 3x3 dense convolution of 432 multiply-adds per four positions.
ConvOp small_op() {
  ConvOp op{
      .in_shape = {1, 3, 4, 4}, .kern_shape = {4, 3, 3, 3}, .window = {WindowDim{}, WindowDim{}}};
  op.in_perm = op.kern_perm = op.out_perm = identity_perm(4);
  op.res_shape = infer_result_shape(op);
  return op;
}

template <class T, bool scatter>
void reference(benchmark::State& state) {
  const ConvOp op = small_op();
  auto image = zeros<T>(op.in_shape);
  auto kernel = zeros<T>(op.kern_shape);
  auto result = zeros<T>(op.res_shape);
  SplitMix64 random(1);
  fill_exact<T>(op, random, image.elements, kernel.elements);
  for (auto _ : state) {
    if constexpr (scatter) {
      scatter_convolve(op, image.view(), kernel.view(), result.view());
    } else {
      convolve(op, image.view(), kernel.view(), result.view());
    }
    benchmark::DoNotOptimize(result.elements.data());
  }
  state.counters["multiply_adds"] = static_cast<double>(multiply_adds(op));
}
BENCHMARK(reference<Field61, false>)->Name("gather/field");
BENCHMARK(reference<float, false>)->Name("gather/float");
BENCHMARK(reference<Field61, true>)->Name("scatter/field");

void generate(benchmark::State& state) {
  std::uint64_t seed = 0;
  for (auto _ : state) {
    SplitMixDraw draw(++seed);
    benchmark::DoNotOptimize(arbitrary_conv_op(draw));
  }
}
BENCHMARK(generate);

void fill_field(benchmark::State& state) {
  auto tensor = zeros<Field61>({256});
  SplitMix64 random(1);
  for (auto _ : state) {
    fill_uniform(random, tensor.elements);
    benchmark::DoNotOptimize(tensor.elements.data());
  }
}
BENCHMARK(fill_field)->Name("fill_uniform/256");

}  // namespace
}  // namespace convproof::oracle
