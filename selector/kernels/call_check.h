#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string_view>

#include "selector/kernels/kernel_call.h"
#include "selector/kernels/kernel_error.h"
#include "selector/kernels/kernel_table.h"
#include "selector/op/conv_op.h"
#include "selector/op/perm.h"
#include "selector/op/tensor.h"

namespace convproof {

// What must hold before a kernel may look at its operands: two spatial dimensions, perms that are
// permutations, every number within the limits of conv_op.h, operands as large as their shapes say,
// device limits of at least 1, and scratch memory.
KernelResult check_call(const KernelCall& call, std::size_t image_elements,
                        std::size_t kernel_elements, std::size_t result_elements,
                        const KernelContext& context);

template <class T>
KernelResult check_call(const KernelCall& call, const TensorView<const T>& image,
                        const TensorView<const T>& kernel, const TensorView<T>& result,
                        const KernelContext& context) {
  return check_call(call, image.elements.size(), kernel.elements.size(), result.elements.size(),
                    context);
}

// The logical extents of a checked call, where its tensors are stored in the given layouts. Most
// kernels read the layouts of their name, whatever perms the call carries.
LogicalSizes sizes_in_layouts(const KernelCall& call, const Perm& image, const Perm& kernel,
                              const Perm& result);

// Some extent is 0.
constexpr bool is_empty(const Shape& shape) { return element_count(shape) == 0; }

// A refusal for the reason that `value` breaks `rule`.
constexpr std::unexpected<KernelError> refuse(KernelFault fault, std::string_view rule,
                                              std::int64_t value, std::int64_t limit) {
  return std::unexpected(KernelError{.fault = fault, .rule = rule, .value = value, .limit = limit});
}

}  // namespace convproof
