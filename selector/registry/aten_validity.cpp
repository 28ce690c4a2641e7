#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "selector/op/conv_op.h"
#include "selector/registry/aten_subject.h"
#include "selector/rules/axiom.h"
#include "selector/rules/program.h"

namespace convproof {
namespace {

std::unexpected<Error> broken(std::string_view place, std::string value, std::string rule) {
  return std::unexpected(Error{std::string(place), std::move(value), std::move(rule)});
}

struct NamedNumbers {
  std::string_view name;
  std::span<const std::int64_t> values;
};

std::string text_of(std::span<const std::int64_t> values) {
  return fmt::format("[{}]", fmt::join(values, ", "));
}

// At most `max_elements`; extents are at most `max_extent` and not negative.
bool holds_few_elements(std::span<const std::int64_t> shape) {
  std::int64_t elements = 1;
  for (const std::int64_t extent : shape) {
    if (__builtin_mul_overflow(elements, extent, &elements) || elements > max_elements)
      return false;
  }
  return true;
}

std::expected<void, Error> check_lengths(const AtenCall& call) {
  const AtenConvolution& convolution = call.convolution;
  const std::size_t rank = convolution.weight.size();
  if (rank < 3) {
    return broken("weight", text_of(convolution.weight),
                  fmt::format("must have 3 to {} extents", max_rank));
  }
  if (convolution.input.size() != rank && (call.backward || convolution.input.size() != rank - 1)) {
    return broken("input", text_of(convolution.input),
                  call.backward ? fmt::format("must have {} extents", rank)
                                : fmt::format("must have {} extents, or {} without a batch axis",
                                              rank, rank - 1));
  }
  for (const NamedNumbers& list :
       {NamedNumbers{"stride", convolution.stride}, NamedNumbers{"padding", convolution.padding},
        NamedNumbers{"dilation", convolution.dilation},
        NamedNumbers{"output_padding", convolution.output_padding}}) {
    if (list.values.size() != 1 && list.values.size() != rank - 2) {
      return broken(
          list.name, text_of(list.values),
          fmt::format("must have one number, or one for each of {} spatial dimensions", rank - 2));
    }
  }
  return {};
}

std::expected<void, Error> check_limits(const AtenCall& call) {
  const AtenConvolution& convolution = call.convolution;
  for (const NamedNumbers& list :
       {NamedNumbers{"input", convolution.input}, NamedNumbers{"weight", convolution.weight},
        NamedNumbers{"stride", convolution.stride}, NamedNumbers{"padding", convolution.padding},
        NamedNumbers{"dilation", convolution.dilation},
        NamedNumbers{"output_padding", convolution.output_padding},
        NamedNumbers{"groups", {&convolution.groups, 1}}}) {
    for (const std::int64_t value : list.values) {
      if (value >= 0 && value <= max_extent) continue;
      return broken(list.name, list.name == "groups" ? fmt::to_string(value) : text_of(list.values),
                    fmt::format("must be between 0 and {}", max_extent));
    }
  }
  for (const NamedNumbers& shape :
       {NamedNumbers{"input", convolution.input}, NamedNumbers{"weight", convolution.weight}}) {
    if (!holds_few_elements(shape.values)) {
      return broken(shape.name, text_of(shape.values),
                    fmt::format("must hold at most {} elements", max_elements));
    }
  }
  return {};
}

// The output channels that the weight declares; the axioms must hold.
std::int64_t declared_channels(const AtenConvolution& convolution) {
  return convolution.transposed ? convolution.weight[1] * convolution.groups
                                : convolution.weight[0];
}

// The shape of the result; the axioms must hold.
Shape result_shape(const AtenConvolution& convolution) {
  const bool batched = convolution.input.size() >= convolution.weight.size();
  const auto at = [](const SpatialList& list, std::size_t axis) {
    return list[list.size() == 1 ? 0 : axis];
  };
  Shape shape{batched ? convolution.input[0] : 1, declared_channels(convolution)};
  if (convolution.input[batched ? 1 : 0] == 0) shape[1] = 0;
  for (std::size_t axis = 0; axis + 2 < convolution.weight.size(); ++axis) {
    const std::int64_t extent = convolution.input[axis + (batched ? 2 : 1)];
    const std::int64_t step = at(convolution.stride, axis);
    const std::int64_t reach =
        at(convolution.dilation, axis) * (convolution.weight[axis + 2] - 1) + 1;
    const std::int64_t padding = 2 * at(convolution.padding, axis);
    shape.push_back(convolution.transposed ? (extent - 1) * step - padding + reach +
                                                 at(convolution.output_padding, axis)
                                           : (extent + padding - reach) / step + 1);
  }
  return shape;
}

// The axioms of an embedded schema, compiled.
TableProgram axioms_of(bool backward) {
  const Schema& schema = aten_schema(backward);
  auto compiled = compile_predicate(axioms_predicate(schema), schema);
  assert(compiled);
  return compiled ? std::move(*compiled) : TableProgram();
}

std::expected<void, Error> check_axioms(const AtenCall& call) {
  static const std::array<TableProgram, 2> programs{axioms_of(false), axioms_of(true)};
  thread_local std::array<Workspace, 2> workspaces{programs[0].make_workspace(),
                                                   programs[1].make_workspace()};
  const std::size_t kind = call.backward ? 1 : 0;
  Workspace& workspace = workspaces[kind];
  fill_record(call, aten_binding(call.backward), workspace.record());
  const PredicateOutcome outcome = programs[kind].run_row(0, workspace);
  if (outcome.kind == PredicateOutcome::Kind::matched) return {};
  const Schema& schema = aten_schema(call.backward);
  return std::unexpected(axiom_error(schema.axioms[outcome.clause], schema, workspace.record()));
}

}  // namespace

std::expected<void, Error> validate(const AtenCall& call) {
  for (const auto& check : {check_lengths, check_limits, check_axioms}) {
    if (auto checked = check(call); !checked) return checked;
  }
  const AtenConvolution& convolution = call.convolution;
  if (convolution.bias && *convolution.bias != declared_channels(convolution)) {
    return broken("bias", fmt::to_string(*convolution.bias),
                  fmt::format("must have {} elements, one for each output channel",
                              declared_channels(convolution)));
  }
  if (const Shape shape = result_shape(convolution); !holds_few_elements(shape)) {
    return broken("result", text_of(shape),
                  fmt::format("must hold at most {} elements", max_elements));
  }
  return {};
}

}  // namespace convproof
