#include "oracle/compare.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <fmt/format.h>

#include "oracle/convolution.h"
#include "oracle/number_format.h"
#include "oracle/prime_field.h"
#include "selector/op/conv_op.h"
#include "selector/op/tensor.h"

namespace convproof::oracle {
namespace {

template <class Float>
std::string float_text(Float value) {
  if (std::isnan(value)) return "NaN";
  return fmt::format("{}", value);
}

bool before(const ResultElement& a, const ResultElement& b) {
  if (std::tie(a.n, a.o) != std::tie(b.n, b.o)) return std::tie(a.n, a.o) < std::tie(b.n, b.o);
  return std::lexicographical_compare(a.at.begin(), a.at.end(), b.at.begin(), b.at.end());
}

// A scalar that carries, through the reference convolution, what the bound needs to know.
struct TrackedSum {
  double value = 0;
  double magnitude = 0;  // of every product, summed
  double terms = 0;      // products

  TrackedSum& operator+=(const TrackedSum& other) {
    value += other.value;
    magnitude += other.magnitude;
    terms += other.terms;
    return *this;
  }
  friend TrackedSum operator*(const TrackedSum& a, const TrackedSum& b) {
    return {a.value * b.value, a.magnitude * b.magnitude, a.terms * b.terms};
  }
};

std::vector<TrackedSum> tracked(std::span<const double> elements) {
  std::vector<TrackedSum> result;
  result.reserve(elements.size());
  for (const double element : elements) result.push_back({element, std::abs(element), 1});
  return result;
}

double allowed_error(const TrackedSum& sum, const NumberFormat& accumulation,
                     const NumberFormat& result) {
  constexpr double double_roundoff = 0x1p-53;
  const double accumulated = sum.terms * accumulation.unit_roundoff * sum.magnitude;
  return accumulated + sum.terms * double_roundoff * sum.magnitude +
         sum.terms * accumulation.underflow +
         result.unit_roundoff * (std::abs(sum.value) + accumulated) + result.underflow;
}

bool within(const TrackedSum& expected, double actual, double allowed, double largest) {
  if (std::isnan(expected.value)) return std::isnan(actual);
  if (std::isinf(expected.value)) return actual == expected.value;
  if (std::isnan(actual)) return false;
  if (std::isinf(actual)) {
    return std::signbit(actual) == std::signbit(expected.value) &&
           std::abs(expected.value) + allowed >= largest;
  }
  return std::abs(actual - expected.value) <= allowed;
}

}  // namespace

ResultElement result_element(const ConvOp& op, std::int64_t storage_index) {
  const Shape sizes = apply_dims(op.res_shape, op.out_perm);
  const Shape strides = apply_dims(row_major_strides(op.res_shape), op.out_perm);
  ResultElement element{
      storage_index / strides[0] % sizes[0], storage_index / strides[1] % sizes[1], {}};
  for (std::size_t axis = 2; axis < sizes.size(); ++axis) {
    element.at.push_back(storage_index / strides[axis] % sizes[axis]);
  }
  return element;
}

std::int64_t storage_index(const ConvOp& op, const ResultElement& element) {
  const Shape strides = apply_dims(row_major_strides(op.res_shape), op.out_perm);
  std::int64_t index = element.n * strides[0] + element.o * strides[1];
  for (std::size_t axis = 0; axis < element.at.size(); ++axis) {
    index += element.at[axis] * strides[axis + 2];
  }
  return index;
}

std::string to_string(const ResultElement& element) {
  constexpr std::array<std::string_view, max_spatial_dims> names{"z", "y", "x"};
  std::string text = fmt::format("n={} o={}", element.n, element.o);
  const std::size_t unnamed = max_spatial_dims - element.at.size();
  for (std::size_t axis = 0; axis < element.at.size(); ++axis) {
    text += fmt::format(" {}={}", names[unnamed + axis], element.at[axis]);
  }
  return text;
}

std::string to_string(const Difference& difference) {
  std::string text = fmt::format(
      "{} of {} elements differ, first {}: expected {}, got {}", difference.differing,
      difference.elements, to_string(difference.first), difference.expected, difference.actual);
  if (difference.allowed) text += fmt::format(", allowed error {:.3g}", *difference.allowed);
  return text;
}

std::ostream& operator<<(std::ostream& stream, const ResultElement& element) {
  return stream << to_string(element);
}

std::ostream& operator<<(std::ostream& stream, const Difference& difference) {
  return stream << to_string(difference);
}

std::string element_text(double value) { return float_text(value); }
std::string element_text(float value) { return float_text(value); }
std::string element_text(std::int64_t value) { return fmt::to_string(value); }
std::string element_text(Field61 value) { return to_string(value); }

bool DifferenceCollector::add(std::int64_t storage_index) {
  const ResultElement element = result_element(op_, storage_index);
  ++difference_.differing;
  if (difference_.differing > 1 && !before(element, difference_.first)) return false;
  difference_.first = element;
  return true;
}

std::optional<Difference> DifferenceCollector::take(std::int64_t elements) const {
  if (difference_.differing == 0) return std::nullopt;
  Difference result = difference_;
  result.elements = elements;
  return result;
}

RoundedBound rounded_bound(const ConvOp& op) {
  return {op.result_element_type, op.result_element_type};
}

std::optional<Difference> compare_rounded(const ConvOp& op, TensorView<const double> image,
                                          TensorView<const double> kernel,
                                          TensorView<const double> actual,
                                          const RoundedBound& model, std::span<const double> bias) {
  const std::vector<TrackedSum> tracked_image = tracked(image.elements);
  const std::vector<TrackedSum> tracked_kernel = tracked(kernel.elements);
  std::vector<TrackedSum> expected(actual.elements.size());
  convolve<TrackedSum>(op, {tracked_image, op.in_shape}, {tracked_kernel, op.kern_shape},
                       {expected, op.res_shape});
  for (std::size_t i = 0; i < expected.size() && !bias.empty(); ++i) {
    const ResultElement element = result_element(op, static_cast<std::int64_t>(i));
    const double added = bias[static_cast<std::size_t>(element.o)];
    expected[i] += {added, std::abs(added), 1};
  }
  const NumberFormat accumulation = number_format(model.accumulation);
  const NumberFormat result = number_format(model.result);
  const double largest = std::min(accumulation.largest, result.largest);
  DifferenceCollector collector(op);
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double allowed = allowed_error(expected[i], accumulation, result);
    if (within(expected[i], actual.elements[i], allowed, largest)) continue;
    if (collector.add(static_cast<std::int64_t>(i))) {
      collector.first().expected = element_text(expected[i].value);
      collector.first().actual = element_text(actual.elements[i]);
      collector.first().allowed = allowed;
    }
  }
  return collector.take(static_cast<std::int64_t>(expected.size()));
}

}  // namespace convproof::oracle
