#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "selector/frontends/padded_convolution.h"
#include "selector/op/error.h"

namespace convproof {

// The driver of benchdnn that a problem is for: convolution, or transposed convolution.
enum class BenchdnnDriver : unsigned char { conv, deconv };

// One problem descriptor of oneDNN's benchdnn, `mb2_g1ic16oc16_ih7oh7kh5ph2_n"name"`:
//
//   g groups (1), mb batch (2), ic oc channels over all groups, and for each of the axes d, h, w:
//   i o extents, k kernel, s stride (1), p padding of the near side, d dilation less one (0)
//
// Signs `_` between fields mean nothing. An axis with no field is a copy of the axis before it, and
// missing before the first axis that has one. A missing output follows from the padding, which then
// is 0 where missing; a missing padding follows from the output, halved towards 0. The far side's
// padding is whatever makes input and output agree, so that it may differ, and be negative.
struct BenchdnnProblem {
  std::string name{};  // without quotes; empty where there is none
  PaddedConvolution convolution{};
};

// `batch`, where given, stands in for the descriptor's. An error's place is the field.
std::expected<BenchdnnProblem, Error> parse_benchdnn_problem(
    std::string_view text, BenchdnnDriver driver, std::optional<std::int64_t> batch = {});

// Whether the text is made of fields as above; not whether they make a problem.
bool is_benchdnn_problem(std::string_view text);

}  // namespace convproof
