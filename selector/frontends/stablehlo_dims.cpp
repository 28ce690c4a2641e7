#include "selector/frontends/stablehlo_dims.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "selector/frontends/mlir_attributes.h"

namespace convproof {
namespace {

std::unexpected<Error> refused(const SourceText& source, const MlirToken& token, std::string rule) {
  return std::unexpected(source.error(token.offset, excerpt(token.text), std::move(rule)));
}

// `[b, 0, 1, f]`: the entry at place p names the axis p.
std::expected<Perm, Error> read_group(const SourceText& source, MlirLexer& lexer, LabelRole role) {
  const std::string_view features = role == LabelRole::image ? "bf" : "oi";
  const MlirToken opening = lexer.next();
  if (!opening.is("[")) return refused(source, opening, "must be '['");
  std::array<std::int64_t, max_rank> place_of{};
  place_of.fill(-1);
  std::int64_t place = 0;
  while (!lexer.consume("]")) {
    if (place > 0 && !lexer.consume(","))
      return refused(source, lexer.next(), "must be ',' or ']'");
    const MlirToken token = lexer.next();
    std::size_t axis = max_rank;
    if (token.kind == MlirToken::Kind::word && token.text.size() == 1)
      axis = features.find(token.text[0]);
    if (const auto number = integer(token); number && *number >= 0) {
      axis = *number < static_cast<std::int64_t>(max_spatial_dims)
                 ? 2 + static_cast<std::size_t>(*number)
                 : max_rank;
    }
    if (axis >= max_rank) {
      return refused(source, token,
                     fmt::format("must be one of {}, {} and the spatial dimensions 0 to {}",
                                 features[0], features[1], max_spatial_dims - 1));
    }
    if (place_of[axis] >= 0) return refused(source, token, "must occur once in its group");
    place_of[axis] = place++;
  }
  Perm perm;
  for (std::int64_t axis = 0; axis < std::max(place, std::int64_t{2}); ++axis) {
    const std::int64_t found = place_of[static_cast<std::size_t>(axis)];
    if (found < 0) {
      return std::unexpected(source.error(
          opening.offset, "[",
          fmt::format("begins a group without {}",
                      axis < 2 ? std::string(1, features[static_cast<std::size_t>(axis)])
                               : fmt::format("spatial dimension {}", axis - 2))));
    }
    perm.push_back(found);
  }
  return perm;
}

// The tensors of the raw form, and what their first two numbers are called.
struct RawTensor {
  std::string_view name{};
  std::string_view first{};
  std::string_view second{};
};
constexpr std::array raw_tensors{RawTensor{"input", "batch", "feature"},
                                 RawTensor{"kernel", "output_feature", "input_feature"},
                                 RawTensor{"output", "batch", "feature"}};

struct RawNumbers {
  std::size_t offset = 0;
  std::array<bool, 3> seen{};  // first, second, spatial
  std::int64_t first = 0;
  std::int64_t second = 0;
  std::vector<std::int64_t> spatial{};
};

std::expected<Perm, Error> raw_perm(const SourceText& source, const RawTensor& tensor,
                                    const RawNumbers& numbers) {
  std::vector<std::int64_t> all{numbers.first, numbers.second};
  all.insert(all.end(), numbers.spatial.begin(), numbers.spatial.end());
  const std::string shown = fmt::format("{} dimensions [{}]", tensor.name, fmt::join(all, ", "));
  if (all.size() > max_rank) {
    return std::unexpected(
        source.error(numbers.offset, shown,
                     fmt::format("must have at most {} spatial dimensions", max_spatial_dims)));
  }
  if (!is_permutation(all)) {
    return std::unexpected(source.error(
        numbers.offset, shown, fmt::format("must be a permutation of 0 to {}", all.size() - 1)));
  }
  return Perm(all);
}

// `raw input_batch_dimension = 0, ..., output_spatial_dimensions = [1, 2]>`, past `raw`.
std::expected<DimNumbers, Error> read_raw(const SourceText& source, MlirLexer& lexer,
                                          std::size_t begin) {
  std::array<RawNumbers, 3> numbers{};
  for (RawNumbers& one : numbers) one.offset = begin;
  while (!lexer.consume(">")) {
    const MlirToken name = lexer.next();
    std::size_t tensor = 0;
    std::size_t part = 3;
    for (; tensor < raw_tensors.size(); ++tensor) {
      const RawTensor& one = raw_tensors[tensor];
      if (name.text == fmt::format("{}_{}_dimension", one.name, one.first)) part = 0;
      if (name.text == fmt::format("{}_{}_dimension", one.name, one.second)) part = 1;
      if (name.text == fmt::format("{}_spatial_dimensions", one.name)) part = 2;
      if (part < 3) break;
    }
    if (part == 3) return refused(source, name, "must name a dimension of input, kernel or output");
    RawNumbers& target = numbers[tensor];
    if (target.seen[part]) return refused(source, name, "must occur once");
    target.seen[part] = true;
    target.offset = name.offset;
    if (!lexer.consume("=")) return refused(source, lexer.next(), "must be '='");
    if (part == 2) {
      auto spatial = read_bracketed_integers(source, lexer);
      if (!spatial) return std::unexpected(spatial.error());
      target.spatial = std::move(*spatial);
    } else {
      const MlirToken token = lexer.next();
      const auto value = integer(token);
      if (!value) return refused(source, token, "must be an integer");
      (part == 0 ? target.first : target.second) = *value;
    }
    if (!lexer.consume(",") && !lexer.peek().is(">"))
      return refused(source, lexer.next(), "must be ',' or '>'");
  }
  for (std::size_t tensor = 0; tensor < numbers.size(); ++tensor) {
    if (numbers[tensor].seen[0] && numbers[tensor].seen[1]) continue;
    return std::unexpected(
        source.error(begin, std::string(raw_tensors[tensor].name),
                     fmt::format("must have its {} and {} dimensions", raw_tensors[tensor].first,
                                 raw_tensors[tensor].second)));
  }
  auto in = raw_perm(source, raw_tensors[0], numbers[0]);
  if (!in) return std::unexpected(in.error());
  auto kern = raw_perm(source, raw_tensors[1], numbers[1]);
  if (!kern) return std::unexpected(kern.error());
  auto out = raw_perm(source, raw_tensors[2], numbers[2]);
  if (!out) return std::unexpected(out.error());
  return DimNumbers{*in, *kern, *out};
}

std::expected<DimNumbers, Error> same_rank(const SourceText& source, std::size_t offset,
                                           const DimNumbers& numbers) {
  if (numbers.in.size() == numbers.kern.size() && numbers.in.size() == numbers.out.size())
    return numbers;
  return std::unexpected(source.error(
      offset, format_dim_labels(numbers),
      "must have as many spatial dimensions for the input, the kernel and the output"));
}

}  // namespace

std::expected<DimNumbers, Error> read_dim_groups(const SourceText& source, MlirLexer& lexer) {
  lexer.skip_space();
  const std::size_t begin = lexer.offset();
  auto in = read_group(source, lexer, LabelRole::image);
  if (!in) return std::unexpected(in.error());
  if (!lexer.consume("x")) return refused(source, lexer.next(), "must be 'x'");
  auto kern = read_group(source, lexer, LabelRole::kernel);
  if (!kern) return std::unexpected(kern.error());
  if (!lexer.consume("->")) return refused(source, lexer.next(), "must be '->'");
  auto out = read_group(source, lexer, LabelRole::image);
  if (!out) return std::unexpected(out.error());
  return same_rank(source, begin, DimNumbers{*in, *kern, *out});
}

std::expected<DimNumbers, Error> read_conv_attribute(const SourceText& source, MlirLexer& lexer) {
  const MlirToken head = lexer.next();
  if (head.kind != MlirToken::Kind::hash || !head.text.ends_with(".conv") || !lexer.consume("<"))
    return refused(source, head, "must be #stablehlo.conv<...>");
  if (lexer.consume("raw")) {
    auto numbers = read_raw(source, lexer, head.offset);
    if (!numbers) return std::unexpected(numbers.error());
    return same_rank(source, head.offset, *numbers);
  }
  auto numbers = read_dim_groups(source, lexer);
  if (!numbers) return std::unexpected(numbers.error());
  if (!lexer.consume(">")) return refused(source, lexer.next(), "must be '>'");
  return *numbers;
}

}  // namespace convproof
