#pragma once

#include <algorithm>
#include <cstdint>
#include <expected>

#include "selector/kernels/call_check.h"
#include "selector/kernels/dense_plan.h"
#include "selector/kernels/dense_run.h"
#include "selector/kernels/kernel_table.h"
#include "selector/kernels/layouts.h"
#include "selector/kernels/strided_view.h"

namespace convproof {

// How the dense kernel reads a call: the layouts that its perms stand for, and the problem.
struct DenseCall {
  Perm image_layout{};
  Perm kernel_layout{};
  Perm result_layout{};
  LogicalSizes sizes{};
  bool empty = false;  // the result or an operand has no elements
  DenseProblem problem{};
  DensePlan plan{};
};

// Reads a checked call as the dense kernel does, and checks everything that the kernel refuses.
//
// An unknown image perm is read as fb01 unchecked, and a result's perm in the scatter spelling of
// f01b is taken for f01b. Where operands disagree, the result has the image's batch elements and
// the kernel operand's out features as far as it has room.
std::expected<DenseCall, KernelError> read_dense_call(const KernelCall& call,
                                                      const KernelContext& context);

// Dense convolution, any stride, padding of either sign and rhs dilation. Reads its operands
// through the perms of the call: image bf01, b01f, f01b, or fb01; kernel operand oi01, io01, o01i,
// io10 or i01o; result bf01, 01bf or f01b.
//
// Refuses  other kernel or result perms; a stride other than 1 with bf01 or b01f images
//          (`unsupported perm with strides`); more than 128 input features; on-chip replication to
//          a partition that is no multiple of 32, where the device replicates on chip.
// Ignores  group counts, lhs dilation (and reversal, which no kernel is told of).
// Source   design sheet of the Neuron table, section H.1.
template <class T>
KernelResult conv2d_dw(const KernelCall& call, TensorView<const T> image,
                       TensorView<const T> kernel, TensorView<T> result,
                       const KernelContext& context) {
  if (KernelResult checked = check_call<T>(call, image, kernel, result, context); !checked) {
    return checked;
  }
  const auto dense = read_dense_call(call, context);
  if (!dense) return std::unexpected(dense.error());
  std::ranges::fill(result.elements, T{});
  if (dense->empty) return {};

  AxisSteps image_steps = axis_steps(call.in_shape, dense->image_layout);
  AxisSteps kernel_steps = axis_steps(call.kern_shape, dense->kernel_layout);
  if (context.switches.old_flattening_transpose) {
    // The older kernel moves the first axis of a flattened view last, which leaves (row, column,
    // feature) data in a (feature, row, column) buffer: the data are read as if stored that way.
    const LogicalSizes& sizes = dense->sizes;
    const auto flattened = [](std::int64_t features, std::int64_t rows, std::int64_t columns) {
      return AxisSteps{.first = features * rows * columns,
                       .second = rows * columns,
                       .row = columns,
                       .column = 1};
    };
    if (dense->image_layout == image_layout::b01f) {
      image_steps = flattened(sizes.input_features, sizes.input[0], sizes.input[1]);
    }
    if (dense->kernel_layout == kernel_layout::o01i) {
      kernel_steps = flattened(sizes.kernel_features, sizes.kernel[0], sizes.kernel[1]);
    }
  }
  run_dense<T>(dense->problem, dense->plan, context.device, {image.elements.data(), image_steps},
               {kernel.elements.data(), kernel_steps},
               {result.elements.data(), axis_steps(call.res_shape, dense->result_layout)},
               *context.scratch);
  return {};
}

}  // namespace convproof
