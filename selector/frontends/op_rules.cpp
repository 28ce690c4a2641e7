#include "selector/frontends/op_rules.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "selector/op/element_type.h"
#include "selector/op/window.h"

namespace convproof {
namespace {

std::unexpected<Error> refused(std::string place, std::int64_t value, std::string rule) {
  return std::unexpected(Error{std::move(place), fmt::to_string(value), std::move(rule)});
}

}  // namespace

std::expected<void, Error> check_window_fits(const ConvOp& op) {
  if (auto checked = check_structure(op); !checked) return checked;
  const LogicalSizes sizes = logical_sizes(op);
  for (std::size_t axis = 0; axis < op.window.size(); ++axis) {
    const std::int64_t extent = padded_extent(sizes.input[axis], op.window[axis]);
    if (extent < 0)
      return refused(fmt::format("window[{}]", axis), extent, "padded extent must not be negative");
  }
  return {};
}

std::expected<void, Error> check_declared_result(const ConvOp& op) {
  if (auto checked = check_window_fits(op); !checked) return checked;
  const Shape inferred = infer_result_shape(op);
  if (inferred == op.res_shape) return {};
  return std::unexpected(
      Error{"res_shape", fmt::format("[{}]", fmt::join(op.res_shape, ", ")),
            fmt::format("must be [{}], which operands, window and group counts imply",
                        fmt::join(inferred, ", "))});
}

std::expected<void, Error> check_groups(const ConvOp& op) {
  const LogicalSizes sizes = logical_sizes(op);
  const std::int64_t features = op.feature_group_count;
  const std::int64_t batches = op.batch_group_count;
  for (std::size_t axis = 0; axis < sizes.kernel.size(); ++axis) {
    if (sizes.kernel[axis] < 1)
      return refused(fmt::format("window[{}].size", axis), sizes.kernel[axis],
                     "must be at least 1");
  }
  if (features > 1 && batches > 1) {
    return refused("batch_group_count", batches,
                   fmt::format("must be 1 beside feature_group_count {}", features));
  }
  if (sizes.batch % batches != 0) {
    return refused("batch_group_count", batches,
                   fmt::format("must divide the input batch ({})", sizes.batch));
  }
  if (sizes.output_features % batches != 0) {
    return refused("batch_group_count", batches,
                   fmt::format("must divide the output features ({})", sizes.output_features));
  }
  if (sizes.input_features % features != 0) {
    return refused("feature_group_count", features,
                   fmt::format("must divide the input features ({})", sizes.input_features));
  }
  if (sizes.output_features % features != 0) {
    return refused("feature_group_count", features,
                   fmt::format("must divide the output features ({})", sizes.output_features));
  }
  if (sizes.input_features / features != sizes.kernel_features) {
    return refused("kernel input features", sizes.kernel_features,
                   fmt::format("must be input features ({}) / feature_group_count ({})",
                               sizes.input_features, features));
  }
  return {};
}

std::string known_element_types() {
  std::string names;
  for (const ElementTypeInfo& type : element_types) {
    if (!names.empty()) names += ", ";
    names += type.name;
  }
  return names;
}

}  // namespace convproof
