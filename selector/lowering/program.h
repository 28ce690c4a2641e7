#pragma once

#include <expected>
#include <optional>
#include <string_view>

#include "selector/kernels/kernel_call.h"
#include "selector/lowering/lowering_rule.h"
#include "selector/op/conv_op.h"
#include "selector/op/error.h"

namespace convproof {

// The macro operation that replaces a convolution: the kernel's name and its attributes. They stay
// a struct until somebody reads them (attributes_text). Source: design sheet, section G.3.
struct NativeKernel {
  std::string_view func_name{};  // borrowed from the row
  Marshaller marshaller = Marshaller::kernel_attr;
  KernelCall call{};

  bool operator==(const NativeKernel&) const = default;
};

// A lowered convolution: up to three transposes around one kernel. A bridge that is absent was not
// inserted; one that is present may be the identity, where a row forces it.
struct Program {
  std::optional<Perm> in_bridge{};    // of the stored image, before the kernel
  std::optional<Perm> kern_bridge{};  // of the stored kernel operand, before the kernel
  std::optional<Perm> out_bridge{};   // of the kernel's result, after it
  NativeKernel kernel{};

  [[nodiscard]] int transposes() const {
    return int{in_bridge.has_value()} + int{kern_bridge.has_value()} + int{out_bridge.has_value()};
  }
  bool operator==(const Program&) const = default;
};

// Lowers `op` to the kernel of the given name. The op has `check_structure`; its rank is that of
// the rule's layouts. Fails where the marshaller cannot express the op.
std::expected<Program, Error> lower(const ConvOp& op, std::string_view func_name,
                                    const LoweringRule& rule);

}  // namespace convproof
