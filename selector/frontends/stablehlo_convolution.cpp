#include "selector/frontends/stablehlo_convolution.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "selector/frontends/mlir_attributes.h"
#include "selector/frontends/mlir_type.h"
#include "selector/frontends/op_rules.h"
#include "selector/frontends/stablehlo_dims.h"

namespace convproof {
namespace {

enum class Part : unsigned char { stride, pad, lhs_dilation, rhs_dilation, reversal };

struct PartNames {
  Part part{};
  std::string_view pretty{};
  std::string_view generic{};
};
constexpr std::array part_names{PartNames{Part::stride, "stride", "window_strides"},
                                PartNames{Part::pad, "pad", "padding"},
                                PartNames{Part::lhs_dilation, "lhs_dilate", "lhs_dilation"},
                                PartNames{Part::rhs_dilation, "rhs_dilate", "rhs_dilation"},
                                PartNames{Part::reversal, "reverse", "window_reversal"}};

// One part of the window as read; its length is compared with the rank once that is known.
struct WindowPart {
  Part part{};
  std::size_t offset = 0;
  std::string_view name{};
  std::vector<std::int64_t> values{};
};

// Everything the text says about the operation, before any rule is applied.
struct Statement {
  std::size_t offset = 0;
  std::string_view image{};
  std::string_view kernel{};
  std::optional<DimNumbers> numbers{};
  std::size_t numbers_offset = 0;
  std::vector<WindowPart> window{};
  std::int64_t feature_group_count = 1;
  std::int64_t batch_group_count = 1;
  MlirTensorType image_type{};
  MlirTensorType kernel_type{};
  MlirTensorType result_type{};
};

std::unexpected<Error> refused(const SourceText& source, const MlirToken& token, std::string rule) {
  return std::unexpected(source.error(token.offset, excerpt(token.text), std::move(rule)));
}

std::expected<void, Error> expect(const SourceText& source, MlirLexer& lexer,
                                  std::string_view mark) {
  const MlirToken token = lexer.next();
  if (token.is(mark)) return {};
  return refused(source, token, fmt::format("must be '{}'", mark));
}

std::expected<void, Error> read_operands(const SourceText& source, MlirLexer& lexer,
                                         Statement& statement) {
  if (auto opening = expect(source, lexer, "("); !opening) return opening;
  for (std::string_view* operand : {&statement.image, &statement.kernel}) {
    const MlirToken token = lexer.next();
    if (token.kind != MlirToken::Kind::value)
      return refused(source, token, "must be one of two operands");
    *operand = token.text;
    if (auto read = expect(source, lexer, operand == &statement.image ? "," : ")"); !read)
      return read;
  }
  return {};
}

// `[[0, 1], [1, 1]]`, flattened
std::expected<std::vector<std::int64_t>, Error> read_pads(const SourceText& source,
                                                          MlirLexer& lexer) {
  std::vector<std::int64_t> values;
  const MlirToken opening = lexer.next();
  if (!opening.is("[")) return refused(source, opening, "must be '['");
  if (lexer.consume("]")) return values;
  while (true) {
    lexer.skip_space();
    const std::size_t offset = lexer.offset();
    auto pair = read_bracketed_integers(source, lexer);
    if (!pair) return std::unexpected(pair.error());
    if (pair->size() != 2) {
      return std::unexpected(source.error(offset, fmt::format("[{}]", fmt::join(*pair, ", ")),
                                          "must be a pair of low and high padding"));
    }
    values.insert(values.end(), pair->begin(), pair->end());
    const MlirToken separator = lexer.next();
    if (separator.is("]")) return values;
    if (!separator.is(",") || values.size() > 2 * max_rank)
      return refused(source, separator, "must be ',' or ']'");
  }
}

// `window = {stride = [2, 1], pad = [[0, 1], [0, 1]]}`, past `window`
std::expected<void, Error> read_window(const SourceText& source, MlirLexer& lexer,
                                       Statement& statement) {
  if (auto read = expect(source, lexer, "="); !read) return read;
  if (auto read = expect(source, lexer, "{"); !read) return read;
  if (lexer.consume("}")) return {};
  while (true) {
    const MlirToken name = lexer.next();
    const auto* const known =
        std::ranges::find_if(part_names, [&](const auto& one) { return name.is(one.pretty); });
    if (known == part_names.end()) {
      return refused(source, name, "must be one of stride, pad, lhs_dilate, rhs_dilate, reverse");
    }
    if (std::ranges::any_of(statement.window,
                            [&](const auto& one) { return one.part == known->part; })) {
      return refused(source, name, "must occur once in the window");
    }
    if (auto read = expect(source, lexer, "="); !read) return read;
    auto values = known->part == Part::pad ? read_pads(source, lexer)
                                           : read_bracketed_integers(source, lexer);
    if (!values) return std::unexpected(values.error());
    statement.window.push_back({known->part, name.offset, name.text, std::move(*values)});
    const MlirToken separator = lexer.next();
    if (separator.is("}")) return {};
    if (!separator.is(",")) return refused(source, separator, "must be ',' or '}'");
  }
}

std::expected<void, Error> take_window_attribute(const SourceText& source,
                                                 const MlirAttribute& attribute, Part part,
                                                 Statement& statement) {
  if (std::ranges::any_of(statement.window, [&](const auto& one) { return one.part == part; })) {
    return std::unexpected(
        source.error(attribute.offset, std::string(attribute.name), "must occur once"));
  }
  auto list = read_integers(source, attribute);
  if (!list) return std::unexpected(list.error());
  const std::size_t rank = part == Part::pad ? 2 : 1;
  if (list->shape.size() != rank || (part == Part::pad && list->shape[1] != 2)) {
    return std::unexpected(
        source.error(attribute.value_offset,
                     fmt::format("{} of shape [{}]", attribute.name, fmt::join(list->shape, ", ")),
                     part == Part::pad ? "must have the shape [N, 2]" : "must have one dimension"));
  }
  statement.window.push_back({part, attribute.offset, attribute.name, std::move(list->values)});
  return {};
}

// At most one precision for each operand.
std::expected<void, Error> check_precision(const SourceText& source,
                                           const MlirAttribute& attribute) {
  MlirLexer lexer = attribute.lexer(source);
  int entries = 0;
  for (MlirToken token = lexer.next(); token.kind != MlirToken::Kind::end; token = lexer.next()) {
    if (token.kind == MlirToken::Kind::hash) ++entries;
  }
  if (entries <= 2) return {};
  return std::unexpected(source.error(attribute.offset,
                                      fmt::format("precision_config of {} entries", entries),
                                      "must have at most 2"));
}

std::expected<void, Error> take_attribute(const SourceText& source, const MlirAttribute& attribute,
                                          bool generic, Statement& statement) {
  if (attribute.name == "precision_config") return check_precision(source, attribute);
  if (attribute.name == "feature_group_count" || attribute.name == "batch_group_count") {
    auto count = read_integer(source, attribute);
    if (!count) return std::unexpected(count.error());
    if (*count < 1) {
      return std::unexpected(source.error(
          attribute.offset, fmt::format("{} = {}", attribute.name, *count), "must be at least 1"));
    }
    (attribute.name == "feature_group_count" ? statement.feature_group_count
                                             : statement.batch_group_count) = *count;
    return {};
  }
  if (!generic) return {};
  if (attribute.name == "dimension_numbers") {
    MlirLexer lexer = attribute.lexer(source);
    auto numbers = read_conv_attribute(source, lexer);
    if (!numbers) return std::unexpected(numbers.error());
    statement.numbers = *numbers;
    statement.numbers_offset = attribute.value_offset;
    return {};
  }
  for (const PartNames& names : part_names) {
    if (attribute.name == names.generic)
      return take_window_attribute(source, attribute, names.part, statement);
  }
  return {};
}

std::expected<void, Error> read_dictionary(const SourceText& source, MlirLexer& lexer, bool generic,
                                           Statement& statement) {
  auto attributes = read_attribute_dictionary(source, lexer);
  if (!attributes) return std::unexpected(attributes.error());
  for (const MlirAttribute& attribute : *attributes) {
    if (auto taken = take_attribute(source, attribute, generic, statement); !taken) return taken;
  }
  return {};
}

// `: (T, T) -> T`
std::expected<void, Error> read_type(const SourceText& source, MlirLexer& lexer,
                                     Statement& statement) {
  struct Step {
    std::string_view before;
    MlirTensorType* type;
  };
  if (auto read = expect(source, lexer, ":"); !read) return read;
  for (const Step& step : {Step{"(", &statement.image_type}, Step{",", &statement.kernel_type}}) {
    if (auto read = expect(source, lexer, step.before); !read) return read;
    auto type = read_tensor_type(source, lexer);
    if (!type) return std::unexpected(type.error());
    *step.type = std::move(*type);
  }
  if (auto read = expect(source, lexer, ")"); !read) return read;
  if (auto read = expect(source, lexer, "->"); !read) return read;
  const bool parenthesised = lexer.consume("(");
  auto type = read_tensor_type(source, lexer);
  if (!type) return std::unexpected(type.error());
  statement.result_type = std::move(*type);
  return parenthesised ? expect(source, lexer, ")") : std::expected<void, Error>{};
}

std::expected<void, Error> read_statement(const SourceText& source, MlirLexer& lexer, bool generic,
                                          Statement& statement) {
  if (auto read = read_operands(source, lexer, statement); !read) return read;
  if (!generic) {
    for (const std::string_view head : {"dim_numbers", "="}) {
      if (auto read = expect(source, lexer, head); !read) return read;
    }
    lexer.skip_space();
    statement.numbers_offset = lexer.offset();
    auto numbers = read_dim_groups(source, lexer);
    if (!numbers) return std::unexpected(numbers.error());
    statement.numbers = *numbers;
    for (const std::string_view head : {",", "window"}) {
      if (auto read = expect(source, lexer, head); !read) return read;
    }
    if (auto read = read_window(source, lexer, statement); !read) return read;
  }
  if (lexer.consume("<")) {
    if (auto read = read_dictionary(source, lexer, generic, statement); !read) return read;
    if (auto read = expect(source, lexer, ">"); !read) return read;
  }
  if (lexer.peek().is("{")) {
    if (auto read = read_dictionary(source, lexer, generic, statement); !read) return read;
  }
  return read_type(source, lexer, statement);
}

void set_part(const WindowPart& part, std::size_t axis, WindowDim& dim) {
  switch (part.part) {
    case Part::stride:
      dim.stride = part.values[axis];
      break;
    case Part::pad:
      dim.pad_low = part.values[2 * axis];
      dim.pad_high = part.values[2 * axis + 1];
      break;
    case Part::lhs_dilation:
      dim.lhs_dilation = part.values[axis];
      break;
    case Part::rhs_dilation:
      dim.rhs_dilation = part.values[axis];
      break;
    case Part::reversal:
      dim.reversal = part.values[axis] != 0;
      break;
  }
}

std::expected<void, Error> set_window(const SourceText& source, const Statement& statement,
                                      ConvOp& op) {
  const std::size_t dims = op.in_perm.size() - 2;
  op.window = FixedVector<WindowDim, max_spatial_dims>::filled(dims, WindowDim{});
  for (const WindowPart& part : statement.window) {
    const std::size_t per_axis = part.part == Part::pad ? 2 : 1;
    const std::size_t entries = part.values.size() / per_axis;
    if (entries != dims) {
      return std::unexpected(
          source.error(part.offset, fmt::format("{} of {} entries", part.name, entries),
                       fmt::format("must have {}, one for each spatial dimension", dims)));
    }
    for (std::size_t axis = 0; axis < dims; ++axis) {
      const std::int64_t value = part.values[axis];
      if (part.part != Part::pad && part.part != Part::reversal && value < 1) {
        return std::unexpected(source.error(
            part.offset, fmt::format("{}[{}] = {}", part.name, axis, value), "must be at least 1"));
      }
      set_part(part, axis, op.window[axis]);
    }
  }
  return {};
}

std::expected<ConvOp, Error> apply_rules(const SourceText& source, const Statement& statement) {
  auto image = require_static(source, statement.image_type);
  if (!image) return std::unexpected(image.error());
  auto kernel = require_static(source, statement.kernel_type);
  if (!kernel) return std::unexpected(kernel.error());
  auto result = require_static(source, statement.result_type);
  if (!result) return std::unexpected(result.error());
  if (image->element_type != kernel->element_type) {
    return std::unexpected(source.error(
        statement.kernel_type.offset, excerpt(statement.kernel_type.text),
        fmt::format("must have the image's element type {}", name_of(image->element_type))));
  }
  if (!statement.numbers) {
    return std::unexpected(source.error(statement.offset, "dimension_numbers", "must be given"));
  }
  const std::size_t rank = statement.numbers->in.size();
  for (const MlirTensorType* type :
       {&statement.image_type, &statement.kernel_type, &statement.result_type}) {
    if (type->extents.size() == rank) continue;
    return std::unexpected(source.error(type->offset, excerpt(type->text),
                                        fmt::format("must have {} dimensions, as {} names", rank,
                                                    format_dim_labels(*statement.numbers))));
  }
  ConvOp op{.element_type = image->element_type,
            .result_element_type = result->element_type,
            .in_shape = image->shape,
            .kern_shape = kernel->shape,
            .res_shape = result->shape,
            .in_perm = statement.numbers->in,
            .kern_perm = statement.numbers->kern,
            .out_perm = statement.numbers->out,
            .feature_group_count = statement.feature_group_count,
            .batch_group_count = statement.batch_group_count};
  if (auto set = set_window(source, statement, op); !set) return std::unexpected(set.error());
  if (auto checked = check_window_fits(op); !checked)
    return std::unexpected(source.error(statement.offset, checked.error()));
  if (auto checked = check_groups(op); !checked)
    return std::unexpected(source.error(statement.offset, checked.error()));
  if (auto checked = check_declared_result(op); !checked)
    return std::unexpected(source.error(statement.result_type.offset, checked.error()));
  return op;
}

}  // namespace

std::expected<StablehloConvolution, Error> read_stablehlo_convolution(const SourceText& source,
                                                                      MlirLexer& lexer,
                                                                      std::size_t offset,
                                                                      bool generic) {
  Statement statement{.offset = offset};
  if (auto read = read_statement(source, lexer, generic, statement); !read)
    return std::unexpected(read.error());
  auto op = apply_rules(source, statement);
  if (!op) return std::unexpected(op.error());
  return StablehloConvolution{*op, statement.image, statement.kernel};
}

}  // namespace convproof
