#include "selector/kernels/kernel_error.h"

#include <string>

#include <fmt/format.h>

namespace convproof {

std::string to_string(const KernelError& error) {
  return fmt::format("{} ({}, limit {})", error.rule, error.value, error.limit);
}

}  // namespace convproof
