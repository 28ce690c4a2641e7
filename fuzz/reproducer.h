#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "selector/op/conv_op.h"

namespace convproof::fuzz {

// A stand-alone program or module with one convolution. Operands are graph arguments, or computed
// from them where the op says that they are intermediate. The pass flag of the op is not written:
// no form has a place for it.
//
// `hlo` and `stablehlo` read back as the same operation through the frontends. `jax`, `torch` and
// `cpp` fill the operands from a seed; torch moves the operands into its own layout first.
std::string as_hlo(const ConvOp& op);
std::string as_stablehlo(const ConvOp& op);
std::string as_jax(const ConvOp& op);
std::string as_torch(const ConvOp& op);
std::string as_cpp(const ConvOp& op);

struct ReproducerFormat {
  std::string_view name{};
  std::string (*print)(const ConvOp&) = nullptr;
};
inline constexpr std::array reproducer_formats{
    ReproducerFormat{"hlo", as_hlo}, ReproducerFormat{"stablehlo", as_stablehlo},
    ReproducerFormat{"jax", as_jax}, ReproducerFormat{"torch", as_torch},
    ReproducerFormat{"cpp", as_cpp},
};

}  // namespace convproof::fuzz
