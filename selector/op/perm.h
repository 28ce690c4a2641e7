#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "selector/op/fixed_vector.h"

namespace convproof {

inline constexpr std::size_t max_spatial_dims = 3;
inline constexpr std::size_t max_rank = max_spatial_dims + 2;

// Extents of a tensor, slowest-varying axis first: axis order is storage order.
using Shape = FixedVector<std::int64_t, max_rank>;

// A permutation in the gather (numpy transpose) convention: `canonical[i] = physical[perm[i]]`, so
// `shape[perm[i]]` is the extent of canonical axis i.
//
// Canonical order is (batch, feature, spatial...) for image and result, and
// (out feature, in feature, spatial...) for the kernel operand.
// Source: design sheet of the Neuron table, sections A.2 and F; numpy.transpose.
using Perm = FixedVector<std::int64_t, max_rank>;

Perm identity_perm(std::size_t rank);
bool is_permutation(std::span<const std::int64_t> perm);
bool is_identity(const Perm& perm);

// `apply_dims(s, p)[i] = s[p[i]]`. Both of one rank.
Shape apply_dims(const Shape& shape, const Perm& perm);

// `invert(p)[p[i]] = i`.
Perm invert(const Perm& perm);

// "first p, then q": `compose(p, q)[i] = p[q[i]]`.
Perm compose(const Perm& p, const Perm& q);

// The transpose to run on a stored operand with perm `current` so that its new perm is `target`;
// `compose(input_bridge(c, t), t) == c`.
Perm input_bridge(const Perm& current, const Perm& target);

// The transpose to run on a kernel's result, stored with perm `target`, to give back the layout
// `current`; the inverse of the input bridge.
Perm output_bridge(const Perm& current, const Perm& target);

// `0,3,1,2`
std::string to_string(const Perm& perm);

}  // namespace convproof
