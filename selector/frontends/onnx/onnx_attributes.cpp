#include "selector/frontends/onnx/onnx_attributes.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "selector/frontends/source_text.h"
#include "selector/op/perm.h"

namespace convproof {
namespace {

std::unexpected<Error> refused(std::string_view attribute, std::string value, std::string rule) {
  return std::unexpected(Error{std::string(attribute), std::move(value), std::move(rule)});
}

struct List {
  std::string_view name{};
  std::vector<std::int64_t> OnnxAttributes::* member = nullptr;
  bool transposed_only = false;
};

constexpr std::array lists{
    List{"dilations", &OnnxAttributes::dilations},
    List{"kernel_shape", &OnnxAttributes::kernel_shape},
    List{"pads", &OnnxAttributes::pads},
    List{"strides", &OnnxAttributes::strides},
    List{"output_padding", &OnnxAttributes::output_padding, true},
    List{"output_shape", &OnnxAttributes::output_shape, true},
};

constexpr std::array<std::string_view, 4> auto_pad_names{"NOTSET", "SAME_UPPER", "SAME_LOWER",
                                                         "VALID"};

// Models before IR version 3 leave the type out.
bool is_of(const onnx::AttributeProto& attribute, onnx::AttributeProto_AttributeType type) {
  return attribute.type() == type ||
         attribute.type() == onnx::AttributeProto_AttributeType_UNDEFINED;
}

std::expected<void, Error> read_one(const onnx::AttributeProto& attribute, bool transposed,
                                    OnnxAttributes& attributes) {
  const std::string& name = attribute.name();
  if (!attribute.ref_attr_name().empty())
    return refused(name, excerpt(attribute.ref_attr_name()), "must be a value, not a reference");
  if (name == "auto_pad") {
    const auto* const found = std::ranges::find(auto_pad_names, attribute.s());
    if (!is_of(attribute, onnx::AttributeProto_AttributeType_STRING) ||
        found == auto_pad_names.end()) {
      return refused(name, excerpt(attribute.s()),
                     "must be NOTSET, SAME_UPPER, SAME_LOWER or VALID");
    }
    attributes.auto_pad = static_cast<OnnxAutoPad>(found - auto_pad_names.begin());
    return {};
  }
  if (name == "group") {
    if (!is_of(attribute, onnx::AttributeProto_AttributeType_INT) || !attribute.has_i())
      return refused(name, "", "must be an integer");
    attributes.group = attribute.i();
    return {};
  }
  const auto* const list = std::ranges::find(lists, name, &List::name);
  if (list == lists.end() || (list->transposed_only && !transposed)) {
    return refused(excerpt(name), "",
                   fmt::format("is not an attribute of {}", transposed ? "ConvTranspose" : "Conv"));
  }
  if (!is_of(attribute, onnx::AttributeProto_AttributeType_INTS))
    return refused(name, "", "must be a list of integers");
  if (static_cast<std::size_t>(attribute.ints_size()) > 2 * max_spatial_dims) {
    return refused(name, fmt::format("{} entries", attribute.ints_size()),
                   fmt::format("must be for at most {} spatial dimensions", max_spatial_dims));
  }
  (attributes.*list->member).assign(attribute.ints().begin(), attribute.ints().end());
  return {};
}

}  // namespace

std::expected<OnnxAttributes, Error> read_onnx_attributes(const onnx::NodeProto& node) {
  const bool transposed = node.op_type() == "ConvTranspose";
  OnnxAttributes attributes;
  std::vector<std::string_view> seen;
  for (const onnx::AttributeProto& attribute : node.attribute()) {
    if (std::ranges::find(seen, attribute.name()) != seen.end())
      return refused(excerpt(attribute.name()), "", "must be given once");
    seen.push_back(attribute.name());
    if (auto read = read_one(attribute, transposed, attributes); !read)
      return std::unexpected(read.error());
  }
  return attributes;
}

}  // namespace convproof
