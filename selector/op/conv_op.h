#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <iosfwd>
#include <string>

#include "selector/op/element_type.h"
#include "selector/op/error.h"
#include "selector/op/fixed_vector.h"
#include "selector/op/perm.h"
#include "selector/op/window.h"

namespace convproof {

// A general convolution, as a regular value that need not be well formed: a selector sees whatever
// its compiler hands it, so the result shape is stored as declared.
//
// Shapes are physical (storage order); perms map storage to canonical order (perm.h).
// Source: StableHLO specification, op `convolution`; design sheet of the Neuron table, section A.1.
struct ConvOp {
  ElementType element_type = ElementType::f32;         // of both operands
  ElementType result_element_type = ElementType::f32;  // equals element_type but for widening ops
  Shape in_shape{};
  Shape kern_shape{};
  Shape res_shape{};
  Perm in_perm{};
  Perm kern_perm{};
  Perm out_perm{};
  FixedVector<WindowDim, max_spatial_dims> window{};
  std::int64_t feature_group_count = 1;
  std::int64_t batch_group_count = 1;
  bool is_pglt = false;               // opaque flag of the Neuron pass
  bool input_is_graph_input = true;   // the image operand is an argument of the graph
  bool kernel_is_graph_input = true;  // the kernel operand is an argument of the graph

  bool operator==(const ConvOp&) const = default;
};

// Extents read through the perms, by the names the design sheets use. `check_structure` must hold.
struct LogicalSizes {
  std::int64_t batch = 0;            // N
  std::int64_t input_features = 0;   // C
  std::int64_t output_features = 0;  // O
  std::int64_t kernel_features = 0;  // I: input features per group
  FixedVector<std::int64_t, max_spatial_dims> input{};
  FixedVector<std::int64_t, max_spatial_dims> kernel{};
  FixedVector<std::int64_t, max_spatial_dims> result{};  // as declared
  std::int64_t result_batch = 0;                         // NR, as declared
  std::int64_t result_features = 0;                      // CR, as declared
};

// Limits that keep every product in shape arithmetic inside int64: an extent, stride, dilation or
// pad is at most 2^31-1 in magnitude, and a tensor holds at most 2^46 elements.
inline constexpr std::int64_t max_extent = (std::int64_t{1} << 31) - 1;
inline constexpr std::int64_t max_elements = std::int64_t{1} << 46;

// Ranks agree, perms are permutations, nothing exceeds the limits above: what must hold before any
// other function may read the op. One error per call: the first cause.
std::expected<void, Error> check_structure(const ConvOp& op);

LogicalSizes logical_sizes(const ConvOp& op);

// The physical result shape that operands, window and group counts imply, in the op's out_perm.
// Shapes of ops with `check_structure` only; a window that does not fit gives extent 0.
Shape infer_result_shape(const ConvOp& op);

// Multiply-adds of the definition: result elements times kernel taps per group; saturates at
// INT64_MAX.
std::int64_t multiply_adds(const ConvOp& op);

// One line in dim-label notation, every attribute that is not neutral:
// `f32[1,32,28,28] x f32[48,32,3,3] -> f32[1,48,28,28], bf01_oi01->bf01, pad=1_1x1_1`
std::string to_string(const ConvOp& op);
std::ostream& operator<<(std::ostream& stream, const ConvOp& op);

}  // namespace convproof
