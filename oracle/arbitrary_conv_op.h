#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "oracle/draw.h"
#include "selector/op/conv_op.h"
#include "selector/op/element_type.h"

namespace convproof::oracle {

struct GeneratorOptions {
  std::int64_t max_extent = 6;    // spatial extents of the image
  std::int64_t max_features = 4;  // features per group, outputs per group, groups
  std::int64_t max_batch = 3;
  // At least 4096, so that an extent of 513 fits beside small ones.
  std::int64_t max_multiply_adds = 4096;
  // 0: small only. 1: one quantity (features, outputs, groups, batch or an extent) stands at 127,
  // 128 or 129, where partition tiles end. 2: or at 511, 512 or 513, where free tiles end.
  int size = 0;
  bool empty_results = false;                  // once in 32, a window that does not fit
  std::optional<std::size_t> spatial_dims{};   // instead of mostly 2, at times 1 or 3
  std::optional<ElementType> element_type{};   // instead of mostly f32, at times any other
  std::optional<bool> input_is_graph_input{};  // instead of either

  bool operator==(const GeneratorOptions&) const = default;
};

// A well-formed convolution, valid by construction: groups divide, shapes agree, the declared
// result shape is the inferred one, and no extent is 0 but for `empty_results`.
//
// Steered towards what the rows of the Neuron table ask for, and towards its edges: most ops have
// the shape of one row (dense in four layouts, depthwise, one-dimensional depthwise, weight
// gradients, the f01b layout), one in six of those with one attribute moved away; the rest are
// general. Windows: extents of 1, strides that do not divide, kernels wider than their input,
// padding of mixed sign, dilation with padding; feature and batch groups at both ends and between.
// Every choice is a draw of its own whose low end is the plainest.
// Source: design sheet of the Neuron table, sections A.3, C and D.
ConvOp arbitrary_conv_op(Draw draw, const GeneratorOptions& options = {});

// A random permutation; the identity where every draw is low.
Perm arbitrary_perm(Draw draw, std::size_t rank);

}  // namespace convproof::oracle
