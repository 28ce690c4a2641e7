#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "fuzz/faults/fault_lists.h"
#include "selector/op/conv_op.h"
#include "selector/op/tensor.h"

namespace convproof::fuzz {
namespace {

using oracle::Field61;

// Faults of what the kernel is handed. The bridges of a program are absent where they would be the
// identity, so that a fault of theirs shows only where one is inserted.
KernelCall& call_of(Program& program) { return program.kernel.call; }

void invert_bridge(std::optional<Perm>& bridge) {
  if (bridge) bridge = invert(*bridge);
}

void keep_one_shape(Shape& shape, const std::optional<Perm>& bridge, const Shape& stored) {
  if (bridge) shape = stored;
}

// Faults of what the kernel wrote, as the elements of the result by logical coordinates.
struct ResultGrid {
  const ConvOp& op;
  std::span<Field61> elements;
  Shape steps = apply_dims(row_major_strides(op.res_shape), op.out_perm);
  Shape sizes = apply_dims(op.res_shape, op.out_perm);

  [[nodiscard]] Field61& at(std::int64_t n, std::int64_t o, std::int64_t y, std::int64_t x) const {
    return elements[static_cast<std::size_t>(n * steps[0] + o * steps[1] + y * steps[2] +
                                             x * steps[3])];
  }
  [[nodiscard]] bool usable() const { return sizes.size() == 4 && element_count(sizes) > 0; }

  template <class Change>
  void for_each(Change change) const {
    if (!usable()) return;
    for (std::int64_t n = 0; n < sizes[0]; ++n) {
      for (std::int64_t o = 0; o < sizes[1]; ++o) {
        for (std::int64_t y = 0; y < sizes[2]; ++y) {
          for (std::int64_t x = 0; x < sizes[3]; ++x) change(n, o, y, x, at(n, o, y, x));
        }
      }
    }
  }
};

constexpr std::array faults{
    PlantedFault{.name = "padding-sides-swapped",
                 .target = "fuzz_lower",
                 .program =
                     [](const ConvOp&, Program& program) {
                       for (auto& padding : call_of(program).padding) {
                         std::swap(padding.low, padding.high);
                       }
                     }},
    PlantedFault{.name = "padding-axes-swapped",
                 .target = "fuzz_lower",
                 .program =
                     [](const ConvOp&, Program& program) {
                       std::swap(call_of(program).padding[0], call_of(program).padding[1]);
                     }},
    PlantedFault{
        .name = "low-padding-one-more",
        .target = "fuzz_lower",
        .program = [](const ConvOp&, Program& program) { call_of(program).padding[1].low += 1; }},
    PlantedFault{.name = "negative-padding-dropped",
                 .target = "fuzz_lower",
                 .program =
                     [](const ConvOp&, Program& program) {
                       for (auto& padding : call_of(program).padding) {
                         padding.low = std::max<std::int64_t>(padding.low, 0);
                       }
                     }},
    PlantedFault{
        .name = "height-padding-dropped",
        .target = "fuzz_lower",
        .program = [](const ConvOp&, Program& program) { call_of(program).padding[0].low = 0; }},
    PlantedFault{
        .name = "stride-dropped",
        .target = "fuzz_lower",
        .program = [](const ConvOp&, Program& program) { call_of(program).stride = {1, 1}; }},
    PlantedFault{.name = "stride-axes-swapped",
                 .target = "fuzz_lower",
                 .program =
                     [](const ConvOp&, Program& program) {
                       std::swap(call_of(program).stride[0], call_of(program).stride[1]);
                     }},
    PlantedFault{
        .name = "rhs-dilation-dropped",
        .target = "fuzz_lower",
        .program = [](const ConvOp&, Program& program) { call_of(program).rhs_dilation = {1, 1}; }},
    PlantedFault{.name = "rhs-dilation-axes-swapped",
                 .target = "fuzz_lower",
                 .program =
                     [](const ConvOp&, Program& program) {
                       std::swap(call_of(program).rhs_dilation[0],
                                 call_of(program).rhs_dilation[1]);
                     }},
    PlantedFault{.name = "dilation-for-stride",
                 .target = "fuzz_lower",
                 .program =
                     [](const ConvOp&, Program& program) {
                       std::swap(call_of(program).stride, call_of(program).rhs_dilation);
                     }},
    PlantedFault{
        .name = "image-bridge-inverted",
        .target = "fuzz_lower",
        .program = [](const ConvOp&, Program& program) { invert_bridge(program.in_bridge); }},
    PlantedFault{
        .name = "kernel-bridge-inverted",
        .target = "fuzz_lower",
        .program = [](const ConvOp&, Program& program) { invert_bridge(program.kern_bridge); }},
    PlantedFault{
        .name = "result-bridge-inverted",
        .target = "fuzz_lower",
        .program = [](const ConvOp&, Program& program) { invert_bridge(program.out_bridge); }},
    PlantedFault{.name = "image-bridge-last-axes-swapped",
                 .target = "fuzz_lower",
                 .program =
                     [](const ConvOp&, Program& program) {
                       if (program.in_bridge) {
                         std::swap((*program.in_bridge)[2], (*program.in_bridge)[3]);
                       }
                     }},
    // The result's perm alone would do no harm: the dense kernel takes the scatter form of its one
    // perm that is not its own inverse.
    PlantedFault{.name = "perms-in-scatter-form",
                 .target = "fuzz_lower",
                 .program =
                     [](const ConvOp&, Program& program) {
                       KernelCall& call = call_of(program);
                       call.in_perm = invert(call.in_perm);
                       call.kern_perm = invert(call.kern_perm);
                       call.out_perm = invert(call.out_perm);
                     }},
    PlantedFault{.name = "image-perm-stale",
                 .target = "fuzz_lower",
                 .program = [](const ConvOp& op,
                               Program& program) { call_of(program).in_perm = op.in_perm; }},
    PlantedFault{.name = "kernel-perm-stale",
                 .target = "fuzz_lower",
                 .program = [](const ConvOp& op,
                               Program& program) { call_of(program).kern_perm = op.kern_perm; }},
    PlantedFault{.name = "image-shape-stale",
                 .target = "fuzz_lower",
                 .program =
                     [](const ConvOp& op, Program& program) {
                       keep_one_shape(call_of(program).in_shape, program.in_bridge, op.in_shape);
                     }},
    PlantedFault{.name = "kernel-shape-stale",
                 .target = "fuzz_lower",
                 .program =
                     [](const ConvOp& op, Program& program) {
                       keep_one_shape(call_of(program).kern_shape, program.kern_bridge,
                                      op.kern_shape);
                     }},
    PlantedFault{.name = "result-shape-stale",
                 .target = "fuzz_lower",
                 .program =
                     [](const ConvOp& op, Program& program) {
                       keep_one_shape(call_of(program).res_shape, program.out_bridge, op.res_shape);
                     }},
    PlantedFault{.name = "group-counts-exchanged",
                 .target = "fuzz_lower",
                 .program =
                     [](const ConvOp&, Program& program) {
                       std::swap(call_of(program).feature_group_count,
                                 call_of(program).batch_group_count);
                     }},
    PlantedFault{
        .name = "operand-bridges-exchanged",
        .target = "fuzz_lower",
        .program = [](const ConvOp&,
                      Program& program) { std::swap(program.in_bridge, program.kern_bridge); }},
    PlantedFault{.name = "last-row-missing",
                 .target = "fuzz_lower",
                 .result =
                     [](const ConvOp& op, std::span<Field61> result) {
                       const ResultGrid grid{op, result};
                       grid.for_each([&](auto, auto, std::int64_t y, auto, Field61& element) {
                         if (y > 0 && y + 1 == grid.sizes[2]) element = Field61{};
                       });
                     }},
    PlantedFault{.name = "last-column-clamped",
                 .target = "fuzz_lower",
                 .result =
                     [](const ConvOp& op, std::span<Field61> result) {
                       const ResultGrid grid{op, result};
                       grid.for_each([&](std::int64_t n, std::int64_t o, std::int64_t y,
                                         std::int64_t x, Field61& element) {
                         if (x > 0 && x + 1 == grid.sizes[3]) element = grid.at(n, o, y, x - 1);
                       });
                     }},
    PlantedFault{.name = "group-index-off",
                 .target = "fuzz_lower",
                 .result =
                     [](const ConvOp& op, std::span<Field61> result) {
                       if (op.feature_group_count == 1 && op.batch_group_count == 1) return;
                       const ResultGrid grid{op, result};
                       grid.for_each([&](std::int64_t n, std::int64_t o, std::int64_t y,
                                         std::int64_t x, Field61& element) {
                         if (o > 0) std::swap(element, grid.at(n, o - 1, y, x));
                       });
                     }},
    // A diagonal step of `tile` for `tile + 1` reads the first group for every group.
    PlantedFault{.name = "diagonal-stride-off",
                 .target = "fuzz_lower",
                 .result =
                     [](const ConvOp& op, std::span<Field61> result) {
                       if (op.batch_group_count == 1) return;
                       const ResultGrid grid{op, result};
                       grid.for_each([&](std::int64_t n, std::int64_t o, std::int64_t y,
                                         std::int64_t x, Field61& element) {
                         if (o > 0) element = grid.at(n, 0, y, x);
                       });
                     }},
    PlantedFault{.name = "second-image-repeated",
                 .target = "fuzz_lower",
                 .result =
                     [](const ConvOp& op, std::span<Field61> result) {
                       const ResultGrid grid{op, result};
                       grid.for_each([&](std::int64_t n, std::int64_t o, std::int64_t y,
                                         std::int64_t x, Field61& element) {
                         if (n > 0) element = grid.at(n - 1, o, y, x);
                       });
                     }},
    PlantedFault{.name = "partition-tail-missing",
                 .target = "fuzz_lower",
                 .result =
                     [](const ConvOp& op, std::span<Field61> result) {
                       const ResultGrid grid{op, result};
                       grid.for_each([&](auto, std::int64_t o, auto, auto, Field61& element) {
                         if (o >= 128) element = Field61{};
                       });
                     },
                 .edge = true},
    PlantedFault{.name = "free-tail-missing",
                 .target = "fuzz_lower",
                 .result =
                     [](const ConvOp& op, std::span<Field61> result) {
                       const ResultGrid grid{op, result};
                       grid.for_each(
                           [&](auto, auto, std::int64_t y, std::int64_t x, Field61& element) {
                             if (y * grid.sizes[3] + x >= 512) element = Field61{};
                           });
                     },
                 .edge = true},
    PlantedFault{.name = "full-tile-taken-for-partial",
                 .target = "fuzz_lower",
                 .result =
                     [](const ConvOp& op, std::span<Field61> result) {
                       const ResultGrid grid{op, result};
                       grid.for_each([&](auto, std::int64_t o, auto, auto, Field61& element) {
                         if (grid.sizes[1] == 128 && o == 127) element = Field61{};
                       });
                     },
                 .edge = true},
    PlantedFault{.name = "bridge-composed-backwards",
                 .target = "fuzz_bridge",
                 .program =
                     [](const ConvOp& op, Program& program) {
                       program.in_bridge = input_bridge(call_of(program).in_perm, op.in_perm);
                     }},
    PlantedFault{.name = "bridge-forgotten",
                 .target = "fuzz_bridge",
                 .program = [](const ConvOp&, Program& program) { program.out_bridge.reset(); }},
    PlantedFault{.name = "first-tap-doubled",
                 .target = "fuzz_kernel",
                 .result =
                     [](const ConvOp& op, std::span<Field61> result) {
                       const ResultGrid grid{op, result};
                       grid.for_each([&](auto, auto, std::int64_t y, auto, Field61& element) {
                         if (y == 1) element += element;
                       });
                     }},
    PlantedFault{
        .name = "stride-ignored",
        .target = "fuzz_kernel",
        .program = [](const ConvOp&, Program& program) { call_of(program).stride = {1, 1}; }},
};

}  // namespace

std::span<const PlantedFault> program_faults() { return faults; }

}  // namespace convproof::fuzz
