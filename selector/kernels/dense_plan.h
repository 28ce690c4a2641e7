#pragma once

#include <array>
#include <cstdint>
#include <expected>

#include "selector/kernels/device.h"
#include "selector/kernels/kernel_call.h"
#include "selector/kernels/kernel_error.h"
#include "selector/kernels/tiling.h"

namespace convproof {

// One dense convolution, as the dense engine sees it: groups, lhs dilation and reversal do not
// exist for it. Pairs are (height, width); every extent is at least 1.
//
// Operands may disagree (a grouped op, say): the engine contracts the features that image and
// kernel share, with the image's count deciding the partitions, and reads zero past either.
struct DenseProblem {
  std::int64_t batch = 1;            // N, of image and result
  std::int64_t input_features = 1;   // C, of the image
  std::int64_t kernel_features = 1;  // I
  std::int64_t output_features = 1;  // O, of kernel operand and result
  std::array<std::int64_t, 2> input{1, 1};
  std::array<std::int64_t, 2> kernel{1, 1};
  std::array<std::int64_t, 2> result{1, 1};
  std::array<std::int64_t, 2> stride{1, 1};
  std::array<std::int64_t, 2> rhs_dilation{1, 1};
  std::array<KernelCall::Padding, 2> padding{};
  bool image_in_place = false;  // a bf01 image: one batch element at a time
  std::int64_t element_bytes = 4;
};

// How the dense engine cuts a problem up. Extents count elements; rows are input rows.
// Source: design sheet of the Neuron table, section H.1, steps 1 to 4.
struct DensePlan {
  std::int64_t replication = 1;   // H_REP: image copies stacked on the partitions
  std::int64_t partitions = 1;    // C * H_REP
  std::int64_t tile_height = 1;   // dilated filter rows per outer tile
  std::int64_t outer_tiles = 1;   // tiles of the dilated filter height
  std::int64_t filter_bands = 1;  // filter rows per outer tile
  Tiling batch{};
  Tiling columns{};                     // of K1
  Tiling rows{};                        // of K0 * stride
  std::int64_t compute_tiles = 1;       // of K0
  std::int64_t compute_tile = 1;        // result rows per tile
  std::int64_t row_tile_step = 1;       // row tiles from one compute tile to the next
  std::int64_t output_tile = 1;         // out features per PSUM tile
  std::int64_t filter_column_tile = 1;  // filter columns per prefetch; no effect on values
  std::int64_t staged_columns = 1;      // columns that matmuls read, of the padded width
  std::int64_t staged_batch = 1;        // batch elements staged together
  std::int64_t staging_elements = 0;    // scratch for one row tile of the image
  std::int64_t filter_elements = 0;     // scratch for one outer tile of the filter
  std::int64_t staging_bytes = 0;       // the device's image buffer, per partition

  // Free elements of one full PSUM tile.
  [[nodiscard]] std::int64_t free_elements() const {
    return compute_tile * columns.extent * batch.extent;
  }
};

// Checks every device limit; errors are `device_limit`.
std::expected<DensePlan, KernelError> plan_dense(const DenseProblem& problem, const Device& device);

}  // namespace convproof
