#include "oracle/missing_taps.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "oracle/convolution.h"
#include "oracle/fill.h"
#include "oracle/random.h"
#include "oracle/tensor.h"

namespace convproof::oracle {
namespace {

class TapSearch {
 public:
  TapSearch(const FieldKernel& run, const ConvOp& op, const ResultElement& element,
            std::int64_t max_work, std::uint64_t seed)
      : run_(run),
        op_(op),
        element_(element),
        index_(static_cast<std::size_t>(storage_index(op, element))),
        work_left_(max_work),
        work_per_run_(std::max<std::int64_t>(multiply_adds(op), 1)),
        image_(zeros<Field61>(op.in_shape)),
        coefficients_(zeros<Field61>(op.kern_shape)),
        kernel_(zeros<Field61>(op.kern_shape)),
        result_(zeros<Field61>(op.res_shape)) {
    SplitMix64 random(seed);
    fill_uniform(random, image_.elements);
    fill_uniform(random, coefficients_.elements);
    std::copy_backward(element.at.begin(), element.at.end(), at_.end());
  }

  std::optional<std::vector<FaultyTap>> search() {
    const Shape sizes = apply_dims(op_.kern_shape, op_.kern_perm);
    const std::int64_t per_feature = sizes[0] == 0 ? 0 : element_count(op_.kern_shape) / sizes[0];
    const std::int64_t own = element_.o * per_feature;
    // Canonical ranks of the kernel elements: the own feature's, then those around it.
    if (!halve(own, own + per_feature) || !halve(0, own) ||
        !halve(own + per_feature, sizes[0] * per_feature)) {
      return std::nullopt;
    }
    return std::move(found_);
  }

 private:
  struct Values {
    Field61 expected{};
    Field61 actual{};
  };

  // False where the search must be given up.
  bool halve(std::int64_t begin, std::int64_t end) {
    if (begin >= end) return true;
    const std::optional<Values> values = measure(begin, end);
    if (!values) return false;
    if (values->expected == values->actual) return true;
    if (end - begin == 1) {
      found_.push_back(faulty(begin, *values));
      return true;
    }
    const std::int64_t middle = begin + (end - begin) / 2;
    return halve(begin, middle) && halve(middle, end);
  }

  std::optional<Values> measure(std::int64_t begin, std::int64_t end) {
    if (work_left_ < work_per_run_) return std::nullopt;
    work_left_ -= work_per_run_;
    std::fill(kernel_.elements.begin(), kernel_.elements.end(), Field61{});
    for (std::int64_t rank = begin; rank < end; ++rank) {
      const auto place = static_cast<std::size_t>(storage_of(rank));
      kernel_.elements[place] = coefficients_.elements[place];
    }
    const Tensor<Field61>& image = image_;
    const Tensor<Field61>& kernel = kernel_;
    if (!run_(image.view(), kernel.view(), result_.view())) return std::nullopt;
    const Convolution<Field61> reference(op_, image.view(), kernel.view());
    return Values{reference(element_.n, element_.o, at_), result_.elements[index_]};
  }

  FaultyTap faulty(std::int64_t rank, const Values& values) const {
    const Shape place = canonical_coordinates(rank);
    FaultyTap tap{.o = place[0], .i = place[1]};
    for (std::size_t axis = 2; axis < place.size(); ++axis) tap.at.push_back(place[axis]);
    if (tap.o != element_.o) {
      tap.fault = TapFault::foreign;
    } else {
      tap.fault = values.actual == Field61{} ? TapFault::missing : TapFault::wrong;
    }
    return tap;
  }

  Shape canonical_coordinates(std::int64_t rank) const {
    const Shape sizes = apply_dims(op_.kern_shape, op_.kern_perm);
    Shape place = Shape::filled(sizes.size(), 0);
    for (std::size_t axis = sizes.size(); axis-- > 0;) {
      place[axis] = rank % sizes[axis];
      rank /= sizes[axis];
    }
    return place;
  }

  std::int64_t storage_of(std::int64_t rank) const {
    const Shape strides = apply_dims(row_major_strides(op_.kern_shape), op_.kern_perm);
    const Shape place = canonical_coordinates(rank);
    std::int64_t storage = 0;
    for (std::size_t axis = 0; axis < place.size(); ++axis) storage += place[axis] * strides[axis];
    return storage;
  }

  const FieldKernel& run_;
  const ConvOp& op_;
  const ResultElement& element_;
  std::size_t index_;
  std::int64_t work_left_;
  std::int64_t work_per_run_;
  Tensor<Field61> image_;
  Tensor<Field61> coefficients_;
  Tensor<Field61> kernel_;
  Tensor<Field61> result_;
  Convolution<Field61>::Position at_{};
  std::vector<FaultyTap> found_{};
};

}  // namespace

std::string to_string(const FaultyTap& tap) {
  // Trailing axis letters as in result elements: one spatial axis is v, two are u and v.
  constexpr std::array<std::string_view, max_spatial_dims> names{"t", "u", "v"};
  std::string text = fmt::format("o={} i={}", tap.o, tap.i);
  const std::size_t unnamed = max_spatial_dims - tap.at.size();
  for (std::size_t axis = 0; axis < tap.at.size(); ++axis) {
    text += fmt::format(" {}={}", names[unnamed + axis], tap.at[axis]);
  }
  constexpr std::array<std::string_view, 3> faults{"missing", "wrong", "foreign"};
  return text + fmt::format(" is {}", faults[static_cast<std::size_t>(tap.fault)]);
}

std::ostream& operator<<(std::ostream& stream, const FaultyTap& tap) {
  return stream << to_string(tap);
}

std::optional<std::vector<FaultyTap>> faulty_taps(const FieldKernel& run, const ConvOp& op,
                                                  const ResultElement& element,
                                                  std::int64_t max_work, std::uint64_t seed) {
  return TapSearch(run, op, element, max_work, seed).search();
}

}  // namespace convproof::oracle
