#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "selector/kernels/inductor/aten_geometry.h"
#include "selector/op/perm.h"

namespace convproof::oracle {

// The reference for aten convolutions: the definition, in gather form, one element at a time, over
// row-major tensors in the operator's own axis order. Accumulation is in T; positions outside the
// input are skipped, so that a non-finite weight does not meet the padding.
//
// Allocates nothing.
// Source: design sheet of Inductor's convolution lowering, sections A.4 and A.7.
template <class T>
class AtenReference {
 public:
  explicit AtenReference(const AtenGeometry& geometry)
      : geometry_(geometry), group_rows_(geometry.weight_rows / geometry.groups) {}

  // The result, without a bias.
  void forward(std::span<const T> input, std::span<const T> weight, std::span<T> output) const {
    if (geometry_.transposed) {
      against(input, weight, output);
    } else {
      along(input, weight, output);
    }
  }

  // Adds a bias to the result.
  void add_bias(std::span<const T> bias, std::span<T> output) const {
    const std::int64_t positions = volume(geometry_.output);
    T* element = output.data();
    for (std::int64_t n = 0; n < geometry_.batch; ++n) {
      for (std::int64_t c = 0; c < geometry_.output_channels; ++c) {
        for (std::int64_t p = 0; p < positions; ++p) {
          *element++ += bias[static_cast<std::size_t>(c)];
        }
      }
    }
  }

  void input_gradient(std::span<const T> grad_output, std::span<const T> weight,
                      std::span<T> gradient) const {
    if (geometry_.transposed) {
      along(grad_output, weight, gradient);
    } else {
      against(grad_output, weight, gradient);
    }
  }

  void weight_gradient(std::span<const T> grad_output, std::span<const T> input,
                       std::span<T> gradient) const {
    const Side strided = geometry_.transposed ? input_side() : output_side();
    const Side other = geometry_.transposed ? output_side() : input_side();
    const T* const steps = geometry_.transposed ? input.data() : grad_output.data();
    const T* const image = geometry_.transposed ? grad_output.data() : input.data();
    T* element = gradient.data();
    for (std::int64_t row = 0; row < geometry_.weight_rows; ++row) {
      for (std::int64_t column = 0; column < geometry_.weight_columns; ++column) {
        const std::int64_t channel = row / group_rows_ * geometry_.weight_columns + column;
        for_each(geometry_.kernel, [&](const Spatial& tap) {
          T sum{};
          for_each(strided.extent, [&](const Spatial& position) {
            const Place place = meet(position, tap, other);
            if (!place.inside) return;
            for (std::int64_t n = 0; n < geometry_.batch; ++n) {
              sum += steps[strided.at(n, row) + strided.offset(position)] *
                     image[other.at(n, channel) + place.offset];
            }
          });
          *element++ = sum;
        });
      }
    }
  }

  // The sum of the result's gradient by channel. `gradient` has as many elements as the bias, which
  // are more than the channels where the input has none: those are zero.
  void bias_gradient(std::span<const T> grad_output, std::span<T> gradient) const {
    const Side output = output_side();
    for (std::size_t c = 0; c < gradient.size(); ++c) {
      T sum{};
      if (static_cast<std::int64_t>(c) < output.channels) {
        for (std::int64_t n = 0; n < geometry_.batch; ++n) {
          for (std::int64_t p = 0; p < output.positions; ++p) {
            sum += grad_output[static_cast<std::size_t>(output.at(n, static_cast<std::int64_t>(c)) +
                                                        p)];
          }
        }
      }
      gradient[c] = sum;
    }
  }

 private:
  using Spatial = AtenGeometry::Spatial;

  // The input or the result: row-major (batch, channels, spatial).
  struct Side {
    std::int64_t channels = 0;
    std::int64_t positions = 0;
    Spatial extent{};

    [[nodiscard]] std::int64_t at(std::int64_t n, std::int64_t channel) const {
      return (n * channels + channel) * positions;
    }
    [[nodiscard]] std::int64_t offset(const Spatial& place) const {
      return (place[0] * extent[1] + place[1]) * extent[2] + place[2];
    }
  };

  struct Place {
    bool inside = false;
    std::int64_t offset = 0;
  };

  static std::int64_t volume(const Spatial& extent) { return extent[0] * extent[1] * extent[2]; }

  template <class Body>
  static void for_each(const Spatial& extent, const Body& body) {
    Spatial at{};
    for (at[0] = 0; at[0] < extent[0]; ++at[0]) {
      for (at[1] = 0; at[1] < extent[1]; ++at[1]) {
        for (at[2] = 0; at[2] < extent[2]; ++at[2]) body(at);
      }
    }
  }

  [[nodiscard]] Side input_side() const {
    return {geometry_.input_channels, volume(geometry_.input), geometry_.input};
  }
  [[nodiscard]] Side output_side() const {
    return {geometry_.output_channels, volume(geometry_.output), geometry_.output};
  }

  // Where a position of the strided side and a tap lead on the other one.
  [[nodiscard]] Place meet(const Spatial& position, const Spatial& tap, const Side& other) const {
    Spatial at{};
    for (std::size_t d = 0; d < max_spatial_dims; ++d) {
      at[d] =
          position[d] * geometry_.stride[d] - geometry_.padding[d] + tap[d] * geometry_.dilation[d];
      if (at[d] < 0 || at[d] >= other.extent[d]) return {};
    }
    return {true, other.offset(at)};
  }

  // The other way: which position of the strided side a tap leads to a place from.
  [[nodiscard]] Place origin(const Spatial& place, const Spatial& tap, const Side& strided) const {
    Spatial at{};
    for (std::size_t d = 0; d < max_spatial_dims; ++d) {
      const std::int64_t steps = place[d] + geometry_.padding[d] - tap[d] * geometry_.dilation[d];
      if (steps < 0 || steps % geometry_.stride[d] != 0) return {};
      at[d] = steps / geometry_.stride[d];
      if (at[d] >= strided.extent[d]) return {};
    }
    return {true, strided.offset(at)};
  }

  // The strided side from the other one: rows of the weight are its channels.
  void along(std::span<const T> from, std::span<const T> weight, std::span<T> to) const {
    const Side result = geometry_.transposed ? input_side() : output_side();
    const Side image = geometry_.transposed ? output_side() : input_side();
    const std::int64_t taps = geometry_.taps();
    T* element = to.data();
    for (std::int64_t n = 0; n < geometry_.batch; ++n) {
      for (std::int64_t row = 0; row < result.channels; ++row) {
        const std::int64_t first = image.at(n, row / group_rows_ * geometry_.weight_columns);
        const std::int64_t filter = row * geometry_.weight_columns * taps;
        for_each(result.extent, [&](const Spatial& position) {
          T sum{};
          std::int64_t tap_place = filter;
          for_each(geometry_.kernel, [&](const Spatial& tap) {
            const Place place = meet(position, tap, image);
            if (place.inside) {
              for (std::int64_t c = 0; c < geometry_.weight_columns; ++c) {
                sum += from.data()[first + c * image.positions + place.offset] *
                       weight.data()[tap_place + c * taps];
              }
            }
            ++tap_place;
          });
          *element++ = sum;
        });
      }
    }
  }

  // The other side from the strided one: columns of the weight are its channels of a group.
  void against(std::span<const T> from, std::span<const T> weight, std::span<T> to) const {
    const Side result = geometry_.transposed ? output_side() : input_side();
    const Side image = geometry_.transposed ? input_side() : output_side();
    const std::int64_t taps = geometry_.taps();
    const std::int64_t row_step = geometry_.weight_columns * taps;
    T* element = to.data();
    for (std::int64_t n = 0; n < geometry_.batch; ++n) {
      for (std::int64_t channel = 0; channel < result.channels; ++channel) {
        const std::int64_t first_row = channel / geometry_.weight_columns * group_rows_;
        const std::int64_t first = image.at(n, first_row);
        const std::int64_t filter =
            first_row * row_step + channel % geometry_.weight_columns * taps;
        for_each(result.extent, [&](const Spatial& place) {
          T sum{};
          std::int64_t tap_place = filter;
          for_each(geometry_.kernel, [&](const Spatial& tap) {
            const Place from_place = origin(place, tap, image);
            if (from_place.inside) {
              for (std::int64_t s = 0; s < group_rows_; ++s) {
                sum += from.data()[first + s * image.positions + from_place.offset] *
                       weight.data()[tap_place + s * row_step];
              }
            }
            ++tap_place;
          });
          *element++ = sum;
        });
      }
    }
  }

  AtenGeometry geometry_;
  std::int64_t group_rows_;
};

}  // namespace convproof::oracle
