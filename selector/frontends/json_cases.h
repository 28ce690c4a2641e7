#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "selector/op/aten_call.h"
#include "selector/op/conv_op.h"

namespace convproof {

// The JSON form of single convolutions, in which witnesses and regression cases are kept:
//
//   {"version": 1, "cases": [{"id": "...", "frontend": "hlo", "lhs": [..], "rhs": [..],
//     "dim_labels": "b01f_01io->b01f", "window": {"size": [..], "stride": [..], "pad": [[lo, hi],
//     ..], "lhs_dilate": [..], "rhs_dilate": [..], "rhs_reversal": [..]},
//     "feature_group_count": n, "batch_group_count": n, "dtype": "f32", ...}]}
//
// Optional in a case: `result_dtype`, `out_shape` (the result as declared; without it, the one that
// the operands imply), `kernel_is_graph_input`, `input_is_graph_input`, `is_pglt`, `why`, `source`,
// `expect` ({"out_shape": [..]}, {"error": "..."}, {"tables": {"neuron": {"row": "..", "class":
// ".."}}}). A part of `window` that is missing is
// neutral. A case with `"aten": {...}` in place of the fields from `frontend` to `dtype` is a call
// of aten, in the form of aten_record.h; `expect.of`, as `grad_weight`, says which gradient of a
// backward call is its ConvOp. `read_json_cases` (document.h) reads both forms, arrays of such
// cases, and cases with `"frontend": "aten"`, an older form of calls.
struct JsonCase {
  std::string id{};
  ConvOp op{};  // `check_structure` must hold; not written where there is a call
  std::optional<AtenCall> aten{};
  std::string why{};
  std::string source{};
};

// Reading the text gives back the same operations, well formed or not.
std::string write_json_cases(std::span<const JsonCase> cases);
std::string write_json_case(std::string_view name, const ConvOp& op);
std::string write_json_case(std::string_view name, const AtenCall& call);

}  // namespace convproof
