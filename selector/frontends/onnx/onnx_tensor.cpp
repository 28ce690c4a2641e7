#include "selector/frontends/onnx/onnx_tensor.h"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "selector/frontends/element_bits.h"
#include "selector/frontends/source_text.h"
#include "selector/op/conv_op.h"
#include "selector/op/tensor.h"

namespace convproof {
namespace {

std::unexpected<Error> refused(std::string value, std::string rule) {
  return std::unexpected(Error{"", std::move(value), std::move(rule)});
}

std::expected<ElementType, Error> known_type(int data_type) {
  const auto type = onnx_element_type(data_type);
  if (type) return *type;
  const std::string name =
      onnx::TensorProto_DataType_IsValid(data_type)
          ? onnx::TensorProto_DataType_Name(static_cast<onnx::TensorProto_DataType>(data_type))
          : fmt::to_string(data_type);
  return refused(fmt::format("data_type = {}", name), "is not a known element type");
}

// Adds one extent; `elements` is the product so far.
std::expected<void, Error> add_extent(std::int64_t extent, Shape& shape, std::int64_t& elements) {
  const std::string value = fmt::format("dims[{}] = {}", shape.size(), extent);
  if (extent < 0 || extent > max_extent)
    return refused(value, fmt::format("must be between 0 and {}", max_extent));
  if (extent > 0 && elements > max_elements / extent)
    return refused(value, fmt::format("makes more than {} elements", max_elements));
  elements *= extent;
  shape.push_back(extent);
  return {};
}

std::expected<void, Error> check_rank(int rank) {
  if (static_cast<std::size_t>(rank) <= max_rank) return {};
  return refused(fmt::format("{} dimensions", rank), fmt::format("must be at most {}", max_rank));
}

// The bit pattern of the element at `index` of the little-endian bytes.
std::uint64_t bits_at(std::string_view raw, std::size_t index, std::size_t bytes) {
  std::uint64_t bits = 0;
  for (std::size_t i = 0; i < bytes; ++i) {
    bits |= std::uint64_t{static_cast<unsigned char>(raw[index * bytes + i])} << (8 * i);
  }
  return bits;
}

}  // namespace

std::optional<ElementType> onnx_element_type(int data_type) {
  switch (data_type) {
    case onnx::TensorProto_DataType_FLOAT:
      return ElementType::f32;
    case onnx::TensorProto_DataType_DOUBLE:
      return ElementType::f64;
    case onnx::TensorProto_DataType_FLOAT16:
      return ElementType::f16;
    case onnx::TensorProto_DataType_BFLOAT16:
      return ElementType::bf16;
    case onnx::TensorProto_DataType_INT8:
      return ElementType::s8;
    case onnx::TensorProto_DataType_UINT8:
      return ElementType::u8;
    case onnx::TensorProto_DataType_INT16:
      return ElementType::s16;
    case onnx::TensorProto_DataType_INT32:
      return ElementType::s32;
    case onnx::TensorProto_DataType_INT64:
      return ElementType::s64;
    default:
      return std::nullopt;
  }
}

std::expected<OnnxTensor, Error> tensor_type(const onnx::TensorProto& tensor) {
  const auto type = known_type(tensor.data_type());
  if (!type) return std::unexpected(type.error());
  if (auto rank = check_rank(tensor.dims_size()); !rank) return std::unexpected(rank.error());
  OnnxTensor result{.element_type = *type};
  std::int64_t elements = 1;
  for (const std::int64_t extent : tensor.dims()) {
    if (auto added = add_extent(extent, result.shape, elements); !added)
      return std::unexpected(added.error());
  }
  return result;
}

std::expected<OnnxTensor, Error> tensor_type(const onnx::TypeProto& type) {
  if (!type.has_tensor_type()) return refused("type", "must be a tensor");
  const auto element_type = known_type(type.tensor_type().elem_type());
  if (!element_type) return std::unexpected(element_type.error());
  if (!type.tensor_type().has_shape()) return refused("shape", "must be given");
  const onnx::TensorShapeProto& shape = type.tensor_type().shape();
  if (auto rank = check_rank(shape.dim_size()); !rank) return std::unexpected(rank.error());
  OnnxTensor result{.element_type = *element_type};
  std::int64_t elements = 1;
  for (const onnx::TensorShapeProto_Dimension& dim : shape.dim()) {
    std::int64_t extent = dim.dim_value();
    if (!dim.has_dim_value()) {
      const std::string name = dim.dim_param().empty() ? "?" : excerpt(dim.dim_param());
      if (!result.shape.empty()) {
        return refused(fmt::format("dims[{}] = {}", result.shape.size(), name), "must be a number");
      }
      result.symbolic_batch = name;
      extent = 1;
    }
    if (auto added = add_extent(extent, result.shape, elements); !added)
      return std::unexpected(added.error());
  }
  return result;
}

std::expected<Values, Error> tensor_values(const onnx::TensorProto& tensor) {
  const auto type = tensor_type(tensor);
  if (!type) return std::unexpected(type.error());
  const std::int64_t count = element_count(type->shape);
  if (count > max_golden_elements) {
    return refused(fmt::format("{} elements", count),
                   fmt::format("must be at most {}", max_golden_elements));
  }
  if (tensor.data_location() == onnx::TensorProto_DataLocation_EXTERNAL ||
      tensor.external_data_size() > 0) {
    return refused("external_data", "is kept in another file");
  }
  if (tensor.has_segment()) return refused("segment", "is not read");
  const auto elements = static_cast<std::size_t>(count);
  const auto wrong_count = [&](std::string_view field, std::size_t found) {
    return refused(fmt::format("{}: {} elements", field, found),
                   fmt::format("must be the {} of the shape", elements));
  };
  Values values{.shape = type->shape};
  if (tensor.has_raw_data()) {
    const auto bytes = static_cast<std::size_t>(info(type->element_type).bytes);
    const std::string& raw = tensor.raw_data();
    if (raw.size() != elements * bytes) {
      return refused(fmt::format("raw_data: {} bytes", raw.size()),
                     fmt::format("must be {}, {} elements of {}", elements * bytes, elements,
                                 name_of(type->element_type)));
    }
    values.elements.reserve(elements);
    for (std::size_t i = 0; i < elements; ++i)
      values.elements.push_back(decode_element(type->element_type, bits_at(raw, i, bytes)));
    return values;
  }
  const auto take = [&](std::string_view field, const auto& list,
                        auto convert) -> std::expected<Values, Error> {
    if (static_cast<std::size_t>(list.size()) != elements)
      return wrong_count(field, static_cast<std::size_t>(list.size()));
    values.elements.reserve(elements);
    for (const auto element : list) values.elements.push_back(convert(element));
    return std::move(values);
  };
  const auto plain = [](auto element) { return static_cast<double>(element); };
  switch (type->element_type) {
    case ElementType::f32:
      return take("float_data", tensor.float_data(), plain);
    case ElementType::f64:
      return take("double_data", tensor.double_data(), plain);
    case ElementType::s64:
      return take("int64_data", tensor.int64_data(), plain);
    case ElementType::f16:
    case ElementType::bf16:
      return take("int32_data", tensor.int32_data(), [&](std::int32_t bits) {
        return decode_element(type->element_type,
                              std::bit_cast<std::uint32_t>(bits) & std::uint32_t{0xffff});
      });
    default:
      return take("int32_data", tensor.int32_data(), plain);
  }
}

}  // namespace convproof
