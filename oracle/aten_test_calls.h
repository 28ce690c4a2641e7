#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "selector/kernels/inductor/template_configuration.h"
#include "selector/op/aten_call.h"
#include "selector/op/element_type.h"

namespace convproof::oracle {

// A forward call in the default environment with full lists, to be changed by name.
inline AtenCall forward_call(const Shape& input, const Shape& weight) {
  AtenCall call;
  call.convolution.input = input;
  call.convolution.weight = weight;
  const std::size_t dims = weight.size() - 2;
  call.convolution.stride = SpatialList::filled(dims, 1);
  call.convolution.padding = SpatialList::filled(dims, 0);
  call.convolution.dilation = SpatialList::filled(dims, 1);
  call.convolution.output_padding = SpatialList::filled(dims, 0);
  return call;
}

inline AtenCall backward_call(const Shape& input, const Shape& weight) {
  AtenCall call = forward_call(input, weight);
  call.backward = true;
  return call;
}

// The lists that templates are tuned over.
// Source: design sheet of Inductor's convolution lowering, sections C.1 and C.3.
inline constexpr std::array<TemplateConfiguration, 17> convolution_configurations{{
    {64, 256, 16, 2, 4},
    {256, 64, 16, 2, 4},
    {1024, 16, 16, 1, 8},
    {128, 128, 32, 2, 8},
    {64, 64, 32, 2, 4},
    {64, 256, 32, 2, 8},
    {256, 64, 32, 2, 8},
    {128, 128, 64, 3, 8},
    {64, 128, 64, 4, 4},
    {128, 64, 64, 4, 4},
    {256, 128, 64, 2, 8},
    {128, 256, 64, 2, 8},
    {128, 128, 128, 2, 8},
    {128, 128, 128, 3, 8},
    {64, 128, 128, 4, 4},
    {256, 128, 128, 2, 8},
    {128, 256, 128, 2, 8},
}};
inline constexpr std::array<TemplateConfiguration, 15> depthwise_configurations{{
    {16, 32, 32, 4, 8},
    {16, 32, 32, 4, 4},
    {32, 32, 32, 5, 8},
    {32, 32, 32, 4, 4},
    {16, 64, 32, 4, 8},
    {16, 64, 32, 4, 4},
    {32, 64, 32, 3, 8},
    {16, 256, 32, 5, 8},
    {16, 256, 32, 4, 4},
    {32, 256, 32, 3, 8},
    {16, 32, 64, 4, 8},
    {16, 32, 64, 4, 4},
    {16, 64, 64, 3, 8},
    {16, 32, 128, 3, 8},
    {16, 32, 128, 3, 4},
}};

// Blocks clamped to the extents they tile, those out of shared memory dropped, repeats too.
// Source: design sheet of Inductor's convolution lowering, section C.2, steps 1, 2, 4, 6 and 7.
inline std::vector<TemplateConfiguration> clamped_configurations(const AtenCall& call) {
  const AtenConvolution& conv = call.convolution;
  std::int64_t positions = conv.input[0];
  for (std::size_t axis = 2; axis < conv.input.size(); ++axis) positions *= conv.input[axis];
  const auto clamp = [](std::int64_t block, std::int64_t extent) {
    std::int64_t power = extent == 0 ? 0 : 1;
    while (power < extent) power *= 2;
    return std::max<std::int64_t>(16, std::min(block, power));
  };
  std::vector<TemplateConfiguration> result;
  for (TemplateConfiguration configuration : convolution_configurations) {
    configuration.block_m = clamp(configuration.block_m, positions);
    configuration.block_n = clamp(configuration.block_n, conv.weight[0]);
    configuration.block_k = clamp(configuration.block_k, conv.weight[1]);
    const std::int64_t bytes = info(conv.element_type).bytes *
                               (configuration.block_m + configuration.block_n) *
                               configuration.block_k * configuration.num_stages;
    if (call.environment.shared_memory > 0 && bytes + 128 > call.environment.shared_memory)
      continue;
    configuration.num_warps =
        std::min(configuration.num_warps, configuration.block_m * configuration.block_n / 256);
    if (std::ranges::find(result, configuration) == result.end()) result.push_back(configuration);
  }
  return result;
}

}  // namespace convproof::oracle
