#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <vector>

#include <onnx/onnx_pb.h>

#include "selector/op/error.h"

namespace convproof {

enum class OnnxAutoPad : unsigned char { not_set, same_upper, same_lower, valid };

// The attributes of Conv and ConvTranspose as they stand in a node; absent lists are empty.
struct OnnxAttributes {
  OnnxAutoPad auto_pad = OnnxAutoPad::not_set;
  std::vector<std::int64_t> dilations{};
  std::vector<std::int64_t> kernel_shape{};
  std::vector<std::int64_t> pads{};  // of all near sides, then of all far sides
  std::vector<std::int64_t> strides{};
  std::vector<std::int64_t> output_padding{};  // of ConvTranspose, as is the next
  std::vector<std::int64_t> output_shape{};    // spatial extents
  std::int64_t group = 1;
};

// Errors  an attribute that the operator does not have, that is there twice or of another type; a
//         list that is longer than any number of dimensions asks for. Its place is the attribute.
std::expected<OnnxAttributes, Error> read_onnx_attributes(const onnx::NodeProto& node);

}  // namespace convproof
