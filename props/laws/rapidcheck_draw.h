#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>

#include <rapidcheck.h>

#include "oracle/arbitrary_conv_op.h"
#include "selector/op/conv_op.h"
#include "selector/op/fixed_vector.h"

namespace convproof {

// RapidCheck prints a counterexample with these.
template <class T, std::size_t Capacity>
std::ostream& operator<<(std::ostream& stream, const FixedVector<T, Capacity>& values) {
  stream << '[';
  for (std::size_t i = 0; i < values.size(); ++i) stream << (i == 0 ? "" : ", ") << values[i];
  return stream << ']';
}

}  // namespace convproof

namespace convproof::laws {

// RapidCheck as a draw source: each choice is a generator of its own, so that a counterexample is
// shrunk choice by choice towards the low ends.
struct RapidCheckDraw {
  std::int64_t between(std::int64_t low, std::int64_t high) const {
    // At the nominal size the whole range is drawn from the first case on.
    return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high + 1));
  }
};

inline rc::Gen<ConvOp> conv_op(const oracle::GeneratorOptions& options = {}) {
  return rc::gen::exec([options] {
    RapidCheckDraw draw;
    return oracle::arbitrary_conv_op(draw, options);
  });
}

}  // namespace convproof::laws

template <>
struct rc::Arbitrary<convproof::ConvOp> {
  static Gen<convproof::ConvOp> arbitrary() { return convproof::laws::conv_op(); }
};
