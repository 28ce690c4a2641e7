#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <vector>

#include "selector/op/conv_op.h"
#include "selector/op/error.h"
#include "selector/rules/located_error.h"
#include "selector/rules/schema.h"

namespace convproof {

// What of a ConvOp a schema's attribute stands for.
enum class ConvField : std::uint8_t {
  spatial_dims,
  in_shape,
  kern_shape,
  res_shape,
  in_perm,
  kern_perm,
  out_perm,
  stride,
  lhs_dilation,
  rhs_dilation,
  padding,
  rhs_reversal,
  feature_group_count,
  batch_group_count,
  is_pglt,
  element_type,
  result_element_type,
  element_bytes,
  input_is_graph_input,
  kernel_is_graph_input,
};

// A schema's attributes tied to the fields of ConvOp: each attribute must bear the name and the
// type of a field, and a list the capacity that the field has.
struct ConvBinding {
  struct Entry {
    ConvField field{};
    std::uint32_t slot = 0;

    bool operator==(const Entry&) const = default;
  };
  std::vector<Entry> entries{};
  std::size_t record_size = 0;
  bool in_order = false;  // the schema lists every field in the order of ConvField

  bool operator==(const ConvBinding&) const = default;
};

std::expected<ConvBinding, LocatedError> bind_convolution(const Schema& schema);

// Only the attributes for which `read` is set (by index in the schema), for a program that reads no
// others; the slots of the rest are left as they are.
std::expected<ConvBinding, LocatedError> bind_convolution(const Schema& schema,
                                                          const std::vector<bool>& read);

// Writes what `binding` names into `record` (record_size slots). Allocates nothing; the op need not
// be well formed.
void fill_record(const ConvOp& op, const ConvBinding& binding, std::span<std::int64_t> record);

// The op a record describes, for a solver's witness, by a binding that has every attribute.
// Attributes that the schema lacks keep their neutral values; a list longer than its field is cut.
ConvOp from_record(std::span<const std::int64_t> record, const ConvBinding& binding);

// The embedded schema of convolutions.
const Schema& convolution_schema();
const ConvBinding& convolution_binding();

// Well-formedness, the one definition of it: `check_structure`, then the axioms of the embedded
// schema in order. One error per call: the first cause.
std::expected<void, Error> validate(const ConvOp& op);

}  // namespace convproof
