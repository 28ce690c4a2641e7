#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>

#include <onnx/onnx_pb.h>

#include "selector/frontends/document.h"
#include "selector/op/element_type.h"
#include "selector/op/error.h"
#include "selector/op/perm.h"

namespace convproof {

// The element type of ONNX's number for it; none where it is not one of ours.
std::optional<ElementType> onnx_element_type(int data_type);

struct OnnxTensor {
  ElementType element_type = ElementType::f32;
  Shape shape{};
  std::string symbolic_batch{};  // its name, where the first extent is one and stands for 1

  bool operator==(const OnnxTensor&) const = default;
};

// Type and shape of a tensor with at most `max_rank` dimensions and `max_elements` elements, whose
// extents are numbers but for the first. An error has no place.
std::expected<OnnxTensor, Error> tensor_type(const onnx::TensorProto& tensor);
std::expected<OnnxTensor, Error> tensor_type(const onnx::TypeProto& type);

inline constexpr std::int64_t max_golden_elements = std::int64_t{1} << 26;

// The tensor's elements, from its raw bytes or the field of its type.
//
// Errors  more than `max_golden_elements`, counted before anything is allocated; elements that do
//         not fit the shape, are kept in another file or cut into segments. They have no place.
std::expected<Values, Error> tensor_values(const onnx::TensorProto& tensor);

}  // namespace convproof
