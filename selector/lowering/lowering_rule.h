#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "selector/op/perm.h"

namespace convproof {

// How a row turns a convolution's attributes into the text that codegen reads.
// Source: design sheet of the Neuron table, sections G.1 and G.2.
enum class Marshaller : std::uint8_t {
  kernel_attr,              // every attribute, in the order of G.1
  kernel_attr_same_hl_pad,  // padding with low == high and stride only
};

struct MarshallerInfo {
  Marshaller marshaller{};
  std::string_view name{};
};
inline constexpr std::array marshallers{
    MarshallerInfo{Marshaller::kernel_attr, "kernel_attr"},
    MarshallerInfo{Marshaller::kernel_attr_same_hl_pad, "kernel_attr_same_hl_pad"},
};

// The layouts a kernel wants; an empty one takes the operation's own.
struct TargetLayout {
  std::optional<Perm> in{};
  std::optional<Perm> kern{};
  std::optional<Perm> out{};

  bool operator==(const TargetLayout&) const = default;
};

// What a row says about lowering. With `insert_transpose` the bridge helpers always run, without it
// only where some layout differs; a helper inserts no identity transpose unless it is forced.
// Source: design sheet of the Neuron table, sections B.11 to B.13 and E.
struct LoweringRule {
  TargetLayout layout{};
  bool insert_transpose = false;
  bool force_insert_transpose = false;
  Marshaller marshaller = Marshaller::kernel_attr;

  bool operator==(const LoweringRule&) const = default;
};

}  // namespace convproof
