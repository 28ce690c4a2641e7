#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "selector/op/conv_op.h"

namespace convproof::oracle {

// One spatial axis of a convolution.
struct Axis {
  std::int64_t input = 1;
  std::int64_t kernel = 1;
  WindowDim window{};
};

// A convolution by the numbers that its shapes are products of.
struct Parts {
  std::int64_t batch = 1;     // per batch group
  std::int64_t features = 1;  // input features per feature group
  std::int64_t outputs = 1;   // output features per group
  std::int64_t feature_groups = 1;
  std::int64_t batch_groups = 1;
  std::vector<Axis> axes{};
  ConvOp rest{};  // perms, types and flags
};

// None where the op's structure does not hold together.
std::optional<Parts> take_apart(const ConvOp& op);

// The op with whole groups and the inferred result; it need not be well formed.
ConvOp put_together(const Parts& parts);

// A number of the parts with its plainest value.
struct Number {
  std::int64_t* at = nullptr;
  std::int64_t plain = 1;

  [[nodiscard]] std::int64_t distance() const { return *at - plain; }
};

// In the order in which they are made small. They point into `parts`.
std::vector<Number> numbers_of(Parts& parts);

// Layouts from plain to strange, of an image or a result and of a kernel operand.
inline constexpr std::array<std::string_view, 6> plain_images{"bf01", "f01b", "fb01",
                                                              "b01f", "01bf", "fb10"};
inline constexpr std::array<std::string_view, 6> plain_kernels{"oi01", "io01", "o01i",
                                                               "i01o", "01io", "io10"};

// Calls `visit` for the convolutions that differ from `op` in one number, layout, flag or element
// type, the numbers taken from those around which tables and devices draw their lines, until it
// returns true. Always the same ones in the same order; they need not be well formed.
void visit_neighbours(const ConvOp& op, const std::function<bool(const ConvOp&)>& visit);

}  // namespace convproof::oracle
