#include "selector/registry/aten_subject.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <iterator>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "selector/op/element_type.h"
#include "selector/registries/embedded.h"
#include "selector/rules/nearest_name.h"
#include "selector/rules/type.h"

namespace convproof {
namespace {

enum class FieldKind : std::uint8_t { integer, flag, element_type, device, shape, spatial_list };

struct FieldInfo {
  std::string_view name;
  AtenField field;
  FieldKind kind;
};

// What is no flag of the environment. Written once: binding walks this table by name, filling and
// reading back by AtenField.
constexpr std::array fields{
    FieldInfo{"spatial_dims", AtenField::spatial_dims, FieldKind::integer},
    FieldInfo{"input", AtenField::input, FieldKind::shape},
    FieldInfo{"weight", AtenField::weight, FieldKind::shape},
    FieldInfo{"stride", AtenField::stride, FieldKind::spatial_list},
    FieldInfo{"padding", AtenField::padding, FieldKind::spatial_list},
    FieldInfo{"dilation", AtenField::dilation, FieldKind::spatial_list},
    FieldInfo{"output_padding", AtenField::output_padding, FieldKind::spatial_list},
    FieldInfo{"batched", AtenField::batched, FieldKind::flag},
    FieldInfo{"short_lists", AtenField::short_lists, FieldKind::flag},
    FieldInfo{"transposed", AtenField::transposed, FieldKind::flag},
    FieldInfo{"groups", AtenField::groups, FieldKind::integer},
    FieldInfo{"has_bias", AtenField::has_bias, FieldKind::flag},
    FieldInfo{"element_type", AtenField::element_type, FieldKind::element_type},
    FieldInfo{"weight_element_type", AtenField::weight_element_type, FieldKind::element_type},
    FieldInfo{"element_bytes", AtenField::element_bytes, FieldKind::integer},
    FieldInfo{"input_packed", AtenField::input_packed, FieldKind::flag},
    FieldInfo{"wants_input", AtenField::wants_input, FieldKind::flag},
    FieldInfo{"wants_weight", AtenField::wants_weight, FieldKind::flag},
    FieldInfo{"wants_bias", AtenField::wants_bias, FieldKind::flag},
    FieldInfo{"bias_sizes", AtenField::bias_sizes, FieldKind::flag},
    FieldInfo{"device", AtenField::device, FieldKind::device},
    FieldInfo{"shared_memory", AtenField::shared_memory, FieldKind::integer},
};

// The field that an attribute's name stands for, with its flag's index in aten_flags.
std::optional<std::pair<FieldInfo, std::uint8_t>> find_field(std::string_view name) {
  for (const FieldInfo& field : fields) {
    if (field.name == name) return std::pair(field, std::uint8_t{0});
  }
  for (std::size_t i = 0; i < aten_flags.size(); ++i) {
    if (aten_flags[i].name != name) continue;
    return std::pair(FieldInfo{name, AtenField::environment_flag, FieldKind::flag},
                     static_cast<std::uint8_t>(i));
  }
  return std::nullopt;
}

ScalarType scalar_of(FieldKind kind) {
  switch (kind) {
    case FieldKind::flag:
      return ScalarType::boolean;
    case FieldKind::element_type:
    case FieldKind::device:
      return ScalarType::enumeration;
    default:
      return ScalarType::integer;
  }
}

std::uint32_t capacity_of(FieldKind kind) {
  if (kind == FieldKind::shape) return static_cast<std::uint32_t>(max_rank);
  return kind == FieldKind::spatial_list ? static_cast<std::uint32_t>(max_spatial_dims) : 0;
}

std::unexpected<LocatedError> bad_attribute(std::size_t index, const std::string& value,
                                            std::string rule) {
  return std::unexpected(
      LocatedError{Error{fmt::format("attributes[{}]", index), value, std::move(rule)}});
}

bool lists_in_order(const std::vector<std::string>& values, FieldKind kind) {
  if (kind == FieldKind::device) return std::ranges::equal(values, aten_device_names);
  return std::ranges::equal(values, element_types, {}, {}, &ElementTypeInfo::name);
}

std::expected<AtenBinding::Entry, LocatedError> bind_attribute(const Schema& schema,
                                                               std::size_t index) {
  const Attribute& attribute = schema.attributes[index];
  const auto found = find_field(attribute.name);
  if (!found) {
    std::vector<std::string_view> names;
    for (const FieldInfo& field : fields) names.push_back(field.name);
    for (const AtenFlag& flag : aten_flags) names.push_back(flag.name);
    const std::string_view near = nearest_name(attribute.name, names);
    return bad_attribute(index, attribute.name,
                         "no field of an aten convolution" +
                             (near.empty() ? "" : fmt::format(", did you mean `{}`?", near)));
  }
  const auto& [field, flag] = *found;
  const std::uint32_t capacity = capacity_of(field.kind);
  const Type wanted{scalar_of(field.kind), static_cast<std::uint8_t>(capacity > 0 ? 1 : 0),
                    attribute.type.enumeration};
  if (attribute.type.scalar != wanted.scalar || attribute.type.depth != wanted.depth) {
    return bad_attribute(index, attribute.name,
                         fmt::format("must be of type {}", to_string(wanted)));
  }
  if (attribute.max_length != capacity) {
    return bad_attribute(index, attribute.name, fmt::format("must have max_length {}", capacity));
  }
  if (wanted.scalar == ScalarType::enumeration &&
      !lists_in_order(schema.enumerations[attribute.type.enumeration].values, field.kind)) {
    return bad_attribute(
        index, attribute.name,
        fmt::format("its enumeration must list the {} in their order",
                    field.kind == FieldKind::device ? "devices" : "element types"));
  }
  return AtenBinding::Entry{field.field, flag, attribute.slot};
}

std::size_t spatial_dims_of(const AtenCall& call) {
  const std::size_t rank = call.convolution.weight.size();
  return rank < 2 ? 0 : rank - 2;
}

bool is_batched(const AtenConvolution& convolution) {
  return convolution.input.size() >= convolution.weight.size();
}

bool is_short(const SpatialList& list, std::size_t dims) { return list.size() == 1 && dims > 1; }

bool has_short_lists(const AtenConvolution& convolution, std::size_t dims) {
  return is_short(convolution.stride, dims) || is_short(convolution.padding, dims) ||
         is_short(convolution.dilation, dims) || is_short(convolution.output_padding, dims);
}

void put_list(std::span<const std::int64_t> values, std::int64_t* to) {
  to[0] = static_cast<std::int64_t>(values.size());
  std::ranges::copy(values, to + 1);
}

void put_input(const AtenConvolution& convolution, std::int64_t* to) {
  if (is_batched(convolution)) {
    put_list(convolution.input, to);
    return;
  }
  // Shorter than the weight, so that one more fits.
  to[0] = static_cast<std::int64_t>(convolution.input.size()) + 1;
  to[1] = 1;
  std::ranges::copy(convolution.input, to + 2);
}

void put_spatial(const SpatialList& list, std::size_t dims, std::int64_t* to) {
  if (!is_short(list, dims)) {
    put_list(list, to);
    return;
  }
  const std::size_t length = std::min(dims, max_spatial_dims);
  to[0] = static_cast<std::int64_t>(length);
  std::fill_n(to + 1, length, list[0]);
}

// The output channels that the weight declares, of extents with a product in range; else 0.
std::int64_t declared_channels(const AtenConvolution& convolution) {
  if (convolution.weight.size() < 2) return 0;
  if (!convolution.transposed) return convolution.weight[0];
  std::int64_t channels = 0;
  return __builtin_mul_overflow(convolution.weight[1], convolution.groups, &channels) ? 0
                                                                                      : channels;
}

std::int64_t flag_of(const AtenCall& call, std::size_t index) {
  const AtenFlag& flag = aten_flags[index];
  const bool stored = flag.flag == &AtenEnvironment::predicted_channels_last &&
                      call.input_format == MemoryFormat::channels_last &&
                      spatial_dims_of(call) == 2;
  return stored || call.environment.*flag.flag ? 1 : 0;
}

std::int64_t value_of(const AtenCall& call, const AtenBinding::Entry& entry) {
  const AtenConvolution& convolution = call.convolution;
  const AtenEnvironment& environment = call.environment;
  switch (entry.field) {
    case AtenField::spatial_dims:
      return static_cast<std::int64_t>(spatial_dims_of(call));
    case AtenField::input:
    case AtenField::weight:
    case AtenField::stride:
    case AtenField::padding:
    case AtenField::dilation:
    case AtenField::output_padding:
      break;  // lists, written by put_field
    case AtenField::batched:
      return is_batched(convolution) ? 1 : 0;
    case AtenField::short_lists:
      return has_short_lists(convolution, spatial_dims_of(call)) ? 1 : 0;
    case AtenField::transposed:
      return convolution.transposed ? 1 : 0;
    case AtenField::groups:
      return convolution.groups;
    case AtenField::has_bias:
      return convolution.bias ? 1 : 0;
    case AtenField::element_type:
      return static_cast<std::int64_t>(convolution.element_type);
    case AtenField::weight_element_type:
      return static_cast<std::int64_t>(call.weight_element_type);
    case AtenField::element_bytes:
      return element_types[static_cast<std::size_t>(convolution.element_type)].bytes;
    case AtenField::input_packed:
      return call.input_packed ? 1 : 0;
    case AtenField::wants_input:
      return call.output_mask[0] ? 1 : 0;
    case AtenField::wants_weight:
      return call.output_mask[1] ? 1 : 0;
    case AtenField::wants_bias:
      return call.output_mask[2] ? 1 : 0;
    case AtenField::bias_sizes:
      return call.bias_sizes ? 1 : 0;
    case AtenField::device:
      return static_cast<std::int64_t>(environment.device);
    case AtenField::shared_memory:
      return environment.shared_memory;
    case AtenField::environment_flag:
      return flag_of(call, entry.flag);
  }
  return 0;
}

void put_field(const AtenCall& call, const AtenBinding::Entry& entry, std::int64_t* to) {
  const AtenConvolution& convolution = call.convolution;
  const std::size_t dims = spatial_dims_of(call);
  switch (entry.field) {
    case AtenField::input:
      put_input(convolution, to);
      break;
    case AtenField::weight:
      put_list(convolution.weight, to);
      break;
    case AtenField::stride:
      put_spatial(convolution.stride, dims, to);
      break;
    case AtenField::padding:
      put_spatial(convolution.padding, dims, to);
      break;
    case AtenField::dilation:
      put_spatial(convolution.dilation, dims, to);
      break;
    case AtenField::output_padding:
      put_spatial(convolution.output_padding, dims, to);
      break;
    default:
      *to = value_of(call, entry);
  }
}

template <class List>
List get_list(const std::int64_t* from) {
  List values;
  const auto size =
      std::clamp<std::int64_t>(from[0], 0, static_cast<std::int64_t>(List::capacity()));
  for (std::int64_t i = 0; i < size; ++i) values.push_back(from[1 + i]);
  return values;
}

ElementType element_type_at(std::int64_t index) {
  const auto last = static_cast<std::int64_t>(element_types.size()) - 1;
  return element_types[static_cast<std::size_t>(std::clamp<std::int64_t>(index, 0, last))].type;
}

AtenDevice device_at(std::int64_t index) {
  const auto last = static_cast<std::int64_t>(aten_device_names.size()) - 1;
  return static_cast<AtenDevice>(std::clamp<std::int64_t>(index, 0, last));
}

// What a record says of the shapes of a call beside the shapes themselves.
struct Spelling {
  std::int64_t spatial_dims = 0;
  bool batched = true;
  bool short_lists = false;
  bool has_bias = false;
};

void read_field(const AtenBinding::Entry& entry, const std::int64_t* from, AtenCall& call,
                Spelling& spelling) {
  AtenConvolution& convolution = call.convolution;
  AtenEnvironment& environment = call.environment;
  switch (entry.field) {
    case AtenField::spatial_dims:
      spelling.spatial_dims = *from;
      break;
    case AtenField::input:
      convolution.input = get_list<Shape>(from);
      break;
    case AtenField::weight:
      convolution.weight = get_list<Shape>(from);
      break;
    case AtenField::stride:
      convolution.stride = get_list<SpatialList>(from);
      break;
    case AtenField::padding:
      convolution.padding = get_list<SpatialList>(from);
      break;
    case AtenField::dilation:
      convolution.dilation = get_list<SpatialList>(from);
      break;
    case AtenField::output_padding:
      convolution.output_padding = get_list<SpatialList>(from);
      break;
    case AtenField::batched:
      spelling.batched = *from != 0;
      break;
    case AtenField::short_lists:
      spelling.short_lists = *from != 0;
      break;
    case AtenField::transposed:
      convolution.transposed = *from != 0;
      break;
    case AtenField::groups:
      convolution.groups = *from;
      break;
    case AtenField::has_bias:
      spelling.has_bias = *from != 0;
      break;
    case AtenField::element_type:
      convolution.element_type = element_type_at(*from);
      break;
    case AtenField::weight_element_type:
      call.weight_element_type = element_type_at(*from);
      break;
    case AtenField::element_bytes:
      break;  // the element type says it
    case AtenField::input_packed:
      call.input_packed = *from != 0;
      break;
    case AtenField::wants_input:
      call.output_mask[0] = *from != 0;
      break;
    case AtenField::wants_weight:
      call.output_mask[1] = *from != 0;
      break;
    case AtenField::wants_bias:
      call.output_mask[2] = *from != 0;
      break;
    case AtenField::bias_sizes:
      call.bias_sizes = *from != 0;
      break;
    case AtenField::device:
      environment.device = device_at(*from);
      break;
    case AtenField::shared_memory:
      environment.shared_memory = *from;
      break;
    case AtenField::environment_flag:
      environment.*aten_flags[entry.flag].flag = *from != 0;
      break;
  }
}

// Rewrites what a record has in full to the way the call spells it.
void spell(const Spelling& spelling, AtenCall& call) {
  AtenConvolution& convolution = call.convolution;
  call.input_format = call.environment.predicted_channels_last ? MemoryFormat::channels_last
                                                               : MemoryFormat::contiguous;
  if (!spelling.batched && !convolution.input.empty()) {
    convolution.input = Shape(std::span<const std::int64_t>(convolution.input).subspan(1));
  }
  if (spelling.has_bias) convolution.bias = declared_channels(convolution);
  if (!spelling.short_lists || spelling.spatial_dims < 2) return;
  for (SpatialList* list : {&convolution.stride, &convolution.padding, &convolution.dilation,
                            &convolution.output_padding}) {
    if (list->size() > 1 && std::ranges::count(*list, (*list)[0]) == std::ssize(*list)) {
      *list = {(*list)[0]};
    }
  }
}

// An embedded schema with what is derived from it. That it loads is covered by tests; a build in
// which it did not would have no schema to speak of.
struct AtenSubject {
  Schema schema{};
  AtenBinding binding{};

  explicit AtenSubject(std::string_view file) {
    auto loaded = load_schema(embedded_file(file).value_or(""), file);
    assert(loaded);
    if (!loaded) return;
    schema = std::move(*loaded);
    auto bound = bind_aten(schema);
    assert(bound);
    if (bound) binding = std::move(*bound);
  }
};

const AtenSubject& subject(bool backward) {
  static const AtenSubject forward_instance("aten-convolution.schema.json");
  static const AtenSubject backward_instance("aten-convolution-backward.schema.json");
  return backward ? backward_instance : forward_instance;
}

}  // namespace

std::expected<AtenBinding, LocatedError> bind_aten(const Schema& schema) {
  return bind_aten(schema, std::vector<bool>(schema.attributes.size(), true));
}

std::expected<AtenBinding, LocatedError> bind_aten(const Schema& schema,
                                                   const std::vector<bool>& read) {
  AtenBinding binding{.record_size = schema.record_size};
  for (std::size_t i = 0; i < schema.attributes.size(); ++i) {
    auto entry = bind_attribute(schema, i);
    if (!entry) return std::unexpected(std::move(entry.error()));
    binding.backward = binding.backward || entry->field == AtenField::wants_input ||
                       entry->field == AtenField::wants_weight ||
                       entry->field == AtenField::wants_bias;
    if (read[i]) binding.entries.push_back(*entry);
  }
  return binding;
}

void fill_record(const AtenCall& call, const AtenBinding& binding, std::span<std::int64_t> record) {
  assert(record.size() == binding.record_size);
  for (const AtenBinding::Entry& entry : binding.entries)
    put_field(call, entry, record.data() + entry.slot);
}

AtenCall from_record(std::span<const std::int64_t> record, const AtenBinding& binding) {
  AtenCall call{.backward = binding.backward};
  Spelling spelling;
  for (const AtenBinding::Entry& entry : binding.entries)
    read_field(entry, record.data() + entry.slot, call, spelling);
  spell(spelling, call);
  return call;
}

bool is_backward(const Schema& schema) { return schema.find_attribute("wants_input") != nullptr; }

const Schema& aten_schema(bool backward) { return subject(backward).schema; }
const AtenBinding& aten_binding(bool backward) { return subject(backward).binding; }

}  // namespace convproof
