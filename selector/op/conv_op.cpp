#include "selector/op/conv_op.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <limits>
#include <ostream>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "selector/op/dim_labels.h"

namespace convproof {
namespace {

std::string list(std::span<const std::int64_t> values) {
  return fmt::format("[{}]", fmt::join(values, ", "));
}

struct OperandView {
  std::string_view name;
  const Shape* shape;
  const Perm* perm;
};

std::expected<void, Error> check_operand(const OperandView& operand, std::size_t rank) {
  const std::string shape_name = fmt::format("{}_shape", operand.name);
  const std::string perm_name =
      fmt::format("{}_perm", operand.name == "res" ? "out" : operand.name);
  if (operand.shape->size() != rank) {
    return std::unexpected(
        Error{shape_name, list(*operand.shape),
              fmt::format("must have {} extents for {} spatial dimensions", rank, rank - 2)});
  }
  std::int64_t elements = 1;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    const std::int64_t extent = (*operand.shape)[axis];
    const std::string place = fmt::format("{}[{}]", shape_name, axis);
    if (extent < 0)
      return std::unexpected(Error{place, fmt::to_string(extent), "must not be negative"});
    if (extent > max_extent) {
      return std::unexpected(
          Error{place, fmt::to_string(extent), fmt::format("must be at most {}", max_extent)});
    }
    if (__builtin_mul_overflow(elements, extent, &elements) || elements > max_elements) {
      return std::unexpected(Error{shape_name, list(*operand.shape),
                                   fmt::format("must hold at most {} elements", max_elements)});
    }
  }
  if (operand.perm->size() != rank || !is_permutation(*operand.perm)) {
    return std::unexpected(Error{perm_name, list(*operand.perm),
                                 fmt::format("must be a permutation of 0 to {}", rank - 1)});
  }
  return {};
}

std::expected<void, Error> check_window(const WindowDim& dim, std::size_t axis) {
  struct Part {
    std::string_view name;
    std::int64_t value;
    std::int64_t least;
  };
  for (const Part& part :
       {Part{"stride", dim.stride, 1}, Part{"pad_low", dim.pad_low, -max_extent},
        Part{"pad_high", dim.pad_high, -max_extent}, Part{"lhs_dilation", dim.lhs_dilation, 1},
        Part{"rhs_dilation", dim.rhs_dilation, 1}}) {
    if (part.value < part.least || part.value > max_extent) {
      return std::unexpected(
          Error{fmt::format("window[{}].{}", axis, part.name), fmt::to_string(part.value),
                fmt::format("must be between {} and {}", part.least, max_extent)});
    }
  }
  return {};
}

std::size_t at(const Perm& perm, std::size_t axis) { return static_cast<std::size_t>(perm[axis]); }

}  // namespace

std::expected<void, Error> check_structure(const ConvOp& op) {
  const std::size_t rank = op.window.size() + 2;
  for (const OperandView& operand : {OperandView{"in", &op.in_shape, &op.in_perm},
                                     OperandView{"kern", &op.kern_shape, &op.kern_perm},
                                     OperandView{"res", &op.res_shape, &op.out_perm}}) {
    if (auto checked = check_operand(operand, rank); !checked) return checked;
  }
  for (std::size_t axis = 0; axis < op.window.size(); ++axis) {
    if (auto checked = check_window(op.window[axis], axis); !checked) return checked;
  }
  struct Count {
    std::string_view name;
    std::int64_t value;
  };
  for (const Count& count : {Count{"feature_group_count", op.feature_group_count},
                             Count{"batch_group_count", op.batch_group_count}}) {
    if (count.value < 1 || count.value > max_extent) {
      return std::unexpected(Error{std::string(count.name), fmt::to_string(count.value),
                                   fmt::format("must be between 1 and {}", max_extent)});
    }
  }
  return {};
}

LogicalSizes logical_sizes(const ConvOp& op) {
  LogicalSizes sizes{
      .batch = op.in_shape[at(op.in_perm, 0)],
      .input_features = op.in_shape[at(op.in_perm, 1)],
      .output_features = op.kern_shape[at(op.kern_perm, 0)],
      .kernel_features = op.kern_shape[at(op.kern_perm, 1)],
      .result_batch = op.res_shape[at(op.out_perm, 0)],
      .result_features = op.res_shape[at(op.out_perm, 1)],
  };
  for (std::size_t axis = 2; axis < op.in_perm.size(); ++axis) {
    sizes.input.push_back(op.in_shape[at(op.in_perm, axis)]);
    sizes.kernel.push_back(op.kern_shape[at(op.kern_perm, axis)]);
    sizes.result.push_back(op.res_shape[at(op.out_perm, axis)]);
  }
  return sizes;
}

Shape infer_result_shape(const ConvOp& op) {
  const std::size_t rank = op.window.size() + 2;
  Shape shape = Shape::filled(rank, 0);
  shape[at(op.out_perm, 0)] = op.in_shape[at(op.in_perm, 0)] / op.batch_group_count;
  shape[at(op.out_perm, 1)] = op.kern_shape[at(op.kern_perm, 0)];
  for (std::size_t axis = 0; axis < op.window.size(); ++axis) {
    shape[at(op.out_perm, axis + 2)] =
        output_extent(op.in_shape[at(op.in_perm, axis + 2)],
                      op.kern_shape[at(op.kern_perm, axis + 2)], op.window[axis]);
  }
  return shape;
}

std::int64_t multiply_adds(const ConvOp& op) {
  std::int64_t work = 1;
  bool overflow = false;
  for (const std::int64_t extent : op.res_shape)
    overflow |= __builtin_mul_overflow(work, extent, &work);
  for (std::size_t axis = 1; axis < op.kern_perm.size(); ++axis) {
    overflow |= __builtin_mul_overflow(work, op.kern_shape[at(op.kern_perm, axis)], &work);
  }
  return overflow ? std::numeric_limits<std::int64_t>::max() : work;
}

std::string to_string(const ConvOp& op) {
  const auto tensor = [](ElementType type, const Shape& shape) {
    return fmt::format("{}[{}]", name_of(type), fmt::join(shape, ","));
  };
  std::string text = fmt::format("{} x {} -> {}, {}", tensor(op.element_type, op.in_shape),
                                 tensor(op.element_type, op.kern_shape),
                                 tensor(op.result_element_type, op.res_shape),
                                 format_dim_labels({op.in_perm, op.kern_perm, op.out_perm}));
  const auto part = [&](std::string_view name, auto neutral, auto print) {
    bool any = false;
    std::string joined;
    for (const WindowDim& dim : op.window) {
      any |= !neutral(dim);
      if (!joined.empty()) joined += 'x';
      joined += print(dim);
    }
    if (any) text += fmt::format(", {}={}", name, joined);
  };
  part(
      "stride", [](const WindowDim& d) { return d.stride == 1; },
      [](const WindowDim& d) { return fmt::to_string(d.stride); });
  part(
      "pad", [](const WindowDim& d) { return d.pad_low == 0 && d.pad_high == 0; },
      [](const WindowDim& d) { return fmt::format("{}_{}", d.pad_low, d.pad_high); });
  part(
      "lhs_dilate", [](const WindowDim& d) { return d.lhs_dilation == 1; },
      [](const WindowDim& d) { return fmt::to_string(d.lhs_dilation); });
  part(
      "rhs_dilate", [](const WindowDim& d) { return d.rhs_dilation == 1; },
      [](const WindowDim& d) { return fmt::to_string(d.rhs_dilation); });
  part(
      "rhs_reversal", [](const WindowDim& d) { return !d.reversal; },
      [](const WindowDim& d) { return d.reversal ? "1" : "0"; });
  if (op.feature_group_count != 1)
    text += fmt::format(", feature_group_count={}", op.feature_group_count);
  if (op.batch_group_count != 1)
    text += fmt::format(", batch_group_count={}", op.batch_group_count);
  if (!op.kernel_is_graph_input) text += ", kernel=intermediate";
  if (!op.input_is_graph_input) text += ", image=intermediate";
  if (op.is_pglt) text += ", is_pglt";
  return text;
}

std::ostream& operator<<(std::ostream& stream, const ConvOp& op) { return stream << to_string(op); }

}  // namespace convproof
