#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "selector/op/aten_call.h"
#include "selector/op/element_type.h"
#include "selector/op/perm.h"

namespace convproof {

// The arguments of a call for tests, as the design sheet of Inductor's convolution lowering writes
// them (section G and its defaults): lists of one number stand for all dimensions.
struct TestCall {
  Shape x{};
  Shape w{};
  SpatialList s{1};
  SpatialList p{0};
  SpatialList d{1};
  SpatialList op{0};
  std::int64_t groups = 1;
  bool transposed = false;
  bool bias = false;
  ElementType type = ElementType::f16;
  bool channels_last = false;
  bool short_lists = false;  // keep lists of one number as they are
  AtenEnvironment environment{};
};

inline AtenCall forward_call(const TestCall& test) {
  const auto full = [&](const SpatialList& list) {
    return list.size() == 1 && !test.short_lists ? SpatialList::filled(test.w.size() - 2, list[0])
                                                 : list;
  };
  AtenCall call{
      .convolution = {.input = test.x,
                      .weight = test.w,
                      .stride = full(test.s),
                      .padding = full(test.p),
                      .dilation = full(test.d),
                      .output_padding = full(test.op),
                      .transposed = test.transposed,
                      .groups = test.groups,
                      .element_type = test.type},
      .weight_element_type = test.type,
      .input_format = test.channels_last ? MemoryFormat::channels_last : MemoryFormat::contiguous,
      .environment = test.environment};
  if (test.bias) call.convolution.bias = test.transposed ? test.w[1] * test.groups : test.w[0];
  if (test.channels_last) call.environment.predicted_channels_last = true;
  return call;
}

inline AtenCall backward_call(const TestCall& test, std::array<bool, 3> mask,
                              bool bias_sizes = false) {
  AtenCall call = forward_call(test);
  call.backward = true;
  call.output_mask = mask;
  call.bias_sizes = bias_sizes;
  return call;
}

}  // namespace convproof
