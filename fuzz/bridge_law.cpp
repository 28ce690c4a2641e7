#include "fuzz/bridge_law.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "selector/lowering/program.h"
#include "selector/lowering/transpose.h"
#include "selector/op/perm.h"
#include "selector/op/tensor.h"

namespace convproof::fuzz {
namespace {

// A tensor whose elements are their logical places: the row-major index over canonical extents.
std::vector<std::int64_t> logical_places(const Shape& stored, const Perm& perm) {
  const Shape canonical = apply_dims(stored, perm);
  const Shape logical_strides = row_major_strides(canonical);
  // Of a storage axis, the stride of the canonical axis that stands there.
  const Shape steps = apply_dims(logical_strides, invert(perm));
  std::vector<std::int64_t> places(static_cast<std::size_t>(element_count(stored)));
  Shape at = Shape::filled(stored.size(), 0);
  std::int64_t place = 0;
  for (std::int64_t& element : places) {
    element = place;
    for (std::size_t axis = stored.size(); axis-- > 0;) {
      place += steps[axis];
      if (++at[axis] < stored[axis]) break;
      place -= steps[axis] * stored[axis];
      at[axis] = 0;
    }
  }
  return places;
}

// `from`, stored with one shape and perm, moved by the bridge, is stored with another.
std::optional<std::string> misled(const Shape& from_shape, const Perm& from_perm,
                                  const std::optional<Perm>& bridge, const Shape& to_shape,
                                  const Perm& to_perm) {
  const Shape moved_shape = bridge ? apply_dims(from_shape, *bridge) : from_shape;
  if (moved_shape != to_shape) return "leads to another shape";
  std::vector<std::int64_t> elements = logical_places(from_shape, from_perm);
  if (bridge) {
    std::vector<std::int64_t> moved(elements.size());
    transpose(TensorView<const std::int64_t>{elements, from_shape}, *bridge,
              TensorView<std::int64_t>{moved, moved_shape});
    elements = std::move(moved);
  }
  if (elements != logical_places(to_shape, to_perm)) return "moves elements to other places";
  return std::nullopt;
}

}  // namespace

std::optional<BrokenLaw> broken_bridge(const ConvOp& op, const Row& row,
                                       const PlantedFault* fault) {
  auto program = lower(op, row.kernel, row.lowering);
  if (!program) return std::nullopt;
  if (fault != nullptr && fault->program != nullptr) fault->program(op, *program);
  const KernelCall& call = program->kernel.call;
  const auto broken = [&](std::string_view tensor, const std::string& how) {
    return BrokenLaw{fmt::format("{}-bridge/{}", tensor, row.id),
                     fmt::format("row {}: the bridge of the {} {}", row.id, tensor, how)};
  };
  if (const auto how =
          misled(op.in_shape, op.in_perm, program->in_bridge, call.in_shape, call.in_perm)) {
    return broken("image", *how);
  }
  if (const auto how = misled(op.kern_shape, op.kern_perm, program->kern_bridge, call.kern_shape,
                              call.kern_perm)) {
    return broken("kernel", *how);
  }
  if (const auto how =
          misled(call.res_shape, call.out_perm, program->out_bridge, op.res_shape, op.out_perm)) {
    return broken("result", *how);
  }
  return std::nullopt;
}

}  // namespace convproof::fuzz
