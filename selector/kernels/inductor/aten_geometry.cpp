#include "selector/kernels/inductor/aten_geometry.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "selector/kernels/buffer_size.h"
#include "selector/op/conv_op.h"

namespace convproof {
namespace {

bool within(std::int64_t value, std::int64_t least) {
  return value >= least && value <= max_extent;
}

// Spreads a list over the last `dims` entries; false where its length or a value is out of range.
bool spread(const SpatialList& list, std::size_t dims, std::int64_t least,
            AtenGeometry::Spatial& to) {
  if (list.size() != dims && list.size() != 1) return false;
  for (std::size_t axis = 0; axis < dims; ++axis) {
    const std::int64_t value = list[list.size() == 1 ? 0 : axis];
    if (!within(value, least)) return false;
    to[max_spatial_dims - dims + axis] = value;
  }
  return true;
}

bool take_channels(const AtenConvolution& conv, AtenGeometry& geometry) {
  const std::int64_t rows = conv.weight[0];
  const std::int64_t columns = conv.weight[1];
  if (!within(conv.groups, 1) || !within(conv.input[0], 0) || !within(rows, conv.groups) ||
      rows % conv.groups != 0 || !within(columns, conv.transposed ? 1 : 0)) {
    return false;
  }
  const std::int64_t wide = columns * conv.groups;
  if (conv.input[1] != (conv.transposed ? rows : wide) || wide > max_extent) return false;
  const std::int64_t declared = conv.transposed ? wide : rows;
  if (conv.bias && *conv.bias != declared) return false;
  geometry.batch = conv.input[0];
  geometry.input_channels = conv.input[1];
  geometry.output_channels = conv.input[1] == 0 ? 0 : declared;
  geometry.groups = conv.groups;
  geometry.weight_rows = rows;
  geometry.weight_columns = columns;
  geometry.transposed = conv.transposed;
  return true;
}

// Extents and list entries are below 2^31, so that no sum of two products leaves int64.
bool take_extents(const AtenConvolution& conv, AtenGeometry& geometry) {
  for (std::size_t axis = 0; axis < geometry.dims; ++axis) {
    const std::size_t at = max_spatial_dims - geometry.dims + axis;
    const std::int64_t input = conv.input[axis + 2];
    const std::int64_t kernel = conv.weight[axis + 2];
    if (!within(input, 1) || !within(kernel, 1)) return false;
    const std::int64_t reach = geometry.dilation[at] * (kernel - 1);
    const std::int64_t padding = geometry.padding[at];
    std::int64_t output = 0;
    if (conv.transposed) {
      if (geometry.output_padding[at] >= std::max(geometry.stride[at], geometry.dilation[at])) {
        return false;
      }
      output =
          (input - 1) * geometry.stride[at] - 2 * padding + reach + geometry.output_padding[at] + 1;
    } else {
      const std::int64_t room = input + 2 * padding - reach - 1;
      output = room < 0 ? 0 : room / geometry.stride[at] + 1;
    }
    if (!within(output, 1)) return false;
    geometry.input[at] = input;
    geometry.kernel[at] = kernel;
    geometry.output[at] = output;
  }
  return true;
}

bool sizes_fit(const AtenGeometry& geometry) {
  const auto fits = [](std::int64_t a, std::int64_t b, const AtenGeometry::Spatial& extents) {
    return saturating_product({a, b, extents[0], extents[1], extents[2]}) <= max_elements;
  };
  return fits(geometry.batch, geometry.input_channels, geometry.input) &&
         fits(geometry.batch, geometry.output_channels, geometry.output) &&
         fits(geometry.weight_rows, geometry.weight_columns, geometry.kernel);
}

}  // namespace

std::optional<AtenGeometry> aten_geometry(const AtenConvolution& conv) {
  const std::size_t rank = conv.weight.size();
  if (rank < 3 || conv.input.size() != rank) return std::nullopt;
  AtenGeometry geometry;
  geometry.dims = rank - 2;
  if (!take_channels(conv, geometry) || !spread(conv.stride, geometry.dims, 1, geometry.stride) ||
      !spread(conv.padding, geometry.dims, 0, geometry.padding) ||
      !spread(conv.dilation, geometry.dims, 1, geometry.dilation) ||
      !spread(conv.output_padding, geometry.dims, 0, geometry.output_padding) ||
      !take_extents(conv, geometry) || !sizes_fit(geometry)) {
    return std::nullopt;
  }
  return geometry;
}

std::optional<AtenGeometry> aten_backward_geometry(const AtenConvolution& conv) {
  auto geometry = aten_geometry(conv);
  if (geometry && !geometry->transposed &&
      std::ranges::any_of(geometry->output_padding,
                          [](std::int64_t value) { return value != 0; })) {
    return std::nullopt;
  }
  return geometry;
}

Shape aten_result_shape(const AtenGeometry& geometry) {
  Shape shape{geometry.batch, geometry.output_channels};
  for (std::size_t at = max_spatial_dims - geometry.dims; at < max_spatial_dims; ++at) {
    shape.push_back(geometry.output[at]);
  }
  return shape;
}

std::int64_t multiply_adds(const AtenGeometry& geometry) {
  // The strided side: each of its elements meets every tap and every column of the weight.
  const AtenGeometry::Spatial& strided = geometry.transposed ? geometry.input : geometry.output;
  const std::int64_t channels =
      geometry.transposed ? geometry.input_channels : geometry.output_channels;
  return saturating_product({geometry.batch, channels, geometry.weight_columns, strided[0],
                             strided[1], strided[2], geometry.kernel[0], geometry.kernel[1],
                             geometry.kernel[2]});
}

std::int64_t most_multiply_adds(const AtenGeometry& geometry) {
  AtenGeometry larger = geometry;
  for (std::size_t d = 0; d < max_spatial_dims; ++d) {
    larger.input[d] = larger.output[d] = std::max(geometry.input[d], geometry.output[d]);
  }
  return multiply_adds(larger);
}

}  // namespace convproof
