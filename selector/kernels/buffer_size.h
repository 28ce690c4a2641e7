#pragma once

#include <cstdint>
#include <expected>
#include <initializer_list>
#include <limits>

#include "selector/kernels/kernel_error.h"

namespace convproof {

// The most elements that one scratch buffer of a model may hold: far above any device's on-chip
// memory, and small enough that asking for it cannot exhaust the host.
inline constexpr std::int64_t max_buffer_elements = std::int64_t{1} << 27;

// A product of extents, each at least 0; INT64_MAX where it would overflow.
constexpr std::int64_t saturating_product(std::initializer_list<std::int64_t> extents) {
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  std::int64_t product = 1;
  for (const std::int64_t extent : extents) {
    if (extent == 0) return 0;
    product = product > most / extent ? most : product * extent;
  }
  return product;
}

// The size of a scratch buffer, or the device error of one that no device can hold.
constexpr std::expected<std::int64_t, KernelError> buffer_elements(
    std::initializer_list<std::int64_t> extents) {
  const std::int64_t count = saturating_product(extents);
  if (count > max_buffer_elements) {
    return std::unexpected(KernelError{.fault = KernelFault::device_limit,
                                       .rule = "elements of an on-chip buffer",
                                       .value = count,
                                       .limit = max_buffer_elements});
  }
  return count;
}

}  // namespace convproof
