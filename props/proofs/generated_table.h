#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "selector/registry/registry.h"
#include "selector/rules/located_error.h"

namespace convproof::proofs {

// A row that no single earlier row shadows, only these together, each of which is needed; ids, the
// blockers in the order in which they stand.
struct PlantedRow {
  std::string row{};
  std::vector<std::string> by{};

  bool operator==(const PlantedRow&) const = default;
};

struct GeneratedTable {
  Registry registry{};
  std::vector<PlantedRow> planted{};  // in the order in which they stand
};

// A table of `rows` rows in the style of the Neuron one, over its schema and its kernels: guards on
// layouts, strides, dilations, group counts, extents and moduli. About one row in ten is planted:
// its blockers split what it matches by residues, by ranges, by a product, by flags or by what the
// schema's axioms leave open. Other rows share layouts and strides with these, so that they overlap
// them, and may be dead as well. The same rows and seed give the same table.
//
// Errors: those of loading the Neuron table.
std::expected<GeneratedTable, LocatedError> generated_table(std::size_t rows, std::uint64_t seed);

}  // namespace convproof::proofs
