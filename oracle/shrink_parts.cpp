#include "oracle/shrink_parts.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "selector/op/dim_labels.h"
#include "selector/op/element_type.h"
#include "selector/op/perm.h"

namespace convproof::oracle {
namespace {

constexpr std::array<std::int64_t, 18> lines{1,  2,   3,   4,   5,   7,   8,   16,   32,
                                             64, 127, 128, 129, 256, 512, 513, 1024, 4096};

// Visits the op with the parts changed and changes them back.
class Neighbourhood {
 public:
  Neighbourhood(Parts parts, const std::function<bool(const ConvOp&)>& visit)
      : parts_(std::move(parts)), visit_(visit) {}

  void walk() {
    if (numbers() || flags() || types()) return;
    if (perms(plain_images, LabelRole::image, &ConvOp::in_perm)) return;
    if (perms(plain_kernels, LabelRole::kernel, &ConvOp::kern_perm)) return;
    static_cast<void>(perms(plain_images, LabelRole::image, &ConvOp::out_perm));
  }

 private:
  template <class Value>
  bool with(Value& place, const Value& value) {
    if (place == value) return false;
    const Value before = place;
    place = value;
    const bool stop = visit_(put_together(parts_));
    place = before;
    return stop;
  }

  bool numbers() {
    for (const Number& number : numbers_of(parts_)) {
      const std::int64_t now = *number.at;
      const auto to = [&](std::int64_t value) { return with(*number.at, value); };
      if (number.plain == 0 && (to(0) || to(-1))) return true;
      for (const std::int64_t line : lines) {
        if (to(line)) return true;
      }
      if (to(now + 1) || (now - 1 >= number.plain && to(now - 1))) return true;
    }
    return false;
  }

  bool flags() {
    for (Axis& axis : parts_.axes) {
      if (with(axis.window.reversal, !axis.window.reversal)) return true;
    }
    return with(parts_.rest.is_pglt, !parts_.rest.is_pglt) ||
           with(parts_.rest.input_is_graph_input, !parts_.rest.input_is_graph_input) ||
           with(parts_.rest.kernel_is_graph_input, !parts_.rest.kernel_is_graph_input);
  }

  bool types() {
    for (const ElementType type : {ElementType::f32, ElementType::bf16, ElementType::s8}) {
      const ElementType before = parts_.rest.result_element_type;
      parts_.rest.result_element_type = type;
      const bool stop = with(parts_.rest.element_type, type);
      parts_.rest.result_element_type = before;
      if (stop) return true;
    }
    return false;
  }

  bool perms(std::span<const std::string_view> labels, LabelRole role, Perm ConvOp::* perm) {
    for (const std::string_view label : labels) {
      const auto plain = parse_labels(label, role);
      if (!plain || plain->size() != (parts_.rest.*perm).size()) continue;
      if (with(parts_.rest.*perm, *plain)) return true;
    }
    return false;
  }

  Parts parts_;
  const std::function<bool(const ConvOp&)>& visit_;
};

}  // namespace

std::optional<Parts> take_apart(const ConvOp& op) {
  if (!check_structure(op)) return std::nullopt;
  const LogicalSizes sizes = logical_sizes(op);
  Parts parts{.batch = sizes.batch / op.batch_group_count,
              .features = sizes.kernel_features,
              .outputs = sizes.output_features / (op.feature_group_count * op.batch_group_count),
              .feature_groups = op.feature_group_count,
              .batch_groups = op.batch_group_count,
              .axes = {},
              .rest = op};
  for (std::size_t axis = 0; axis < op.window.size(); ++axis) {
    parts.axes.push_back({sizes.input[axis], sizes.kernel[axis], op.window[axis]});
  }
  return parts;
}

ConvOp put_together(const Parts& parts) {
  ConvOp op = parts.rest;
  Shape image{parts.batch * parts.batch_groups, parts.features * parts.feature_groups};
  Shape kernel{parts.outputs * parts.feature_groups * parts.batch_groups, parts.features};
  op.window = {};
  for (const Axis& axis : parts.axes) {
    image.push_back(axis.input);
    kernel.push_back(axis.kernel);
    op.window.push_back(axis.window);
  }
  op.feature_group_count = parts.feature_groups;
  op.batch_group_count = parts.batch_groups;
  op.in_shape = apply_dims(image, invert(op.in_perm));
  op.kern_shape = apply_dims(kernel, invert(op.kern_perm));
  op.res_shape = infer_result_shape(op);
  return op;
}

std::vector<Number> numbers_of(Parts& parts) {
  std::vector<Number> numbers;
  for (Axis& axis : parts.axes) numbers.push_back({&axis.input});
  for (Axis& axis : parts.axes) numbers.push_back({&axis.kernel});
  numbers.push_back({&parts.batch});
  numbers.push_back({&parts.features});
  numbers.push_back({&parts.outputs});
  for (Axis& axis : parts.axes) {
    numbers.push_back({&axis.window.stride});
    numbers.push_back({&axis.window.lhs_dilation});
    numbers.push_back({&axis.window.rhs_dilation});
  }
  for (Axis& axis : parts.axes) {
    numbers.push_back({&axis.window.pad_low, 0});
    numbers.push_back({&axis.window.pad_high, 0});
  }
  numbers.push_back({&parts.feature_groups});
  numbers.push_back({&parts.batch_groups});
  return numbers;
}

void visit_neighbours(const ConvOp& op, const std::function<bool(const ConvOp&)>& visit) {
  if (auto parts = take_apart(op)) Neighbourhood(std::move(*parts), visit).walk();
}

}  // namespace convproof::oracle
