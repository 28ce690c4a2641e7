#pragma once

#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "selector/kernels/kernel_table.h"
#include "selector/lowering/program.h"
#include "selector/lowering/transpose.h"
#include "selector/op/tensor.h"

namespace convproof {

// Looks a lowered kernel up by the name that selection wrote. There is no fallback: a miss is the
// hard error of the production registry, word for word; `registered` are that registry's keys, in
// its order, which hold kernels of other operations too. Source: design sheet, section G.4 and G.5.
template <class T>
std::expected<const KernelEntry<T>*, std::string> find_kernel(
    std::span<const KernelEntry<T>> table, std::string_view name,
    std::span<const std::string> registered) {
  for (const KernelEntry<T>& entry : table) {
    if (entry.name == name) return &entry;
  }
  std::string available;
  for (const std::string& key : registered)
    available += (available.empty() ? "'" : ", '") + key + "'";
  return std::unexpected("Internal NKI kernel '" + std::string(name) +
                         "' is not registered. Available kernels: dict_keys([" + available + "])");
}

// Runs a lowered program: bridges the operands, calls the kernel, bridges its result back. The
// operands have the shapes of the operation the program was lowered from, `result` its result
// shape. No allocation outside `context.scratch`, which must not be null.
template <class T>
KernelResult execute(const Program& program, const KernelEntry<T>& kernel,
                     TensorView<const T> image, TensorView<const T> weights, TensorView<T> result,
                     const KernelContext& context) {
  const Arena::Scope scope(*context.scratch);
  const KernelCall& call = program.kernel.call;
  const auto bridged = [&](TensorView<const T> operand, const std::optional<Perm>& bridge,
                           const Shape& shape) -> TensorView<const T> {
    if (!bridge) return operand;
    const TensorView<T> moved{context.scratch->zeroed<T>(element_count(shape)), shape};
    transpose(operand, *bridge, moved);
    return moved;
  };
  const TensorView<const T> call_image = bridged(image, program.in_bridge, call.in_shape);
  const TensorView<const T> call_weights = bridged(weights, program.kern_bridge, call.kern_shape);
  if (!program.out_bridge) return kernel.run(call, call_image, call_weights, result, context);
  const TensorView<T> call_result{context.scratch->zeroed<T>(element_count(call.res_shape)),
                                  call.res_shape};
  if (auto ran = kernel.run(call, call_image, call_weights, call_result, context); !ran) return ran;
  transpose(TensorView<const T>(call_result), *program.out_bridge, result);
  return {};
}

}  // namespace convproof
