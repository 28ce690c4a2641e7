#include "selector/lowering/program.h"

#include <cstddef>
#include <expected>
#include <optional>
#include <string_view>

#include <fmt/format.h>

namespace convproof {
namespace {

// One bridge helper: a transpose, unless it would be the identity and is not forced.
std::optional<Perm> bridge(const Perm& perm, bool force) {
  if (is_identity(perm) && !force) return std::nullopt;
  return perm;
}

KernelCall bridged_call(const ConvOp& op, const Perm& in, const Perm& kern, const Perm& out) {
  KernelCall call{
      .in_perm = in,
      .kern_perm = kern,
      .out_perm = out,
      .in_shape = apply_dims(op.in_shape, input_bridge(op.in_perm, in)),
      .kern_shape = apply_dims(op.kern_shape, input_bridge(op.kern_perm, kern)),
      .res_shape = apply_dims(op.res_shape, input_bridge(op.out_perm, out)),
      .batch_group_count = op.batch_group_count,
      .feature_group_count = op.feature_group_count,
      .element_type = op.element_type,
  };
  for (const WindowDim& dim : op.window) {
    call.stride.push_back(dim.stride);
    call.padding.push_back({dim.pad_low, dim.pad_high});
    call.rhs_dilation.push_back(dim.rhs_dilation);
    call.lhs_dilation.push_back(dim.lhs_dilation);
  }
  return call;
}

}  // namespace

std::expected<Program, Error> lower(const ConvOp& op, std::string_view func_name,
                                    const LoweringRule& rule) {
  const Perm& in = rule.layout.in ? *rule.layout.in : op.in_perm;
  const Perm& kern = rule.layout.kern ? *rule.layout.kern : op.kern_perm;
  const Perm& out = rule.layout.out ? *rule.layout.out : op.out_perm;
  if (in.size() != op.in_perm.size() || kern.size() != in.size() || out.size() != in.size()) {
    return std::unexpected(
        Error{"layout", to_string(in),
              fmt::format("has {} axes, the operation has {}", in.size(), op.in_perm.size())});
  }
  if (rule.marshaller == Marshaller::kernel_attr_same_hl_pad) {
    for (std::size_t axis = 0; axis < op.window.size(); ++axis) {
      const WindowDim& dim = op.window[axis];
      if (dim.pad_low != dim.pad_high) {
        return std::unexpected(Error{fmt::format("window[{}].padding", axis),
                                     fmt::format("[{}, {}]", dim.pad_low, dim.pad_high),
                                     "low and high must be equal for this kernel's attributes"});
      }
    }
  }
  Program program{.kernel = {.func_name = func_name,
                             .marshaller = rule.marshaller,
                             .call = bridged_call(op, in, kern, out)}};
  const bool all_equal = in == op.in_perm && kern == op.kern_perm && out == op.out_perm;
  if (rule.insert_transpose || !all_equal) {
    const bool force = rule.force_insert_transpose;
    program.in_bridge = bridge(input_bridge(op.in_perm, in), force);
    program.kern_bridge = bridge(input_bridge(op.kern_perm, kern), force);
    program.out_bridge = bridge(output_bridge(op.out_perm, out), force);
  }
  return program;
}

}  // namespace convproof
