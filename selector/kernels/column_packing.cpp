#include "selector/kernels/column_packing.h"

#include <algorithm>
#include <cstdint>
#include <expected>

#include "selector/kernels/call_check.h"

namespace convproof {

std::expected<GroupTiles, KernelError> cut_groups(std::int64_t groups, std::int64_t width,
                                                  const KernelCall& call, const Device& device) {
  const std::int64_t bytes = info(call.element_type).bytes;
  const GroupTiles tiles{.tile = std::min(groups, device.partitions),
                         .rows_per_slice = rows_per_slice(width, bytes)};
  if (tiles.rows_per_slice == 0) {
    return refuse(KernelFault::trace, "integer division or modulo by zero", width * bytes,
                  max_slice_bytes);
  }
  if (groups % tiles.tile != 0) {
    return refuse(KernelFault::device_limit, "groups in whole tiles of the partitions", groups,
                  tiles.tile);
  }
  return tiles;
}

}  // namespace convproof
