#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "fuzz/broken_law.h"
#include "fuzz/planted_fault.h"
#include "selector/frontends/document.h"
#include "selector/op/conv_op.h"

namespace convproof::fuzz {

struct TextResult {
  std::optional<BrokenLaw> broken{};
  std::size_t operations = 0;  // that the text holds
};

// What holds of a frontend for any text: whatever it reports has a place in the text, an operation
// that it takes is well formed, and printing the operation and reading that gives it back. A fault
// is planted between printing and reading.
struct TextLaw {
  std::expected<Document, Error> (*read)(std::string_view, const std::string&) = nullptr;
  std::string (*print)(const ConvOp&) = nullptr;
  const PlantedFault* fault = nullptr;

  [[nodiscard]] TextResult check(std::string_view text) const;
};

}  // namespace convproof::fuzz
