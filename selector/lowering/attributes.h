#pragma once

#include <string>

#include "selector/lowering/program.h"

namespace convproof {

// The key names of the two shape attributes, which the sources leave open.
// Source: design sheet of the Neuron table, section G.1; decisions, item 7.
struct AttributeKeys {
  std::string source_shapes = "srcs_shapes";
  std::string result_shapes = "dsts_shapes";

  bool operator==(const AttributeKeys&) const = default;
};

// The attributes as the JSON text that codegen reads: keys in the order of section G.1 (or G.2), in
// the format of Python's standard serializer (`, ` and `: ` separators).
std::string attributes_text(const NativeKernel& kernel, const AttributeKeys& keys);

// The lowered program for people, one instruction a line:
//   %image = transpose(image), permutation={1,2,3,0}
std::string to_string(const Program& program, const AttributeKeys& keys);

}  // namespace convproof
