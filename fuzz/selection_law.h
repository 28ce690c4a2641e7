#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fuzz/broken_law.h"
#include "fuzz/planted_fault.h"
#include "selector/op/conv_op.h"
#include "selector/registry/matcher.h"
#include "selector/registry/registry.h"

namespace convproof::fuzz {

// What the three readings of a table must agree on. The reference reads the table as loaded; a
// planted fault is in what was compiled, as a fault of the compiler would be.
class SelectionLaw {
 public:
  // Ends the process with status 2 where the registry cannot be loaded.
  static SelectionLaw create(const std::string& registry, const PlantedFault* fault);

  // The op has `check_structure`.
  std::optional<BrokenLaw> broken_by(const ConvOp& op);

 private:
  SelectionLaw() = default;

  std::optional<BrokenLaw> broken_row(std::size_t row, const PredicateOutcome& compiled);

  std::unique_ptr<Registry> reference_{};
  std::unique_ptr<Registry> compiled_{};
  std::unique_ptr<Matcher> matcher_{};
  std::vector<std::int64_t> record_{};
  std::vector<PredicateOutcome> outcomes_{};
};

}  // namespace convproof::fuzz
