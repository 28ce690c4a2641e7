#include "selector/op/dim_labels.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include <fmt/format.h>

namespace convproof {
namespace {

// The canonical axis a glyph names, or -1.
int canonical_axis(char glyph, LabelRole role) {
  const std::string_view features = role == LabelRole::image ? "bf" : "oi";
  if (glyph == features[0]) return 0;
  if (glyph == features[1]) return 1;
  if (glyph >= '0' && glyph < static_cast<char>('0' + max_spatial_dims)) return 2 + (glyph - '0');
  return -1;
}

char glyph_of(std::size_t axis, LabelRole role) {
  if (axis < 2) return (role == LabelRole::image ? "bf" : "oi")[axis];
  return static_cast<char>('0' + (axis - 2));
}

}  // namespace

std::expected<Perm, Error> parse_labels(std::string_view labels, LabelRole role) {
  const std::string_view expected_glyphs = role == LabelRole::image ? "b, f" : "o, i";
  if (labels.size() < 2 || labels.size() > max_rank) {
    return std::unexpected(Error{"dim_labels", std::string(labels),
                                 fmt::format("must name {} and at most {} spatial dimensions",
                                             expected_glyphs, max_spatial_dims)});
  }
  Perm perm = Perm::filled(labels.size(), -1);
  for (std::size_t position = 0; position < labels.size(); ++position) {
    const int axis = canonical_axis(labels[position], role);
    if (axis < 0 || static_cast<std::size_t>(axis) >= labels.size()) {
      return std::unexpected(Error{
          "dim_labels", std::string(labels),
          fmt::format("'{}' is not one of {} and the spatial dimensions 0 to {}", labels[position],
                      expected_glyphs, static_cast<int>(labels.size()) - 3)});
    }
    if (perm[static_cast<std::size_t>(axis)] >= 0) {
      return std::unexpected(Error{"dim_labels", std::string(labels),
                                   fmt::format("'{}' occurs twice", labels[position])});
    }
    perm[static_cast<std::size_t>(axis)] = static_cast<std::int64_t>(position);
  }
  return perm;
}

std::string format_labels(const Perm& perm, LabelRole role) {
  std::string labels(perm.size(), '?');
  for (std::size_t axis = 0; axis < perm.size(); ++axis) {
    const auto position = static_cast<std::size_t>(perm[axis]);
    if (position < labels.size()) labels[position] = glyph_of(axis, role);
  }
  return labels;
}

std::expected<DimNumbers, Error> parse_dim_labels(std::string_view text) {
  const std::size_t underscore = text.find('_');
  const std::size_t arrow = text.find("->");
  if (underscore == std::string_view::npos || arrow == std::string_view::npos ||
      arrow < underscore) {
    return std::unexpected(Error{"dim_labels", std::string(text),
                                 "must have the form INPUT_KERNEL->OUTPUT, as b01f_01io->b01f"});
  }
  auto in = parse_labels(text.substr(0, underscore), LabelRole::image);
  if (!in) return std::unexpected(in.error());
  auto kern = parse_labels(text.substr(underscore + 1, arrow - underscore - 1), LabelRole::kernel);
  if (!kern) return std::unexpected(kern.error());
  auto out = parse_labels(text.substr(arrow + 2), LabelRole::image);
  if (!out) return std::unexpected(out.error());
  if (in->size() != kern->size() || in->size() != out->size()) {
    return std::unexpected(Error{"dim_labels", std::string(text),
                                 "the three groups must name the same number of dimensions"});
  }
  return DimNumbers{*in, *kern, *out};
}

std::string format_dim_labels(const DimNumbers& numbers) {
  return fmt::format("{}_{}->{}", format_labels(numbers.in, LabelRole::image),
                     format_labels(numbers.kern, LabelRole::kernel),
                     format_labels(numbers.out, LabelRole::image));
}

}  // namespace convproof
