#pragma once

#include <cstddef>
#include <expected>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "selector/frontends/hlo_shape.h"
#include "selector/frontends/source_text.h"
#include "selector/op/conv_op.h"
#include "selector/op/error.h"

namespace convproof {

struct HloAttribute {
  std::size_t offset = 0;
  std::string_view name{};
  std::size_t value_offset = 0;
  std::string_view value{};
};

struct HloInstruction {
  std::size_t offset = 0;
  std::string_view name{};  // without `%`
  HloShape shape{};
  std::string_view opcode{};
  std::size_t operands_offset = 0;
  std::string_view operands{};  // between the parentheses
  std::vector<HloAttribute> attributes{};
};

// What an operand's name stands for within its computation.
struct HloDefinition {
  HloShape shape{};
  bool is_parameter = false;
};
using HloDefinitions = std::unordered_map<std::string_view, HloDefinition>;

// The convolution that `instruction` states, in storage order: layouts are folded into the perms.
// `input_is_graph_input` and `kernel_is_graph_input` say whether the operand is a parameter of the
// instruction's own computation; it is not looked for through reshapes or copies, since those make
// a tensor that the graph did not receive.
std::expected<ConvOp, Error> build_convolution(const SourceText& source,
                                               const HloInstruction& instruction,
                                               const HloDefinitions& definitions);

}  // namespace convproof
