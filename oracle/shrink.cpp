#include "oracle/shrink.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "selector/op/conv_op.h"
#include "selector/op/dim_labels.h"
#include "selector/op/element_type.h"
#include "selector/op/perm.h"

namespace convproof::oracle {
namespace {

struct Axis {
  std::int64_t input = 1;
  std::int64_t kernel = 1;
  WindowDim window{};
};

// A convolution by the numbers that its shapes are products of.
struct Parts {
  std::int64_t batch = 1;     // per batch group
  std::int64_t features = 1;  // input features per feature group
  std::int64_t outputs = 1;   // output features per group
  std::int64_t feature_groups = 1;
  std::int64_t batch_groups = 1;
  std::vector<Axis> axes{};
  ConvOp rest{};  // perms, types and flags
};

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

// A number of the parts with its plainest value.
struct Number {
  std::int64_t* at = nullptr;
  std::int64_t plain = 1;

  [[nodiscard]] std::int64_t distance() const { return *at - plain; }
};

// In the order in which they are made small.
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

constexpr std::array<std::string_view, 6> plain_images{"bf01", "f01b", "fb01",
                                                       "b01f", "01bf", "fb10"};
constexpr std::array<std::string_view, 6> plain_kernels{"oi01", "io01", "o01i",
                                                        "i01o", "01io", "io10"};

class Shrinker {
 public:
  Shrinker(Parts parts, const std::function<bool(const ConvOp&)>& interesting)
      : parts_(std::move(parts)), interesting_(interesting) {}

  bool starts() { return accepts(); }

  ConvOp run() {
    bool progress = true;
    while (progress) {
      progress = false;
      progress = drop_axis() || progress;
      progress = plainer_type() || progress;
      progress = smaller_numbers() || progress;
      progress = plainer_flags() || progress;
      progress = plainer_layouts() || progress;
    }
    return put_together(parts_);
  }

 private:
  bool accepts() {
    const ConvOp op = put_together(parts_);
    return check_structure(op).has_value() && interesting_(op);
  }

  // Makes a change, and undoes it where the result is not interesting.
  template <class Change>
  bool attempt(Change change) {
    Parts before = parts_;
    change(parts_);
    if (accepts()) return true;
    // The vector of axes must stay where it is: numbers point into it.
    parts_.batch = before.batch;
    parts_.features = before.features;
    parts_.outputs = before.outputs;
    parts_.feature_groups = before.feature_groups;
    parts_.batch_groups = before.batch_groups;
    parts_.rest = before.rest;
    if (parts_.axes.size() == before.axes.size()) {
      std::ranges::copy(before.axes, parts_.axes.begin());
    } else {
      parts_.axes = std::move(before.axes);
    }
    return false;
  }

  // Steps of halving size towards the plain values, each of all the numbers by as much.
  bool reduce(std::span<const Number> numbers) {
    std::int64_t step = 0;
    for (const Number& number : numbers) {
      const std::int64_t distance = std::abs(number.distance());
      if (distance == 0) return false;
      step = step == 0 ? distance : std::min(step, distance);
    }
    bool progress = false;
    // Near the plain value first: what holds there need not hold on the way.
    for (std::int64_t near = 0; near < 4 && near < step; ++near) {
      if (attempt([&](Parts&) {
            for (const Number& number : numbers) {
              *number.at = number.plain + (number.distance() > 0 ? near : -near);
            }
          })) {
        return true;
      }
    }
    while (step > 0) {
      const bool within = std::ranges::all_of(
          numbers, [&](const Number& number) { return std::abs(number.distance()) >= step; });
      if (within && attempt([&](Parts&) {
            for (const Number& number : numbers) {
              *number.at += number.distance() > 0 ? -step : step;
            }
          })) {
        progress = true;
        continue;
      }
      step /= 2;
    }
    return progress;
  }

  bool smaller_numbers() {
    bool progress = false;
    const std::vector<Number> numbers = numbers_of(parts_);
    for (const Number& number : numbers) progress = reduce(std::span(&number, 1)) || progress;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      for (std::size_t j = i + 1; j < numbers.size(); ++j) {
        progress = reduce(std::array{numbers[i], numbers[j]}) || progress;
      }
    }
    return progress;
  }

  bool drop_axis() {
    bool progress = false;
    while (!parts_.axes.empty() && attempt([](Parts& parts) {
      parts.axes.pop_back();
      const std::size_t rank = parts.axes.size() + 2;
      parts.rest.in_perm = parts.rest.kern_perm = parts.rest.out_perm = identity_perm(rank);
    })) {
      progress = true;
    }
    return progress;
  }

  bool plainer_flags() {
    bool progress = false;
    for (Axis& axis : parts_.axes) {
      if (axis.window.reversal) {
        progress = attempt([&](Parts&) { axis.window.reversal = false; }) || progress;
      }
    }
    if (parts_.rest.is_pglt) {
      progress = attempt([](Parts& parts) { parts.rest.is_pglt = false; }) || progress;
    }
    if (!parts_.rest.input_is_graph_input) {
      progress = attempt([](Parts& parts) { parts.rest.input_is_graph_input = true; }) || progress;
    }
    if (!parts_.rest.kernel_is_graph_input) {
      progress = attempt([](Parts& parts) { parts.rest.kernel_is_graph_input = true; }) || progress;
    }
    return progress;
  }

  bool plainer_type() {
    bool progress = false;
    if (parts_.rest.result_element_type != parts_.rest.element_type) {
      progress =
          attempt([](Parts& parts) { parts.rest.result_element_type = parts.rest.element_type; });
    }
    if (parts_.rest.element_type == ElementType::f32) return progress;
    const auto plain = [](Parts& parts) {
      parts.rest.element_type = parts.rest.result_element_type = ElementType::f32;
    };
    if (attempt(plain)) return true;
    // A limit in bytes needs other extents in another type.
    const std::int64_t bytes = info(parts_.rest.element_type).bytes;
    for (Axis& axis : parts_.axes) {
      if (axis.input > (std::int64_t{1} << 24)) continue;
      if (attempt([&](Parts& parts) {
            plain(parts);
            axis.input = axis.input * bytes / 4 + 1;
          })) {
        return true;
      }
      if (attempt([&](Parts& parts) {  // cropped back to the same result
            plain(parts);
            const std::int64_t wider = axis.input * bytes / 4 + 1;
            axis.window.pad_high -= (wider - axis.input) * axis.window.lhs_dilation;
            axis.input = wider;
          })) {
        return true;
      }
    }
    return progress;
  }

  bool plainer_layouts() {
    bool progress = false;
    progress = plainer_perm(plain_images, LabelRole::image, &ConvOp::in_perm) || progress;
    progress = plainer_perm(plain_kernels, LabelRole::kernel, &ConvOp::kern_perm) || progress;
    progress = plainer_perm(plain_images, LabelRole::image, &ConvOp::out_perm) || progress;
    return progress;
  }

  bool plainer_perm(std::span<const std::string_view> labels, LabelRole role, Perm ConvOp::* perm) {
    const Perm now = parts_.rest.*perm;
    if (is_identity(now)) return false;
    if (attempt([&](Parts& parts) { parts.rest.*perm = identity_perm(now.size()); })) return true;
    for (const std::string_view label : labels) {
      const auto plain = parse_labels(label, role);
      if (!plain || plain->size() != now.size()) continue;
      if (*plain == now) return false;  // plainest first
      if (attempt([&](Parts& parts) { parts.rest.*perm = *plain; })) return true;
    }
    return false;
  }

  Parts parts_;
  const std::function<bool(const ConvOp&)>& interesting_;
};

}  // namespace

ConvOp shrink(const ConvOp& op, const std::function<bool(const ConvOp&)>& interesting) {
  auto parts = take_apart(op);
  if (!parts) return op;
  Shrinker shrinker(std::move(*parts), interesting);
  return shrinker.starts() ? shrinker.run() : op;
}

}  // namespace convproof::oracle
