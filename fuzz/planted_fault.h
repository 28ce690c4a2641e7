#pragma once

#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "oracle/prime_field.h"
#include "selector/lowering/program.h"
#include "selector/op/conv_op.h"
#include "selector/registry/registry.h"
#include "selector/rules/located_error.h"

namespace convproof::fuzz {

// A fault of the table, as an edit of its text: within the row, the clause `drops` becomes `True`,
// or `old_text` becomes `new_text`; with `swap_with`, the two rows change places.
struct RegistryFault {
  std::string_view row{};
  std::string_view drops{};
  std::string_view old_text{};
  std::string_view new_text{};
  std::string_view swap_with{};
  std::string_view table{};  // the built-in one that it is a fault of; neuron-repaired where empty
};

// A fault of lowering or execution, planted between the two or in what the kernel wrote.
using ProgramFault = void (*)(const ConvOp& op, Program& program);
using ResultFault = void (*)(const ConvOp& op, std::span<oracle::Field61> result);

// A fault of a frontend's text form: the text between printing and reading.
using TextFault = void (*)(std::string& text);

// One known-bad change, by name, to show that a target would notice it. Exactly one part is set.
struct PlantedFault {
  std::string_view name{};
  std::string_view target{};  // the fuzz target that finds it
  RegistryFault registry{};
  ProgramFault program = nullptr;
  ResultFault result = nullptr;
  TextFault text = nullptr;
  bool edge = false;  // shows only at the edge of a tile: larger operations

  [[nodiscard]] bool in_registry() const { return !registry.row.empty(); }
};

std::span<const PlantedFault> planted_faults();

// The fault of the name; null where there is none.
const PlantedFault* find_fault(std::string_view name);

// The built-in registry with the fault's edit made, or an error where the edit does not apply.
std::expected<Registry, LocatedError> registry_with(const RegistryFault& fault,
                                                    std::string_view registry_name);

}  // namespace convproof::fuzz
