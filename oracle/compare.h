#pragma once

#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <type_traits>

#include "oracle/prime_field.h"
#include "selector/op/conv_op.h"
#include "selector/op/element_type.h"
#include "selector/op/tensor.h"

namespace convproof::oracle {

// Where a result element stands, by the op's own names: batch, output feature, spatial position.
struct ResultElement {
  std::int64_t n = 0;
  std::int64_t o = 0;
  FixedVector<std::int64_t, max_spatial_dims> at{};

  bool operator==(const ResultElement&) const = default;
};

// The element at a place in storage, and back.
ResultElement result_element(const ConvOp& op, std::int64_t storage_index);
std::int64_t storage_index(const ConvOp& op, const ResultElement& element);

// `n=0 o=3 y=1 x=2`; one spatial axis is x, three are z, y, x.
std::string to_string(const ResultElement& element);
std::ostream& operator<<(std::ostream& stream, const ResultElement& element);

// How a result departs from what was expected.
struct Difference {
  ResultElement first{};  // the first differing element, in logical order (n, o, spatial)
  std::string expected{};
  std::string actual{};
  std::optional<double> allowed{};  // the bound that the first element exceeds; exact mode has none
  std::int64_t differing = 0;       // elements that differ
  std::int64_t elements = 0;        // elements compared

  bool operator==(const Difference&) const = default;
};

// `12 of 64 elements differ, first n=0 o=3 y=1 x=2: expected 5, got 4`
std::string to_string(const Difference& difference);
std::ostream& operator<<(std::ostream& stream, const Difference& difference);

// The shortest decimal that reads back as the value; `NaN`, `inf` and `-inf` by name.
std::string element_text(double value);
std::string element_text(float value);
std::string element_text(std::int64_t value);
std::string element_text(Field61 value);

// Collects differing elements in any order and keeps the logically first.
class DifferenceCollector {
 public:
  explicit DifferenceCollector(const ConvOp& op) : op_(op) {}

  // True where the element becomes the first so far: only then its texts are worth making.
  bool add(std::int64_t storage_index);
  [[nodiscard]] std::optional<Difference> take(std::int64_t elements) const;
  Difference& first() { return difference_; }

 private:
  const ConvOp& op_;
  Difference difference_{};
};

// One value, as numbers: 0.0 and -0.0 are the same, and so is any NaN and any other NaN.
template <class T>
bool same_value(const T& expected, const T& actual) {
  if constexpr (std::floating_point<T>) {
    if (std::isnan(expected) && std::isnan(actual)) return true;
  }
  return expected == actual;
}

// Exact mode: nothing where every element is the same value. Both in storage order with the op's
// res_shape; T is float, double, int64 or Field61.
template <class T>
std::optional<Difference> compare_exact(const ConvOp& op,
                                        std::type_identity_t<TensorView<const T>> expected,
                                        TensorView<T> actual) {
  DifferenceCollector collector(op);
  for (std::size_t i = 0; i < expected.elements.size(); ++i) {
    if (same_value<std::remove_const_t<T>>(expected.elements[i], actual.elements[i])) continue;
    if (collector.add(static_cast<std::int64_t>(i))) {
      collector.first().expected = element_text(expected.elements[i]);
      collector.first().actual = element_text(actual.elements[i]);
    }
  }
  return collector.take(static_cast<std::int64_t>(expected.elements.size()));
}

// How the program that made a result is assumed to round: operands that are exact as given,
// products and sums to nearest in the accumulation type, in any order, then the sum to the result
// type.
struct RoundedBound {
  ElementType accumulation = ElementType::f32;
  ElementType result = ElementType::f32;

  bool operator==(const RoundedBound&) const = default;
};

// Accumulation and result in the op's result element type: the loosest an honest program is.
RoundedBound rounded_bound(const ConvOp& op);

// Rounded mode: nothing where every element is within its own a-priori bound. The expected value is
// computed in double from the operands. With n the products of an element that meet the image, and
// m the sum of their magnitudes, the error allowed is
//
//     n (u + 2^-53) m + n e  +  v (|expected| + n u m) + f
//
// where u and e are the unit roundoff and underflow of the accumulation type, v and f those of the
// result type. n u m bounds a sum of products in any order without restriction on n (Jeannerod and
// Rump, Improved error bounds for inner products in floating-point arithmetic, 2013); it is below
// the classical gamma_n m. Winograd and Fourier algorithms are not covered: they round sums of the
// operands first.
//
// A bias, one element for each output feature, is one more exact term of each sum.
//
// NaN is expected where the double result is NaN, infinities likewise; a finite expected value may
// come out infinite only where its bound reaches past the largest value of one of the two types.
std::optional<Difference> compare_rounded(const ConvOp& op, TensorView<const double> image,
                                          TensorView<const double> kernel,
                                          TensorView<const double> actual,
                                          const RoundedBound& model,
                                          std::span<const double> bias = {});

}  // namespace convproof::oracle
