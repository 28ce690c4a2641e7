#pragma once

#include <span>
#include <string_view>

#include "selector/kernels/arena.h"
#include "selector/kernels/device.h"
#include "selector/kernels/kernel_call.h"
#include "selector/kernels/kernel_error.h"
#include "selector/op/tensor.h"

namespace convproof {

// Switches of a kernel set that turn on limits only the older kernel generation had, or mend a
// defect of the documented kernels. Source: design decisions, Neuron table, items 12 and 13.
struct KernelSwitches {
  bool mend_last_tile = false;        // 2-D depthwise: load every row that the window needs
  bool old_channel_tail = false;      // conv1d: no mask on a partial tile of 128 channels
  bool old_trailing_extents = false;  // dense, conv1d: two trailing extents of 1 are refused
  bool old_flattening_transpose =
      false;  // dense: b01f images and o01i kernels are flattened wrongly

  bool operator==(const KernelSwitches&) const = default;
};

// Where a kernel runs: the device's limits, the kernel set's switches, and scratch memory.
struct KernelContext {
  Device device{};
  KernelSwitches switches{};
  Arena* scratch = nullptr;
};

// A leaf kernel over one scalar type. `image`, `kernel` and `result` have the shapes of the call;
// the result's elements are all written, or an error comes back and they are unspecified.
// Never reads or writes out of bounds, whatever the call says.
template <class T>
using Kernel = KernelResult (*)(const KernelCall& call, TensorView<const T> image,
                                TensorView<const T> kernel, TensorView<T> result,
                                const KernelContext& context);

template <class T>
struct KernelEntry {
  std::string_view name;  // the name that a table's rows carry: the look-up key, case matters
  std::string_view leaf;  // the leaf function's own name
  Kernel<T> run = nullptr;
};

// The eight convolution kernels of the Neuron compiler, in the order of its internal registry.
// Defined in neuron_kernels.h for any scalar. Source: design sheet, section G.5.
template <class T>
std::span<const KernelEntry<T>> neuron_kernels();

}  // namespace convproof
