#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

namespace convproof {

// How a kernel refuses a call.
enum class KernelFault : std::uint8_t {
  assertion,     // an assertion of the kernel itself
  device_limit,  // partitions, free size, banks, SBUF bytes, a write past a device buffer
  trace,         // the tracer fails before any code exists, as a division by zero does
};

// A refusal as plain data, cheap enough for a fuzzer's hot path: texts are literals.
// Printed as `rule (value, limit limit)`.
struct KernelError {
  KernelFault fault = KernelFault::assertion;
  std::string_view rule{};  // a string literal: the rule that was broken
  std::int64_t value = 0;   // the value found
  std::int64_t limit = 0;   // what the rule allows

  bool operator==(const KernelError&) const = default;
};

using KernelResult = std::expected<void, KernelError>;

std::string to_string(const KernelError& error);

}  // namespace convproof
