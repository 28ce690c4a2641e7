#include "selector/registry/conv_subject.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "selector/op/element_type.h"
#include "selector/op/perm.h"
#include "selector/registries/embedded.h"
#include "selector/rules/axiom.h"
#include "selector/rules/check.h"
#include "selector/rules/nearest_name.h"
#include "selector/rules/program.h"
#include "selector/rules/type.h"

namespace convproof {
namespace {

struct FieldInfo {
  std::string_view name;
  ConvField field;
  ScalarType scalar;
  std::uint8_t depth;
  std::uint32_t max_length;
};

constexpr auto rank = static_cast<std::uint32_t>(max_rank);
constexpr auto dims = static_cast<std::uint32_t>(max_spatial_dims);

// Written once: binding, filling and reading back walk this table by ConvField.
constexpr std::array fields{
    FieldInfo{"spatial_dims", ConvField::spatial_dims, ScalarType::integer, 0, 0},
    FieldInfo{"in_shape", ConvField::in_shape, ScalarType::integer, 1, rank},
    FieldInfo{"kern_shape", ConvField::kern_shape, ScalarType::integer, 1, rank},
    FieldInfo{"res_shape", ConvField::res_shape, ScalarType::integer, 1, rank},
    FieldInfo{"in_perm", ConvField::in_perm, ScalarType::integer, 1, rank},
    FieldInfo{"kern_perm", ConvField::kern_perm, ScalarType::integer, 1, rank},
    FieldInfo{"out_perm", ConvField::out_perm, ScalarType::integer, 1, rank},
    FieldInfo{"stride", ConvField::stride, ScalarType::integer, 1, dims},
    FieldInfo{"lhs_dilation", ConvField::lhs_dilation, ScalarType::integer, 1, dims},
    FieldInfo{"rhs_dilation", ConvField::rhs_dilation, ScalarType::integer, 1, dims},
    FieldInfo{"padding", ConvField::padding, ScalarType::integer, 2, dims},
    FieldInfo{"rhs_reversal", ConvField::rhs_reversal, ScalarType::boolean, 1, dims},
    FieldInfo{"feature_group_count", ConvField::feature_group_count, ScalarType::integer, 0, 0},
    FieldInfo{"batch_group_count", ConvField::batch_group_count, ScalarType::integer, 0, 0},
    FieldInfo{"is_pglt", ConvField::is_pglt, ScalarType::boolean, 0, 0},
    FieldInfo{"element_type", ConvField::element_type, ScalarType::enumeration, 0, 0},
    FieldInfo{"result_element_type", ConvField::result_element_type, ScalarType::enumeration, 0, 0},
    FieldInfo{"element_bytes", ConvField::element_bytes, ScalarType::integer, 0, 0},
    FieldInfo{"input_is_graph_input", ConvField::input_is_graph_input, ScalarType::boolean, 0, 0},
    FieldInfo{"kernel_is_graph_input", ConvField::kernel_is_graph_input, ScalarType::boolean, 0, 0},
};

constexpr std::uint32_t slot_count(const FieldInfo& field) {
  return field.depth == 0 ? 1 : 1 + field.max_length * (field.depth == 2 ? 2 : 1);
}

// Where each field stands in the record of a schema that lists them all in this order.
constexpr std::array<std::uint32_t, fields.size()> slots_in_order = [] {
  std::array<std::uint32_t, fields.size()> slots{};
  for (std::size_t i = 1; i < fields.size(); ++i)
    slots[i] = slots[i - 1] + slot_count(fields[i - 1]);
  return slots;
}();

std::unexpected<LocatedError> bad_attribute(std::size_t index, const std::string& value,
                                            std::string rule) {
  return std::unexpected(
      LocatedError{Error{fmt::format("attributes[{}]", index), value, std::move(rule)}});
}

std::expected<ConvBinding::Entry, LocatedError> bind_attribute(const Schema& schema,
                                                               std::size_t index) {
  const Attribute& attribute = schema.attributes[index];
  const auto* const known = std::ranges::find(fields, attribute.name, &FieldInfo::name);
  if (known == fields.end()) {
    std::vector<std::string_view> names;
    for (const FieldInfo& field : fields) names.push_back(field.name);
    const std::string_view near = nearest_name(attribute.name, names);
    return bad_attribute(index, attribute.name,
                         "no field of a convolution" +
                             (near.empty() ? "" : fmt::format(", did you mean `{}`?", near)));
  }
  if (attribute.type.scalar != known->scalar || attribute.type.depth != known->depth) {
    return bad_attribute(
        index, attribute.name,
        fmt::format("must be of type {}", to_string(Type{known->scalar, known->depth, 0})));
  }
  if (attribute.max_length != known->max_length) {
    return bad_attribute(index, attribute.name,
                         fmt::format("must have max_length {}", known->max_length));
  }
  if (attribute.type.depth == 2 && attribute.inner_length != 2) {
    return bad_attribute(index, attribute.name, "must have inner_length 2");
  }
  if (attribute.type.scalar == ScalarType::enumeration &&
      !std::ranges::equal(schema.enumerations[attribute.type.enumeration].values, element_types, {},
                          {}, &ElementTypeInfo::name)) {
    return bad_attribute(index, attribute.name,
                         "its enumeration must list the element types in their order");
  }
  return ConvBinding::Entry{known->field, attribute.slot};
}

void put_list(const Shape& values, std::int64_t* to) {
  to[0] = static_cast<std::int64_t>(values.size());
  // All of it, past the size too: a copy of fixed length is a few moves.
  std::memcpy(to + 1, values.data(), max_rank * sizeof(std::int64_t));
}

Shape get_list(const std::int64_t* from) {
  Shape values;
  const auto size = std::clamp<std::int64_t>(from[0], 0, std::int64_t{max_rank});
  for (std::int64_t i = 0; i < size; ++i) values.push_back(from[1 + i]);
  return values;
}

template <class Member>
void put_window(const ConvOp& op, Member member, std::int64_t* to) {
  to[0] = static_cast<std::int64_t>(op.window.size());
  const WindowDim* const window = op.window.data();
  for (std::size_t i = 0; i < max_spatial_dims; ++i)
    to[1 + i] = static_cast<std::int64_t>(window[i].*member);
}

template <class T>
void get_window(const std::int64_t* from, T WindowDim::* member, ConvOp& op) {
  for (std::size_t i = 0; i < op.window.size(); ++i) {
    if (static_cast<std::int64_t>(i) < from[0]) op.window[i].*member = static_cast<T>(from[1 + i]);
  }
}

void put_padding(const ConvOp& op, std::int64_t* to) {
  to[0] = static_cast<std::int64_t>(op.window.size());
  const WindowDim* const window = op.window.data();
  for (std::size_t i = 0; i < max_spatial_dims; ++i) {
    to[1 + 2 * i] = window[i].pad_low;
    to[2 + 2 * i] = window[i].pad_high;
  }
}

// Writes one field where it is told to. Inlined by force: with a constant field it is a few moves.
[[gnu::always_inline]] inline void put_field(const ConvOp& op, ConvField field, std::int64_t* to) {
  switch (field) {
    case ConvField::spatial_dims:
      *to = static_cast<std::int64_t>(op.window.size());
      break;
    case ConvField::in_shape:
      put_list(op.in_shape, to);
      break;
    case ConvField::kern_shape:
      put_list(op.kern_shape, to);
      break;
    case ConvField::res_shape:
      put_list(op.res_shape, to);
      break;
    case ConvField::in_perm:
      put_list(op.in_perm, to);
      break;
    case ConvField::kern_perm:
      put_list(op.kern_perm, to);
      break;
    case ConvField::out_perm:
      put_list(op.out_perm, to);
      break;
    case ConvField::stride:
      put_window(op, &WindowDim::stride, to);
      break;
    case ConvField::lhs_dilation:
      put_window(op, &WindowDim::lhs_dilation, to);
      break;
    case ConvField::rhs_dilation:
      put_window(op, &WindowDim::rhs_dilation, to);
      break;
    case ConvField::padding:
      put_padding(op, to);
      break;
    case ConvField::rhs_reversal:
      put_window(op, &WindowDim::reversal, to);
      break;
    case ConvField::feature_group_count:
      *to = op.feature_group_count;
      break;
    case ConvField::batch_group_count:
      *to = op.batch_group_count;
      break;
    case ConvField::is_pglt:
      *to = op.is_pglt ? 1 : 0;
      break;
    case ConvField::element_type:
      *to = static_cast<std::int64_t>(op.element_type);
      break;
    case ConvField::result_element_type:
      *to = static_cast<std::int64_t>(op.result_element_type);
      break;
    case ConvField::element_bytes:
      *to = element_types[static_cast<std::size_t>(op.element_type)].bytes;
      break;
    case ConvField::input_is_graph_input:
      *to = op.input_is_graph_input ? 1 : 0;
      break;
    case ConvField::kernel_is_graph_input:
      *to = op.kernel_is_graph_input ? 1 : 0;
      break;
  }
}

// The record of a schema that lists all fields in their order, as the embedded one does: the places
// are constants, and what is left of the whole is straight code.
template <std::size_t... index>
void put_all_fields(const ConvOp& op, std::int64_t* to, std::index_sequence<index...>) {
  (put_field(op, fields[index].field, to + slots_in_order[index]), ...);
}

ElementType element_type_at(std::int64_t index) {
  const auto last = static_cast<std::int64_t>(element_types.size()) - 1;
  return element_types[static_cast<std::size_t>(std::clamp<std::int64_t>(index, 0, last))].type;
}

void read_field(ConvField field, const std::int64_t* from, ConvOp& op) {
  switch (field) {
    case ConvField::spatial_dims:
    case ConvField::element_bytes:
      break;  // the window's size, read first; the element type says the bytes
    case ConvField::in_shape:
      op.in_shape = get_list(from);
      break;
    case ConvField::kern_shape:
      op.kern_shape = get_list(from);
      break;
    case ConvField::res_shape:
      op.res_shape = get_list(from);
      break;
    case ConvField::in_perm:
      op.in_perm = get_list(from);
      break;
    case ConvField::kern_perm:
      op.kern_perm = get_list(from);
      break;
    case ConvField::out_perm:
      op.out_perm = get_list(from);
      break;
    case ConvField::stride:
      get_window(from, &WindowDim::stride, op);
      break;
    case ConvField::lhs_dilation:
      get_window(from, &WindowDim::lhs_dilation, op);
      break;
    case ConvField::rhs_dilation:
      get_window(from, &WindowDim::rhs_dilation, op);
      break;
    case ConvField::padding:
      for (std::size_t i = 0; i < op.window.size(); ++i) {
        if (static_cast<std::int64_t>(i) >= from[0]) break;
        op.window[i].pad_low = from[1 + 2 * i];
        op.window[i].pad_high = from[2 + 2 * i];
      }
      break;
    case ConvField::rhs_reversal:
      get_window(from, &WindowDim::reversal, op);
      break;
    case ConvField::feature_group_count:
      op.feature_group_count = *from;
      break;
    case ConvField::batch_group_count:
      op.batch_group_count = *from;
      break;
    case ConvField::is_pglt:
      op.is_pglt = *from != 0;
      break;
    case ConvField::element_type:
      op.element_type = element_type_at(*from);
      break;
    case ConvField::result_element_type:
      op.result_element_type = element_type_at(*from);
      break;
    case ConvField::input_is_graph_input:
      op.input_is_graph_input = *from != 0;
      break;
    case ConvField::kernel_is_graph_input:
      op.kernel_is_graph_input = *from != 0;
      break;
  }
}

// The embedded schema with what is derived from it. That it loads is covered by tests; a build in
// which it did not would have no schema to speak of.
struct ConvolutionSubject {
  Schema schema{};
  ConvBinding binding{};
  TableProgram axioms{};

  ConvolutionSubject() {
    auto loaded = load_schema(embedded_file("convolution.schema.json").value_or(""),
                              "convolution.schema.json");
    assert(loaded);
    if (!loaded) return;
    schema = std::move(*loaded);
    auto bound = bind_convolution(schema);
    auto compiled = compile_predicate(axioms_predicate(schema), schema);
    assert(bound && compiled);
    if (bound) binding = std::move(*bound);
    if (compiled) axioms = std::move(*compiled);
  }
};

const ConvolutionSubject& subject() {
  static const ConvolutionSubject instance;
  return instance;
}

}  // namespace

std::expected<ConvBinding, LocatedError> bind_convolution(const Schema& schema) {
  return bind_convolution(schema, std::vector<bool>(schema.attributes.size(), true));
}

std::expected<ConvBinding, LocatedError> bind_convolution(const Schema& schema,
                                                          const std::vector<bool>& read) {
  ConvBinding binding{.record_size = schema.record_size};
  for (std::size_t i = 0; i < schema.attributes.size(); ++i) {
    auto entry = bind_attribute(schema, i);
    if (!entry) return std::unexpected(std::move(entry.error()));
    if (read[i]) binding.entries.push_back(*entry);
  }
  // Writing everything in order is cheaper than choosing, even where not everything is read.
  binding.in_order = schema.attributes.size() == fields.size();
  for (std::size_t i = 0; binding.in_order && i < fields.size(); ++i) {
    binding.in_order = schema.attributes[i].name == fields[i].name &&
                       schema.attributes[i].slot == slots_in_order[i];
  }
  return binding;
}

void fill_record(const ConvOp& op, const ConvBinding& binding, std::span<std::int64_t> record) {
  assert(record.size() == binding.record_size);
  if (binding.in_order) {
    put_all_fields(op, record.data(), std::make_index_sequence<fields.size()>());
    return;
  }
  for (const ConvBinding::Entry& entry : binding.entries)
    put_field(op, entry.field, record.data() + entry.slot);
}

ConvOp from_record(std::span<const std::int64_t> record, const ConvBinding& binding) {
  ConvOp op;
  for (const ConvBinding::Entry& entry : binding.entries) {
    if (entry.field != ConvField::spatial_dims) continue;
    const auto size =
        std::clamp<std::int64_t>(record[entry.slot], 0, std::int64_t{max_spatial_dims});
    for (std::int64_t i = 0; i < size; ++i) op.window.push_back({});
  }
  for (const ConvBinding::Entry& entry : binding.entries)
    read_field(entry.field, record.data() + entry.slot, op);
  return op;
}

const Schema& convolution_schema() { return subject().schema; }
const ConvBinding& convolution_binding() { return subject().binding; }

std::expected<void, Error> validate(const ConvOp& op) {
  if (auto structure = check_structure(op); !structure) return structure;
  const ConvolutionSubject& convolution = subject();
  thread_local Workspace workspace = convolution.axioms.make_workspace();
  fill_record(op, convolution.binding, workspace.record());
  const PredicateOutcome outcome = convolution.axioms.run_row(0, workspace);
  if (outcome.kind == PredicateOutcome::Kind::matched) return {};
  return std::unexpected(axiom_error(convolution.schema.axioms[outcome.clause], convolution.schema,
                                     workspace.record()));
}

}  // namespace convproof
