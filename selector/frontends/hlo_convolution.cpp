#include "selector/frontends/hlo_convolution.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "selector/frontends/hlo_lexer.h"
#include "selector/frontends/op_rules.h"
#include "selector/op/dim_labels.h"

namespace convproof {
namespace {

struct Operand {
  HloArray array{};
  bool is_parameter = false;
};

std::string type_text(const HloArray& array) {
  return fmt::format("{}[{}]", name_of(array.element_type), fmt::join(array.extents, ","));
}

// `f32[1,2]{1,0} %name`, `f32[1,2] name`, `%name`
std::expected<Operand, Error> read_operand(const SourceText& source, HloLexer& lexer,
                                           const HloDefinitions& definitions) {
  lexer.skip_space();
  const std::size_t offset = lexer.offset();
  const std::string_view first = lexer.word();
  std::optional<HloShape> typed;
  std::string_view name = first;
  if (first.empty() || lexer.peek_raw() == '[') {
    lexer.seek(offset);
    typed = read_hlo_shape(lexer);
    if (!typed)
      return std::unexpected(source.error(offset, "", "must be an operand: a name or a shape"));
    name = lexer.word();
  }
  const auto found = definitions.find(name);
  Operand operand;
  if (found == definitions.end()) {
    if (!typed) {
      return std::unexpected(source.error(offset, excerpt(name),
                                          "has no shape: it is not defined in this computation"));
    }
    auto array = interpret(source, *typed);
    if (!array) return std::unexpected(array.error());
    operand.array = *array;
    return operand;
  }
  HloShape shape = found->second.shape;
  if (!shape.layout && typed) shape.layout = typed->layout;
  auto array = interpret(source, shape);
  if (!array) return std::unexpected(array.error());
  if (typed) {
    auto stated = interpret(source, *typed);
    if (!stated) return std::unexpected(stated.error());
    if (stated->element_type != array->element_type || stated->extents != array->extents) {
      return std::unexpected(
          source.error(offset, type_text(*stated),
                       fmt::format("must be {}, as {} is defined", type_text(*array), name)));
    }
  }
  operand.array = *array;
  operand.is_parameter = found->second.is_parameter;
  return operand;
}

// `1_1x2_2` as pairs, for `pad`.
std::optional<std::vector<std::int64_t>> pad_pairs(std::string_view text) {
  std::vector<std::int64_t> result;
  while (true) {
    const std::size_t end = text.find('x');
    const auto pair = integers(text.substr(0, end), '_');
    if (!pair || pair->size() != 2) return std::nullopt;
    result.insert(result.end(), pair->begin(), pair->end());
    if (end == std::string_view::npos) return result;
    text.remove_prefix(end + 1);
  }
}

enum class WindowPart : unsigned char { size, stride, pad, lhs_dilate, rhs_dilate, rhs_reversal };
constexpr std::array window_parts{std::string_view{"size"},       std::string_view{"stride"},
                                  std::string_view{"pad"},        std::string_view{"lhs_dilate"},
                                  std::string_view{"rhs_dilate"}, std::string_view{"rhs_reversal"}};

void set_part(WindowDim& dim, WindowPart part, const std::vector<std::int64_t>& values,
              std::size_t axis) {
  switch (part) {
    case WindowPart::size:
      break;
    case WindowPart::stride:
      dim.stride = values[axis];
      break;
    case WindowPart::pad:
      dim.pad_low = values[2 * axis];
      dim.pad_high = values[2 * axis + 1];
      break;
    case WindowPart::lhs_dilate:
      dim.lhs_dilation = values[axis];
      break;
    case WindowPart::rhs_dilate:
      dim.rhs_dilation = values[axis];
      break;
    case WindowPart::rhs_reversal:
      dim.reversal = values[axis] != 0;
      break;
  }
}

// `size=3x3 stride=2x2 pad=1_1x1_1`; `sizes` are the kernel's spatial extents.
std::expected<void, Error> read_window(const SourceText& source, const HloAttribute& attribute,
                                       const FixedVector<std::int64_t, max_spatial_dims>& sizes,
                                       ConvOp& op) {
  if (!attribute.value.starts_with('{')) {
    return std::unexpected(source.error(attribute.value_offset, excerpt(attribute.value),
                                        "must be a window in braces"));
  }
  const std::size_t end = attribute.value_offset + attribute.value.size() - 1;
  HloLexer lexer(source.text().substr(0, end), attribute.value_offset + 1);
  std::array<bool, window_parts.size()> seen{};
  while (!lexer.at_end()) {
    const std::size_t offset = lexer.offset();
    const std::string_view name = lexer.word();
    std::size_t part = 0;
    while (part < window_parts.size() && window_parts[part] != name) ++part;
    if (part == window_parts.size()) {
      return std::unexpected(
          source.error(offset, excerpt(source.text().substr(offset, end - offset)),
                       "must be one of size, stride, pad, lhs_dilate, rhs_dilate, rhs_reversal"));
    }
    if (seen[part])
      return std::unexpected(source.error(offset, std::string(name), "must occur once"));
    seen[part] = true;
    if (!lexer.consume("="))
      return std::unexpected(source.error(offset, std::string(name), "must be followed by '='"));
    const std::string_view text = lexer.word();
    const auto kind = static_cast<WindowPart>(part);
    const bool pad = kind == WindowPart::pad;
    const auto values = pad ? pad_pairs(text) : integers(text, 'x');
    const std::string shown = fmt::format("{}={}", name, excerpt(text));
    if (!values || values->empty()) {
      return std::unexpected(source.error(
          offset, shown,
          pad ? "must be pairs as 0_1 joined by 'x'" : "must be integers joined by 'x'"));
    }
    if (values->size() != sizes.size() * (pad ? 2 : 1)) {
      return std::unexpected(source.error(
          offset, shown,
          fmt::format("must have {} parts, one for each spatial dimension", sizes.size())));
    }
    if (kind == WindowPart::size) {
      for (std::size_t axis = 0; axis < sizes.size(); ++axis) {
        if ((*values)[axis] == sizes[axis]) continue;
        return std::unexpected(
            source.error(offset, shown,
                         fmt::format("part {} must be the kernel's extent {}", axis, sizes[axis])));
      }
    }
    for (std::size_t axis = 0; axis < sizes.size(); ++axis)
      set_part(op.window[axis], kind, *values, axis);
  }
  if (!seen[0] && !sizes.empty()) {
    return std::unexpected(
        source.error(attribute.offset, excerpt(attribute.value), "must have a size"));
  }
  return {};
}

std::expected<std::int64_t, Error> read_count(const SourceText& source,
                                              const HloAttribute& attribute) {
  const auto value = integers(attribute.value, ',');
  if (!value || value->size() != 1 || (*value)[0] < 1) {
    return std::unexpected(source.error(
        attribute.offset, fmt::format("{}={}", attribute.name, excerpt(attribute.value)),
        "must be an integer of at least 1"));
  }
  return (*value)[0];
}

// Storage order out of file order, for one tensor and its perm.
void fold_layout(const HloArray& array, Shape& shape, Perm& perm) {
  const Perm place_of = invert(array.storage);
  shape = apply_dims(array.extents, array.storage);
  perm = compose(place_of, perm);
}

std::expected<void, Error> read_attributes(const SourceText& source,
                                           const HloInstruction& instruction, const HloArray& image,
                                           const HloArray& kernel, const HloArray& result,
                                           ConvOp& op) {
  const HloAttribute* labels = nullptr;
  const HloAttribute* window = nullptr;
  for (const HloAttribute& attribute : instruction.attributes) {
    if (attribute.name == "dim_labels") labels = &attribute;
    if (attribute.name == "window") window = &attribute;
    if (attribute.name != "feature_group_count" && attribute.name != "batch_group_count") continue;
    auto count = read_count(source, attribute);
    if (!count) return std::unexpected(count.error());
    (attribute.name == "feature_group_count" ? op.feature_group_count : op.batch_group_count) =
        *count;
  }
  if (labels == nullptr)
    return std::unexpected(source.error(instruction.offset, "dim_labels", "must be given"));
  const auto numbers = parse_dim_labels(labels->value);
  if (!numbers) return std::unexpected(source.error(labels->value_offset, numbers.error()));
  const std::size_t rank = numbers->in.size();
  for (const HloArray* array : {&image, &kernel, &result}) {
    if (array->extents.size() == rank) continue;
    return std::unexpected(source.error(labels->value_offset,
                                        fmt::format("dim_labels = {}", excerpt(labels->value)),
                                        fmt::format("must name the {} dimensions of {}",
                                                    array->extents.size(), type_text(*array))));
  }
  op.in_shape = image.extents;
  op.kern_shape = kernel.extents;
  op.res_shape = result.extents;
  op.in_perm = numbers->in;
  op.kern_perm = numbers->kern;
  op.out_perm = numbers->out;
  op.window = FixedVector<WindowDim, max_spatial_dims>::filled(rank - 2, WindowDim{});
  if (window != nullptr) return read_window(source, *window, logical_sizes(op).kernel, op);
  if (rank > 2) return std::unexpected(source.error(instruction.offset, "window", "must be given"));
  return {};
}

}  // namespace

std::expected<ConvOp, Error> build_convolution(const SourceText& source,
                                               const HloInstruction& instruction,
                                               const HloDefinitions& definitions) {
  auto result = interpret(source, instruction.shape);
  if (!result) return std::unexpected(result.error());
  const std::size_t operands_end = instruction.operands_offset + instruction.operands.size();
  HloLexer lexer(source.text().substr(0, operands_end), instruction.operands_offset);
  auto image = read_operand(source, lexer, definitions);
  if (!image) return std::unexpected(image.error());
  const bool second = lexer.consume(",");
  auto kernel = second ? read_operand(source, lexer, definitions) : image;
  if (!kernel) return std::unexpected(kernel.error());
  if (!second || !lexer.at_end()) {
    return std::unexpected(source.error(instruction.operands_offset, excerpt(instruction.operands),
                                        "must be two operands"));
  }
  ConvOp op;
  op.element_type = image->array.element_type;
  op.result_element_type = result->element_type;
  op.input_is_graph_input = image->is_parameter;
  op.kernel_is_graph_input = kernel->is_parameter;
  if (kernel->array.element_type != op.element_type) {
    return std::unexpected(source.error(
        instruction.operands_offset, type_text(kernel->array),
        fmt::format("must have the image's element type {}", name_of(op.element_type))));
  }
  if (auto read = read_attributes(source, instruction, image->array, kernel->array, *result, op);
      !read) {
    return std::unexpected(read.error());
  }
  if (auto checked = check_declared_result(op); !checked)
    return std::unexpected(source.error(instruction.offset, checked.error()));
  fold_layout(image->array, op.in_shape, op.in_perm);
  fold_layout(kernel->array, op.kern_shape, op.kern_perm);
  fold_layout(*result, op.res_shape, op.out_perm);
  return op;
}

}  // namespace convproof
