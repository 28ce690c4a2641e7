#pragma once

#include <span>

#include "fuzz/planted_fault.h"

namespace convproof::fuzz {

std::span<const PlantedFault> program_faults();   // of lowered programs and of results
std::span<const PlantedFault> registry_faults();  // of the repaired table
std::span<const PlantedFault> text_faults();      // of printed text

}  // namespace convproof::fuzz
