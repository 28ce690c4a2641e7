#pragma once

#include <expected>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "selector/op/aten_call.h"
#include "selector/op/error.h"

namespace convproof {

// The JSON form of a call of aten, forward or backward, with the names of AtenConvolution, AtenCall
// and AtenEnvironment:
//
//   {"input": [2, 16, 8, 8], "weight": [8, 16, 3, 3], "bias": 8, "stride": [1], "padding": [1],
//    "dilation": [1], "output_padding": [0], "transposed": false, "groups": 1,
//    "element_type": "f16", "weight_element_type": "f16", "input_format": "channels_last",
//    "input_packed": true, "backward": true, "output_mask": [true, false, false],
//    "bias_sizes": false, "environment": {"device": "xpu", "conv_ck": true, ...}}
//
// Only the two shapes must be given. Missing lists are neutral ([1] or [0]), a missing type of the
// weight is the input's, and everything else is as those types have it. `dtype` and
// `"channels_last": true` are understood as well; keys beyond these are refused.
//
// Writing and reading give back the same call, valid or not. An error's place is the path of the
// field, as `environment.device`.
std::expected<AtenCall, Error> read_aten_record(const nlohmann::json& record);
nlohmann::ordered_json write_aten_record(const AtenCall& call);

// The same from and to text; written on one line.
std::expected<AtenCall, Error> parse_aten_record(std::string_view text);
std::string aten_record_text(const AtenCall& call);

// Sets the environment's fields that the object names.
std::expected<void, Error> read_aten_environment(const nlohmann::json& object,
                                                 AtenEnvironment& environment);

}  // namespace convproof
