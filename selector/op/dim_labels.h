#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "selector/op/error.h"
#include "selector/op/perm.h"

namespace convproof {

// Dimension numbers as three perms, one per tensor.
struct DimNumbers {
  Perm in{};
  Perm kern{};
  Perm out{};

  bool operator==(const DimNumbers&) const = default;
};

// What the two feature glyphs of one group of labels are: `b`/`f` for image and result, `o`/`i` for
// the kernel operand. Glyphs are positional: the character at storage axis p names that axis.
enum class LabelRole : unsigned char { image, kernel };

// `b01f` -> 0,3,1,2 (gather convention, canonical order of perm.h).
std::expected<Perm, Error> parse_labels(std::string_view labels, LabelRole role);
std::string format_labels(const Perm& perm, LabelRole role);

// `b01f_01io->b01f`; all three of one rank.
std::expected<DimNumbers, Error> parse_dim_labels(std::string_view text);
std::string format_dim_labels(const DimNumbers& numbers);

}  // namespace convproof
