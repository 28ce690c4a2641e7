#include "selector/frontends/torch_convolution.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "selector/frontends/aten.h"
#include "selector/frontends/mlir_attributes.h"
#include "selector/frontends/mlir_type.h"
#include "selector/frontends/padded_convolution.h"
#include "selector/frontends/torch_type.h"

namespace convproof {
namespace {

using Kind = MlirToken::Kind;

enum class Role : unsigned char {
  input,
  weight,
  bias,
  result_gradient,
  bias_sizes,
  stride,
  padding,
  dilation,
  transposed,
  output_padding,
  groups,
  output_mask,
  setting,  // of the library that computes it
};

constexpr std::array<std::string_view, 13> role_names{
    "input",    "weight",     "bias",           "grad_output", "bias_sizes",  "stride", "padding",
    "dilation", "transposed", "output_padding", "groups",      "output_mask", "setting"};

using enum Role;

constexpr std::array convolution_roles{input,    weight,     bias,           stride, padding,
                                       dilation, transposed, output_padding, groups};
constexpr std::array older_roles{input,    weight,     bias,           stride, padding,
                                 dilation, transposed, output_padding, groups, setting,
                                 setting,  setting,    setting};
constexpr std::array plain_roles{input, weight, bias, stride, padding, dilation, groups};
constexpr std::array transpose_roles{input,   weight,         bias,   stride,
                                     padding, output_padding, groups, dilation};
constexpr std::array backward_roles{result_gradient, input,   weight,     bias_sizes,
                                    stride,          padding, dilation,   transposed,
                                    output_padding,  groups,  output_mask};

struct Form {
  std::string_view name{};
  std::span<const Role> roles{};
  std::size_t dims = 0;  // 0: any number
  bool transposed = false;
};

constexpr std::array forms{
    Form{"torch.aten.convolution", convolution_roles},
    Form{"torch.aten._convolution", older_roles},
    Form{"torch.aten._convolution.deprecated", std::span(older_roles).first(12)},
    Form{"torch.aten.conv1d", plain_roles, 1},
    Form{"torch.aten.conv2d", plain_roles, 2},
    Form{"torch.aten.conv3d", plain_roles, 3},
    Form{"torch.aten.conv1d.padding", plain_roles, 1},
    Form{"torch.aten.conv2d.padding", plain_roles, 2},
    Form{"torch.aten.conv3d.padding", plain_roles, 3},
    Form{"torch.aten.conv_transpose1d", transpose_roles, 1, true},
    Form{"torch.aten.conv_transpose2d.input", transpose_roles, 2, true},
    Form{"torch.aten.conv_transpose3d.input", transpose_roles, 3, true},
    Form{"torch.aten.convolution_backward", backward_roles},
};

// `%a, %b` at the cursor.
std::vector<MlirToken> read_names(MlirLexer& lexer) {
  std::vector<MlirToken> names;
  while (lexer.peek().kind == Kind::value) {
    names.push_back(lexer.next());
    if (!lexer.consume(",")) break;
  }
  return names;
}

}  // namespace

// One operation as it stands: operands and types by role.
struct TorchFunction::Operation {
  const Form& form;
  const SourceText& source;
  std::size_t offset = 0;
  std::vector<MlirToken> operands{};
  std::vector<MlirTensorType> types{};  // of the operands
  std::vector<MlirTensorType> results{};

  [[nodiscard]] std::optional<std::size_t> index(Role role) const {
    const auto found = std::ranges::find(form.roles, role);
    if (found == form.roles.end()) return std::nullopt;
    return static_cast<std::size_t>(found - form.roles.begin());
  }
  [[nodiscard]] std::unexpected<Error> refused(Role role, std::string rule) const {
    const MlirToken& operand = operands[*index(role)];
    return std::unexpected(source.error(
        operand.offset,
        fmt::format("{} = {}", role_names[static_cast<std::size_t>(role)], excerpt(operand.text)),
        std::move(rule)));
  }
};

// Fills a call from an operation's operands.
struct TorchFunction::Reading {
  const std::unordered_map<std::string_view, Value>& values;
  const Operation& operation;
  AtenCall call{};
  std::optional<PaddedConvolution> padded{};  // where the padding is a word
  std::string note{};

  [[nodiscard]] const Value* find(Role role) const {
    const auto index = operation.index(role);
    if (!index) return nullptr;
    const auto found = values.find(operation.operands[*index].text);
    return found == values.end() ? nullptr : &found->second;
  }

  [[nodiscard]] std::expected<StaticTensor, Error> tensor(Role role) const {
    return require_static(operation.source, operation.types[*operation.index(role)]);
  }

  template <class T>
  std::expected<std::vector<T>, Error> list(Role role, std::size_t most,
                                            std::string_view rule) const {
    const Value* const value = find(role);
    const Names* const names = value == nullptr ? nullptr : std::get_if<Names>(value);
    std::vector<T> result;
    if (names == nullptr || names->values.size() > most)
      return operation.refused(role, std::string(rule));
    for (const std::string_view name : names->values) {
      const auto found = values.find(name);
      const T* const element = found == values.end() ? nullptr : std::get_if<T>(&found->second);
      if (element == nullptr) return operation.refused(role, std::string(rule));
      result.push_back(*element);
    }
    return result;
  }

  std::expected<void, Error> read_list(Role role, std::int64_t missing, SpatialList& into) const {
    into = {missing};
    if (!operation.index(role)) return {};
    const auto numbers = list<std::int64_t>(
        role, max_spatial_dims,
        fmt::format("must be a list of at most {} constant integers", max_spatial_dims));
    if (!numbers) return std::unexpected(numbers.error());
    into = SpatialList(std::span<const std::int64_t>(*numbers));
    return {};
  }

  template <class T>
  std::expected<void, Error> read_constant(Role role, std::string_view rule, T& into) const {
    if (!operation.index(role)) return {};
    const Value* const value = find(role);
    const T* const constant = value == nullptr ? nullptr : std::get_if<T>(value);
    if (constant == nullptr) return operation.refused(role, std::string(rule));
    into = *constant;
    return {};
  }

  std::expected<void, Error> read_tensors() {
    AtenConvolution& conv = call.convolution;
    const auto image = tensor(input);
    if (!image) return std::unexpected(image.error());
    const auto kernel = tensor(weight);
    if (!kernel) return std::unexpected(kernel.error());
    conv.input = image->shape;
    conv.weight = kernel->shape;
    conv.element_type = image->element_type;
    call.weight_element_type = kernel->element_type;
    if (operation.form.dims != 0 && conv.weight.size() != operation.form.dims + 2) {
      return operation.refused(weight,
                               fmt::format("must have {} dimensions", operation.form.dims + 2));
    }
    if (!operation.index(bias)) return {};
    if (const Value* value = find(bias); value != nullptr && std::holds_alternative<None>(*value))
      return {};
    const auto length = tensor(bias);
    if (!length) return std::unexpected(length.error());
    if (length->shape.size() != 1)
      return operation.refused(bias, "must be none or have one dimension");
    conv.bias = length->shape[0];
    return {};
  }

  // `"same"` pads to a result as large as the input, an odd element at the end.
  std::expected<void, Error> read_word_of_padding(std::string_view word) {
    const AtenConvolution& conv = call.convolution;
    const std::size_t dims = operation.form.dims;
    PaddedConvolution result{.input = conv.input,
                             .weight = conv.weight,
                             .groups = conv.groups,
                             .element_type = conv.element_type};
    for (const auto& [from, to] :
         {std::pair{&conv.stride, &result.stride}, std::pair{&conv.dilation, &result.dilation}}) {
      *to = from->size() == 1 ? SpatialList::filled(dims, (*from)[0]) : *from;
    }
    if (word != "same" && word != "valid")
      return operation.refused(padding, "must be \"same\", \"valid\" or a list");
    if (result.stride.size() != dims || result.dilation.size() != dims)
      return operation.refused(stride, fmt::format("must have 1 or {} entries", dims));
    for (std::size_t axis = 0; axis < dims; ++axis) {
      std::int64_t total = 0;
      if (word == "same") {
        if (result.stride[axis] != 1)
          return operation.refused(padding, "\"same\" must have strides of 1");
        if (result.dilation[axis] < 0 || result.dilation[axis] > max_extent)
          return operation.refused(dilation, fmt::format("must be up to {}", max_extent));
        total = result.dilation[axis] * (conv.weight[axis + 2] - 1);
        if (total > max_extent)
          return operation.refused(padding, fmt::format("must be up to {}", max_extent));
      }
      result.pad_low.push_back(total / 2);
      result.pad_high.push_back(total - total / 2);
    }
    padded = result;
    return {};
  }

  std::expected<void, Error> read_mask() {
    call.backward = true;
    call.bias_sizes =
        find(bias_sizes) == nullptr || !std::holds_alternative<None>(*find(bias_sizes));
    const auto mask = list<bool>(output_mask, 3, "must be a list of three constant booleans");
    if (!mask) return std::unexpected(mask.error());
    if (mask->size() != 3)
      return operation.refused(output_mask, "must be a list of three constant booleans");
    std::ranges::copy(*mask, call.output_mask.begin());
    return {};
  }

  std::expected<void, Error> read() {
    AtenConvolution& conv = call.convolution;
    conv.transposed = operation.form.transposed;
    if (auto read = read_tensors(); !read) return read;
    if (auto read = read_list(stride, 1, conv.stride); !read) return read;
    if (auto read = read_list(dilation, 1, conv.dilation); !read) return read;
    if (auto read = read_list(output_padding, 0, conv.output_padding); !read) return read;
    if (auto read = read_constant(transposed, "must be a constant boolean", conv.transposed); !read)
      return read;
    if (auto read = read_constant(groups, "must be a constant integer", conv.groups); !read)
      return read;
    const bool zeros = std::ranges::all_of(conv.output_padding, [](auto n) { return n == 0; });
    if (!conv.transposed && zeros) conv.output_padding = {0};
    if (operation.index(output_mask)) {
      if (auto read = read_mask(); !read) return read;
    }
    const Value* const value = find(padding);
    if (value != nullptr && std::holds_alternative<std::string_view>(*value) &&
        operation.form.dims != 0) {
      return read_word_of_padding(std::get<std::string_view>(*value));
    }
    return read_list(padding, 0, conv.padding);
  }

  [[nodiscard]] std::expected<ConvOp, Error> general() const {
    if (padded) return padded_forward(*padded);
    return aten_operation(call);
  }

  // The dialect lets a declared result differ from the computed one; the reader should know.
  void note_result(const ConvOp& op) {
    const std::size_t which = call.backward && !call.output_mask[0] ? 1 : 0;
    if (which >= operation.results.size()) return;
    const MlirTensorType& type = operation.results[which];
    if (!type.ranked) return;
    bool agrees = type.extents.size() == op.res_shape.size();
    for (std::size_t axis = 0; agrees && axis < type.extents.size(); ++axis)
      agrees = type.extents[axis] < 0 || type.extents[axis] == op.res_shape[axis];
    if (agrees) return;
    note = fmt::format("declared as {}, computed as [{}]", excerpt(type.text),
                       fmt::join(op.res_shape, ", "));
  }
};

std::optional<TorchConvolution> TorchFunction::read_convolution(const SourceText& source,
                                                                MlirLexer& lexer,
                                                                std::string_view word,
                                                                std::size_t offset,
                                                                bool generic) const {
  const auto* const form = std::ranges::find(forms, word, &Form::name);
  if (form == forms.end()) return std::nullopt;
  TorchConvolution result;
  const auto refuse = [&](Error error) {
    result.op = std::unexpected(std::move(error));
    return result;
  };
  Operation operation{*form, source, offset};
  if (generic && !lexer.consume("("))
    return refuse(source.error(offset, std::string(word), "must have its operands behind it"));
  operation.operands = read_names(lexer);
  if (operation.operands.size() != form->roles.size() || (generic && !lexer.consume(")"))) {
    return refuse(source.error(offset, fmt::format("{} operands", operation.operands.size()),
                               fmt::format("{} must have {}", word, form->roles.size())));
  }
  if (generic && lexer.peek().is("<")) lexer.next();
  if (lexer.peek().is("{")) {
    if (auto skipped = read_attribute_dictionary(source, lexer); !skipped)
      return refuse(std::move(skipped.error()));
    lexer.consume(">");
  }
  if (!lexer.consume(":"))
    return refuse(source.error(lexer.peek().offset, excerpt(lexer.peek().text),
                               "must be ':' before the operands' types"));
  const bool parenthesised = lexer.consume("(");
  auto types = read_torch_types(source, lexer);
  if (!types) return refuse(std::move(types.error()));
  operation.types = std::move(*types);
  if (parenthesised) lexer.consume(")");
  if (operation.types.size() != operation.operands.size() || !lexer.consume("->")) {
    return refuse(source.error(
        offset, fmt::format("{} types", operation.types.size()),
        fmt::format("must be those of {} operands and a result", operation.operands.size())));
  }
  const bool many = lexer.consume("(");
  auto results = read_torch_types(source, lexer);
  if (!results) return refuse(std::move(results.error()));
  operation.results = std::move(*results);
  if (many) lexer.consume(")");

  Reading reading{values_, operation};
  if (auto read = reading.read(); !read) return refuse(std::move(read.error()));
  result.op = reading.general();
  if (reading.padded) {
    if (auto aten = as_aten(*reading.padded)) {
      aten->bias = reading.call.convolution.bias;
      reading.call.convolution = *aten;
      result.aten = reading.call;
    }
  } else {
    result.aten = reading.call;
  }
  if (!result.op) return refuse(source.error(offset, result.op.error()));
  reading.note_result(*result.op);
  result.note = std::move(reading.note);
  const auto name = [&](Role role) { return operation.operands[*operation.index(role)].text; };
  if (!reading.call.backward) {
    result.image = name(input);
    result.kernel = name(weight);
  } else if (reading.call.output_mask[0]) {
    result.image = name(result_gradient);
    result.kernel = name(weight);
  } else {
    const bool exchanged = reading.call.convolution.transposed;
    result.image = name(exchanged ? result_gradient : input);
    result.kernel = name(exchanged ? input : result_gradient);
  }
  return result;
}

void TorchFunction::read_constant(MlirLexer& lexer, std::string_view word,
                                  std::string_view result) {
  const std::size_t begin = lexer.offset();
  if (word == "torch.constant.none") {
    values_[result] = None{};
  } else if (word == "torch.constant.int") {
    if (const auto number = integer(lexer.next())) {
      values_[result] = *number;
    } else {
      lexer.seek(begin);
    }
  } else if (word == "torch.constant.bool") {
    const MlirToken token = lexer.peek();
    if (token.is("true") || token.is("false")) values_[result] = token.is("true");
  } else if (word == "torch.constant.str") {
    if (const MlirToken token = lexer.peek(); token.kind == Kind::string)
      values_[result] = token.text;
  } else if (word == "torch.prim.ListConstruct") {
    Names names;
    for (const MlirToken& name : read_names(lexer)) names.values.push_back(name.text);
    values_[result] = std::move(names);
  }
}

}  // namespace convproof
