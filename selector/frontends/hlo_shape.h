#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string_view>
#include <vector>

#include "selector/frontends/hlo_lexer.h"
#include "selector/frontends/source_text.h"
#include "selector/op/element_type.h"
#include "selector/op/error.h"
#include "selector/op/perm.h"

namespace convproof {

// A shape as it stands in HLO text, `f32[1,28,28,32]{3,2,1,0:T(8,128)}`, kept as text since most
// shapes of a module are never looked at.
struct HloShape {
  std::size_t offset = 0;
  std::string_view element_type{};           // empty for a tuple
  std::string_view extents{};                // between the brackets
  std::optional<std::string_view> layout{};  // between the braces

  [[nodiscard]] bool is_tuple() const { return element_type.empty(); }
};

// An array: its extents in the order of the file, and its storage order.
struct HloArray {
  ElementType element_type = ElementType::f32;
  Shape extents{};
  // `storage[p]` is the axis of `extents` stored at place p, slowest first; the reverse of HLO's
  // minor-to-major list. The identity without a layout.
  Perm storage{};
};

// Reads a shape at the cursor; none, and the cursor anywhere, where there is no whole one. The
// braces of a layout must touch the shape: after white space they open a computation.
std::optional<HloShape> read_hlo_shape(HloLexer& lexer);

std::expected<HloArray, Error> interpret(const SourceText& source, const HloShape& shape);

// Whole integers separated by `separator`; none where `text` is not that.
std::optional<std::vector<std::int64_t>> integers(std::string_view text, char separator);

}  // namespace convproof
