#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <vector>

#include "selector/op/aten_call.h"
#include "selector/op/error.h"
#include "selector/rules/located_error.h"
#include "selector/rules/schema.h"

namespace convproof {

// What of an AtenCall a schema's attribute stands for.
enum class AtenField : std::uint8_t {
  spatial_dims,
  input,
  weight,
  stride,
  padding,
  dilation,
  output_padding,
  batched,
  short_lists,
  transposed,
  groups,
  has_bias,
  element_type,
  weight_element_type,
  element_bytes,
  input_packed,
  wants_input,
  wants_weight,
  wants_bias,
  bias_sizes,
  device,
  shared_memory,
  environment_flag,  // one of aten_flags
};

// A schema's attributes tied to the fields of AtenCall: each attribute must bear the name and the
// type of a field, and a list the capacity that the field has.
struct AtenBinding {
  struct Entry {
    AtenField field{};
    std::uint8_t flag = 0;  // index in aten_flags, of an environment_flag
    std::uint32_t slot = 0;

    bool operator==(const Entry&) const = default;
  };
  std::vector<Entry> entries{};
  std::size_t record_size = 0;
  bool backward = false;  // the schema asks which gradients are wanted

  bool operator==(const AtenBinding&) const = default;
};

std::expected<AtenBinding, LocatedError> bind_aten(const Schema& schema);

// Only the attributes for which `read` is set (by index in the schema), for a program that reads no
// others; the slots of the rest are left as they are.
std::expected<AtenBinding, LocatedError> bind_aten(const Schema& schema,
                                                   const std::vector<bool>& read);

// Writes what `binding` names into `record` (record_size slots). Allocates nothing; the call need
// not be well formed. What a record leaves out is said by attributes beside it: an input without
// batch axis is given one of extent 1 and is not `batched`; a list of one number is spread over the
// spatial dimensions, and there are `short_lists` if those are several; an input stored channels
// last has `predicted_channels_last`; a bias is there, of the length that the weight declares.
void fill_record(const AtenCall& call, const AtenBinding& binding, std::span<std::int64_t> record);

// The call a record describes, for a solver's witness, by a binding that has every attribute.
// Attributes that the schema lacks keep their defaults; a list longer than its field is cut. Where
// there are short lists, every list of equal numbers is written with one; the input is stored
// channels last where the result is predicted to be. `fill_record` of the call gives the record
// back if it is well formed.
AtenCall from_record(std::span<const std::int64_t> record, const AtenBinding& binding);

// Whether a schema is of backward calls: it says which gradients are wanted.
bool is_backward(const Schema& schema);

// The embedded schemas, of the forward operation and of the backward one.
const Schema& aten_schema(bool backward);
const AtenBinding& aten_binding(bool backward);

// Well-formedness, the one definition of it: what eager execution accepts, within the limits of
// conv_op.h. The structure first (ranks, lengths, limits), then the axioms of the embedded schema
// in order, then what a record does not hold: the bias's length, the elements of the result. One
// error per call: the first cause.
// Source: design sheet of Inductor's convolution lowering, sections A.2 and A.7.
std::expected<void, Error> validate(const AtenCall& call);

}  // namespace convproof
