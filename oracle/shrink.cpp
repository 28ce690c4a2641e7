#include "oracle/shrink.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "oracle/shrink_parts.h"
#include "selector/op/conv_op.h"
#include "selector/op/dim_labels.h"
#include "selector/op/element_type.h"
#include "selector/op/perm.h"

namespace convproof::oracle {
namespace {

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
      progress = nearer_extents() || progress;
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

  // Two extents with the product they have, and a smaller sum: where a product is what counts, one
  // has to grow for both to become small.
  bool nearer_extents() {
    bool progress = false;
    const std::vector<Number> numbers = numbers_of(parts_);
    const auto extents = std::span(numbers).first(2 * parts_.axes.size() + 3);
    for (std::size_t i = 0; i < extents.size(); ++i) {
      for (std::size_t j = i + 1; j < extents.size(); ++j) {
        progress = nearer(*extents[i].at, *extents[j].at) || progress;
      }
    }
    return progress;
  }

  bool nearer(std::int64_t& a, std::int64_t& b) {
    constexpr std::int64_t most = std::int64_t{1} << 30;
    if (a > most / b || std::max(a, b) < 4) return false;
    const std::int64_t sum = a + b;
    const std::int64_t product = a * b;
    const auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(product)));
    for (const std::int64_t one : {root, root + 1}) {
      const std::int64_t other = (product + one - 1) / one;
      if (one + other >= sum) continue;
      for (const auto& [first, second] : {std::pair(one, other), std::pair(other, one)}) {
        if (attempt([&](Parts&) {
              a = first;
              b = second;
            })) {
          return true;
        }
      }
    }
    return false;
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
