#include "selector/frontends/benchdnn_problem.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

namespace convproof {
namespace {

std::unexpected<Error> refused(std::string place, std::int64_t value, std::string rule) {
  return std::unexpected(Error{std::move(place), fmt::to_string(value), std::move(rule)});
}

constexpr std::string_view axis_letters = "dhw";

using Number = std::optional<std::int64_t>;

struct Axis {
  Number input{}, output{}, kernel{}, stride{}, padding{}, dilation{};

  [[nodiscard]] bool given() const {
    return input || output || kernel || stride || padding || dilation;
  }
};

struct Fields {
  Number groups{}, batch{}, input_channels{}, output_channels{};
  std::array<Axis, 3> axes{};
  std::string name{};

  // The place of the field called `name`; none for other names.
  Number* find(std::string_view field) {
    if (field == "g") return &groups;
    if (field == "mb") return &batch;
    if (field == "ic") return &input_channels;
    if (field == "oc") return &output_channels;
    if (field.size() != 2) return nullptr;
    const std::size_t letter = axis_letters.find(field[1]);
    if (letter == std::string_view::npos) return nullptr;
    Axis& axis = axes[letter];
    switch (field[0]) {
      case 'i':
        return &axis.input;
      case 'o':
        return &axis.output;
      case 'k':
        return &axis.kernel;
      case 's':
        return &axis.stride;
      case 'p':
        return &axis.padding;
      case 'd':
        return &axis.dilation;
      default:
        return nullptr;
    }
  }
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::expected<Fields, Error> split(std::string_view text) {
  Fields fields;
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '_') {
      ++at;
      continue;
    }
    if (text[at] == 'n') {
      std::string_view name = text.substr(at + 1);
      if (name.size() > 1 && name.front() == '"' && name.back() == '"')
        name = name.substr(1, name.size() - 2);
      fields.name = name;
      return fields;
    }
    const std::size_t begin = at;
    while (at < text.size() && text[at] >= 'a' && text[at] <= 'z') ++at;
    const std::string_view field = text.substr(begin, at - begin);
    Number* const number = fields.find(field);
    if (number == nullptr) {
      return std::unexpected(
          Error{fmt::format("offset {}", begin),
                std::string(text.substr(begin, std::max<std::size_t>(field.size(), 1))),
                "is not a field of a problem"});
    }
    const std::size_t digits = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    const std::string_view written = text.substr(digits, at - digits);
    std::int64_t value = 0;
    const auto [last, status] =
        std::from_chars(written.data(), written.data() + written.size(), value);
    if (status != std::errc{} || value > max_extent) {
      return std::unexpected(Error{std::string(field), std::string(written.substr(0, 40)),
                                   fmt::format("must be a number up to {}", max_extent)});
    }
    if (*number && **number != value) {
      return refused(std::string(field), value, fmt::format("was given before as {}", **number));
    }
    *number = value;
  }
  return fields;
}

std::string field_name(char field, std::size_t axis) { return {field, axis_letters[axis]}; }

// Copies axes as the descriptor's rules ask and gives the first axis that there is.
std::expected<std::size_t, Error> complete(std::array<Axis, 3>& axes) {
  std::size_t first = 0;
  while (first < axes.size() && !axes[first].given()) ++first;
  if (first == axes.size())
    return std::unexpected(Error{"problem", "", "must have a spatial axis"});
  for (std::size_t axis = first + 1; axis < axes.size(); ++axis) {
    if (axes[axis].given()) continue;
    // A square is short for its first side only: of three axes, all or none beside the first.
    for (std::size_t other = first + 1; other < axes.size(); ++other) {
      if (!axes[other].given()) continue;
      return std::unexpected(Error{field_name('i', axis), "",
                                   fmt::format("must be given beside {}", field_name('i', other))});
    }
    for (std::size_t copy = axis; copy < axes.size(); ++copy) axes[copy] = axes[first];
    break;
  }
  return first;
}

// Appends one axis to the convolution's lists. Numbers are below 2^31: no sum of two products
// leaves int64.
std::expected<void, Error> add_axis(const Axis& axis, std::size_t letter, BenchdnnDriver driver,
                                    PaddedConvolution& conv) {
  const std::int64_t stride = axis.stride.value_or(1);
  const std::int64_t dilation = axis.dilation.value_or(0) + 1;
  struct Least {
    char field;
    const Number& number;
  };
  for (const Least& least : {Least{'i', axis.input}, Least{'k', axis.kernel}}) {
    if (!least.number)
      return std::unexpected(Error{field_name(least.field, letter), "", "must be given"});
    if (*least.number < 1)
      return refused(field_name(least.field, letter), *least.number, "must be at least 1");
  }
  if (stride < 1) return refused(field_name('s', letter), stride, "must be at least 1");
  const std::int64_t kernel = (*axis.kernel - 1) * dilation + 1;
  // Transposed, the input is the side that a window moves over in steps.
  const bool transposed = driver == BenchdnnDriver::deconv;
  std::int64_t output = axis.output.value_or(0);
  std::int64_t padding = axis.padding.value_or(0);
  if (output == 0) {
    const std::int64_t rest = *axis.input - kernel + 2 * padding;
    output = transposed ? (*axis.input - 1) * stride + kernel - 2 * padding
             : rest < 0 ? 0
                        : rest / stride + 1;
    if (output < 1) {
      return refused(field_name('o', letter), output,
                     "must be at least 1 where it follows from the padding");
    }
  }
  const std::int64_t large = transposed ? output : *axis.input;
  const std::int64_t small = transposed ? *axis.input : output;
  const std::int64_t both = (small - 1) * stride + kernel - large;
  if (!axis.padding) padding = axis.output.value_or(0) == 0 ? 0 : both / 2;
  conv.input.push_back(*axis.input);
  conv.weight.push_back(*axis.kernel);
  conv.stride.push_back(stride);
  conv.dilation.push_back(dilation);
  conv.pad_low.push_back(padding);
  conv.pad_high.push_back(both - padding);
  // The output that input and both paddings imply is the one stated.
  return {};
}

}  // namespace

std::expected<BenchdnnProblem, Error> parse_benchdnn_problem(std::string_view text,
                                                             BenchdnnDriver driver,
                                                             std::optional<std::int64_t> batch) {
  auto fields = split(text);
  if (!fields) return std::unexpected(std::move(fields.error()));
  BenchdnnProblem problem{.name = std::move(fields->name)};
  PaddedConvolution& conv = problem.convolution;
  conv.transposed = driver == BenchdnnDriver::deconv;
  conv.groups = fields->groups.value_or(1);
  if (conv.groups < 1) return refused("g", conv.groups, "must be at least 1");
  struct Channels {
    std::string_view name;
    const Number& number;
  };
  for (const Channels& channels :
       {Channels{"ic", fields->input_channels}, Channels{"oc", fields->output_channels}}) {
    if (!channels.number)
      return std::unexpected(Error{std::string(channels.name), "", "must be given"});
    if (*channels.number < 1 || *channels.number % conv.groups != 0) {
      return refused(std::string(channels.name), *channels.number,
                     fmt::format("must be a multiple of the {} groups", conv.groups));
    }
  }
  const std::int64_t input = *fields->input_channels;
  const std::int64_t output = *fields->output_channels;
  conv.input = {batch.value_or(fields->batch.value_or(2)), input};
  conv.weight =
      conv.transposed ? Shape{input, output / conv.groups} : Shape{output, input / conv.groups};
  const auto first = complete(fields->axes);
  if (!first) return std::unexpected(first.error());
  for (std::size_t axis = *first; axis < axis_letters.size(); ++axis) {
    if (auto added = add_axis(fields->axes[axis], axis, driver, conv); !added)
      return std::unexpected(added.error());
  }
  const auto result = padded_output_shape(conv);
  if (!result) return std::unexpected(result.error());
  for (std::size_t axis = *first; axis < axis_letters.size(); ++axis) {
    const Number& stated = fields->axes[axis].output;
    const std::int64_t extent = (*result)[axis - *first + 2];
    if (stated && *stated != 0 && *stated != extent)
      return refused(field_name('o', axis), *stated, fmt::format("must be {}", extent));
  }
  return problem;
}

bool is_benchdnn_problem(std::string_view text) {
  const auto fields = split(text);
  return fields && (fields->input_channels || fields->output_channels) &&
         std::ranges::any_of(fields->axes, &Axis::given);
}

}  // namespace convproof
