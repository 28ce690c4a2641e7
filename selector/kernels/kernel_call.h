#pragma once

#include <cstdint>

#include "selector/op/element_type.h"
#include "selector/op/fixed_vector.h"
#include "selector/op/perm.h"

namespace convproof {

// What a leaf kernel is handed: the marshalled attributes after layout bridging, as a struct.
// Window reversal is not among them: the production marshallers do not pass it.
// Source: design sheet of the Neuron table, sections G.1 and G.2.
struct KernelCall {
  struct Padding {
    std::int64_t low = 0;
    std::int64_t high = 0;
    bool operator==(const Padding&) const = default;
  };
  template <class T>
  using PerSpatialDim = FixedVector<T, max_spatial_dims>;

  PerSpatialDim<std::int64_t> stride{};
  PerSpatialDim<Padding> padding{};
  PerSpatialDim<std::int64_t> rhs_dilation{};
  PerSpatialDim<std::int64_t> lhs_dilation{};
  Perm in_perm{};
  Perm kern_perm{};
  Perm out_perm{};
  Shape in_shape{};  // bridged, physical
  Shape kern_shape{};
  Shape res_shape{};
  std::int64_t batch_group_count = 1;
  std::int64_t feature_group_count = 1;
  ElementType element_type = ElementType::f32;  // decides byte sizes in device budgets, not values

  bool operator==(const KernelCall&) const = default;
};

}  // namespace convproof
