#pragma once

#include <array>
#include <string>
#include <string_view>

#include "selector/op/aten_call.h"

namespace convproof::fuzz {

// Calls of aten in the text forms that have readers and no other printer. Any call is printed, what
// the form cannot express left out: none has a place for the environment and the memory format.
// What a form's reader took for a call reads back as the same.

// A list of one problem for benchdnn. It has no place for output padding (it follows from the
// extents), and of the masks of gradients knows three.
std::string as_benchdnn(const AtenCall& call);

// One function of torch-mlir's torch dialect, with `aten.convolution` or `convolution_backward`.
std::string as_torch_mlir(const AtenCall& call);

// One case, of every call: as write_json_case.
std::string as_aten_case(const AtenCall& call);

struct CallForm {
  std::string_view target{};  // the fuzz target that reads it
  std::string (*print)(const AtenCall&) = nullptr;
};
inline constexpr std::array call_forms{CallForm{"fuzz_aten_case", as_aten_case},
                                       CallForm{"fuzz_benchdnn", as_benchdnn},
                                       CallForm{"fuzz_torch", as_torch_mlir}};

}  // namespace convproof::fuzz
