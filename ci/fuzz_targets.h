#pragma once

#include <array>
#include <string_view>

namespace convproof::ci {

// One fuzz target, as `convproof fuzz` runs it.
struct FuzzTarget {
  std::string_view name{};
  bool operations = true;        // its inputs are operations or calls, else text
  std::string_view extension{};  // of the corpus files a text target reads
  int max_length = 320;
  int slice = 20'000;        // executions that take a core some ten seconds under sanitizers
  bool candidates = false;   // for tables of candidates, and for no others
  bool beyond_core = false;  // links what the core does not: fleets go without
};
inline constexpr std::array fuzz_targets{
    FuzzTarget{.name = "fuzz_lower", .slice = 120'000},
    FuzzTarget{.name = "fuzz_select", .slice = 3'000},
    FuzzTarget{.name = "fuzz_kernel", .slice = 100'000},
    FuzzTarget{.name = "fuzz_bridge", .slice = 20'000},
    FuzzTarget{.name = "fuzz_candidates", .max_length = 256, .slice = 80'000, .candidates = true},
    FuzzTarget{"fuzz_hlo", false, ".hlo", 4096},
    FuzzTarget{"fuzz_stablehlo", false, ".mlir", 4096},
    FuzzTarget{"fuzz_json_case", false, ".json", 4096},
    FuzzTarget{"fuzz_aten_case", false, ".json", 4096, 15'000},
    FuzzTarget{"fuzz_benchdnn", false, ".txt", 4096, 15'000},
    FuzzTarget{"fuzz_torch", false, ".mlir", 4096, 15'000},
    FuzzTarget{.name = "fuzz_onnx",
               .operations = false,
               .extension = ".onnx",
               .max_length = 4096,
               .slice = 15'000,
               .beyond_core = true},
    FuzzTarget{"fuzz_registry", false, ".clause", 1024},
};

}  // namespace convproof::ci
