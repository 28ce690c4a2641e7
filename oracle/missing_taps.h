#pragma once

#include <cstdint>
#include <functional>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

#include "oracle/compare.h"
#include "oracle/prime_field.h"
#include "selector/op/conv_op.h"
#include "selector/op/tensor.h"

namespace convproof::oracle {

// What is wrong with the contribution of one kernel element to one result element.
enum class TapFault : std::uint8_t {
  missing,  // it should contribute and does not
  wrong,    // it contributes something else than it should
  foreign   // it belongs to another output feature and contributes all the same
};

// One element of the kernel operand in canonical coordinates, and its fault.
struct FaultyTap {
  std::int64_t o = 0;
  std::int64_t i = 0;  // input feature within its group
  FixedVector<std::int64_t, max_spatial_dims>
      at{};  // as stored: a reversed window meets it flipped
  TapFault fault = TapFault::missing;

  bool operator==(const FaultyTap&) const = default;
};

// `o=1 i=0 u=2 v=0 is missing`.
std::string to_string(const FaultyTap& tap);
std::ostream& operator<<(std::ostream& stream, const FaultyTap& tap);

// Runs the kernel under suspicion; false where it refuses the operands.
using FieldKernel = std::function<bool(
    TensorView<const Field61> image, TensorView<const Field61> kernel, TensorView<Field61> result)>;

// Names the kernel elements that contribute wrongly to one result element. `run` must be linear in
// the kernel operand, as every convolution program without data-dependent branches is: then a
// contribution can be measured with all other kernel elements zero, and a set of them by one run on
// random field elements. Halving the set finds k faulty taps of t in about k log2(t) runs.
//
// In the order of the canonical kernel operand, the element's own output feature first; empty where
// the element is right. nullopt where `run` refuses, or where the runs would exceed `max_work`
// multiply-adds (each counts `multiply_adds(op)`).
std::optional<std::vector<FaultyTap>> faulty_taps(const FieldKernel& run, const ConvOp& op,
                                                  const ResultElement& element,
                                                  std::int64_t max_work, std::uint64_t seed = 1);

}  // namespace convproof::oracle
