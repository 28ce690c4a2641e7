#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "fuzz/broken_law.h"
#include "fuzz/planted_fault.h"
#include "selector/op/conv_op.h"

namespace convproof::fuzz {

struct RegistryTextResult {
  std::optional<BrokenLaw> broken{};
  std::size_t clauses = 0;  // that were read
};

// A text that begins with `{` is a registry; any other is one clause over the schema of
// convolutions. What is refused is refused with its place; what is read is printed and read again
// as the same tree, and both say the same of one operation, compiled and by the reference
// evaluator.
RegistryTextResult check_registry_text(std::string_view text, const PlantedFault* fault);

// A clause that speaks of the op's numbers, true or false of it: what random text rarely is.
std::string clause_about(const ConvOp& op);

}  // namespace convproof::fuzz
