#pragma once

#include <cstdint>

namespace convproof {

// Limits of one core of the accelerator that the Neuron kernels run on.
// Source: design sheet of the Neuron table, section H, hardware limits (second generation).
struct Device {
  std::int64_t partitions = 128;
  std::int64_t free_elements = 512;  // moving free size of one matmul, fp32 elements of a bank
  std::int64_t psum_banks = 8;
  std::int64_t psum_bank_bytes = 2048;        // per partition
  std::int64_t sbuf_bytes = 196608;           // per partition
  std::int64_t copy_partition_multiple = 32;  // on-chip copies start at a multiple of this
  bool onchip_replication = false;            // replicated image loads become on-chip copies

  bool operator==(const Device&) const = default;
};

}  // namespace convproof
