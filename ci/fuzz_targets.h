#pragma once

#include <array>
#include <string_view>

namespace convproof::ci {

// One fuzz target, as `convproof fuzz` runs it.
struct FuzzTarget {
  std::string_view name{};
  bool operations = true;        // its inputs are operations, else text
  std::string_view extension{};  // of the corpus files a text target reads
  int max_length = 320;
};
inline constexpr std::array fuzz_targets{
    FuzzTarget{.name = "fuzz_lower"},
    FuzzTarget{.name = "fuzz_select"},
    FuzzTarget{.name = "fuzz_kernel"},
    FuzzTarget{.name = "fuzz_bridge"},
    FuzzTarget{"fuzz_hlo", false, ".hlo", 4096},
    FuzzTarget{"fuzz_stablehlo", false, ".mlir", 4096},
    FuzzTarget{"fuzz_json_case", false, ".json", 4096},
    FuzzTarget{"fuzz_registry", false, ".clause", 1024},
};

}  // namespace convproof::ci
