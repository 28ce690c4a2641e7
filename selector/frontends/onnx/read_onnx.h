#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "selector/frontends/document.h"
#include "selector/op/error.h"

namespace convproof {

// The `Conv` and `ConvTranspose` nodes of a serialised ONNX model, those of subgraphs included.
//
// `op` is the general convolution without the bias; `aten` the call with it, where symmetric
// padding computes the same. Extents are those of initialisers, constants, graph inputs and
// value_info; a symbolic batch counts as 1, which `note` says. Convolutions with zero points are
// found and refused; functions are not looked into. Source: ONNX operator specification, Conv-1,
// Conv-11, ConvTranspose-1 and ConvTranspose-11.
//
// Errors  bytes that are no whole model; in a node, the first thing that does not agree with the
//         specification, at the place `file: node[3] "name"`.
std::expected<Document, Error> read_onnx(std::string_view bytes, const std::string& file);

// The same of a file, with the golden values of the test data beside it: of each folder
// `test_data_set_N` there, `input_i.pb` are the graph's inputs that no initialiser states and
// `output_i.pb` its results. A convolution has golden values where these and the initialisers state
// both operands, the bias and the result. A second data set gives the operations again.
std::expected<Document, Error> read_onnx_file(const std::string& path);

// For read_document.
inline constexpr DocumentFormat onnx_format{".onnx", &read_onnx_file};

}  // namespace convproof
