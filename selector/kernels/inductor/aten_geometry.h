#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "selector/op/aten_call.h"
#include "selector/op/perm.h"

namespace convproof {

// The arguments of one aten convolution as numbers, with three spatial dimensions always: those
// that the operation lacks come first, with extent, stride and dilation 1 and no padding.
//
// An input without channels has a result without channels, whatever the weight says.
// Source: design sheet of Inductor's convolution lowering, sections A.1 to A.3.
struct AtenGeometry {
  using Spatial = std::array<std::int64_t, max_spatial_dims>;

  std::size_t dims = 0;  // of the operation
  std::int64_t batch = 0;
  std::int64_t input_channels = 0;
  std::int64_t output_channels = 0;  // of the result
  std::int64_t groups = 1;
  std::int64_t weight_rows = 0;     // extent 0 of the weight
  std::int64_t weight_columns = 0;  // extent 1 of the weight
  Spatial input{1, 1, 1};
  Spatial kernel{1, 1, 1};
  Spatial output{1, 1, 1};
  Spatial stride{1, 1, 1};
  Spatial padding{};
  Spatial dilation{1, 1, 1};
  Spatial output_padding{};
  bool transposed = false;

  [[nodiscard]] constexpr std::int64_t taps() const { return kernel[0] * kernel[1] * kernel[2]; }

  bool operator==(const AtenGeometry&) const = default;
};

// Nothing where eager execution refuses the arguments, or an extent or an element count exceeds
// `max_extent` or `max_elements`. The input has a batch axis; lists of one number are accepted.
std::optional<AtenGeometry> aten_geometry(const AtenConvolution& convolution);

// The same for the backward operation, which refuses output padding where not transposed.
std::optional<AtenGeometry> aten_backward_geometry(const AtenConvolution& convolution);

// (batch, channels, spatial...) of the result.
Shape aten_result_shape(const AtenGeometry& geometry);

// Products of the definition, the same for the result and for each of the two gradients that are
// convolutions; an upper bound, since products with padding count. Saturates at INT64_MAX.
std::int64_t multiply_adds(const AtenGeometry& geometry);

// The most that a kernel's model visits: it may walk the side with more positions, and try every
// tap at each.
std::int64_t most_multiply_adds(const AtenGeometry& geometry);

}  // namespace convproof
