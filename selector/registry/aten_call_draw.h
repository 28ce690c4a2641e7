#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <random>

#include "selector/op/aten_call.h"
#include "selector/op/element_type.h"

namespace convproof {

// Draws calls that reach every row, with extents beside every limit; not every one is valid.
class CallDraw {
 public:
  explicit CallDraw(std::uint64_t seed) : engine_(seed) {}

  AtenCall draw(bool backward) {
    AtenCall call;
    AtenConvolution& convolution = call.convolution;
    call.backward = backward;
    const std::int64_t dims = once_in(3) ? between(1, 3) : 2;
    convolution.transposed = once_in(6);
    convolution.groups = once_in(2) ? 1 : extent(65536);
    const std::int64_t rows = convolution.groups * (once_in(3) ? 1 : extent(1048561));
    const std::int64_t columns = once_in(3) ? 1 : once_in(20) ? 0 : extent(514);
    convolution.weight = {rows, columns};
    convolution.input = {once_in(20) ? 0 : extent(2049),
                         convolution.transposed ? rows : columns * convolution.groups};
    for (std::int64_t axis = 0; axis < dims; ++axis) {
      convolution.input.push_back(extent(dims == 1 ? 2097121 : 2048));
      convolution.weight.push_back(once_in(2) ? 1 : between(1, 4));
      convolution.stride.push_back(once_in(2) ? 1 : between(1, 3));
      convolution.padding.push_back(once_in(2) ? 0 : between(0, 3));
      convolution.dilation.push_back(once_in(4) ? between(1, 3) : 1);
      convolution.output_padding.push_back(once_in(8) ? 1 : 0);
    }
    constexpr std::array types{ElementType::f16, ElementType::f32, ElementType::bf16,
                               ElementType::f64};
    convolution.element_type = types[static_cast<std::size_t>(between(0, once_in(4) ? 3 : 1))];
    call.weight_element_type = once_in(8) ? ElementType::f32 : convolution.element_type;
    if (!backward && once_in(3)) {
      convolution.bias = convolution.transposed ? columns * convolution.groups : rows;
      call.weight_element_type = convolution.element_type;
    }
    call.input_packed = !once_in(6);
    for (bool& wanted : call.output_mask) wanted = !once_in(3);
    call.bias_sizes = once_in(2);
    environment(call, dims);
    return call;
  }

 private:
  bool once_in(std::int64_t n) { return between(1, n) == 1; }
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(engine_);
  }
  // Small, or rarely around `edge`.
  std::int64_t extent(std::int64_t edge) {
    return once_in(8) ? between(edge - 1, edge + 1) : between(1, 40);
  }

  void environment(AtenCall& call, std::int64_t dims) {
    AtenEnvironment& environment = call.environment;
    for (const AtenFlag& flag : aten_flags) {
      if (once_in(5)) environment.*flag.flag = !(environment.*flag.flag);
    }
    environment.weight_triton = !once_in(4);
    environment.input_triton = !once_in(4);
    environment.device = once_in(3) ? static_cast<AtenDevice>(between(0, 3)) : AtenDevice::cuda;
    environment.hip = environment.device == AtenDevice::cuda && once_in(4);
    if (environment.hip) environment.conv_ck = environment.ck_usable = true;
    environment.predicted_channels_last = dims == 2 && environment.predicted_channels_last;
    constexpr std::array<std::int64_t, 4> sizes{232448, 166912, 65536, 49152};
    environment.shared_memory = sizes[static_cast<std::size_t>(between(0, 3))];
  }

  std::mt19937_64 engine_;
};

}  // namespace convproof
