#include "selector/frontends/mlir_dataflow.h"

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>

namespace convproof {
namespace {

// Calls and aliases are followed this far; longer chains, and cycles, count as unknown.
constexpr int max_steps = 16;

struct ResultName {
  std::string_view base{};
  std::size_t result = 0;
};

// `%0#1` -> `%0` and 1
ResultName split(std::string_view value) {
  const std::size_t mark = value.find('#');
  if (mark == std::string_view::npos) return {value, 0};
  std::size_t result = 0;
  const std::string_view digits = value.substr(mark + 1);
  const auto [last, status] = std::from_chars(digits.data(), digits.data() + digits.size(), result);
  if (status != std::errc{} || last != digits.data() + digits.size())
    return {value, 0};  // no such value is defined
  return {value.substr(0, mark), result};
}

}  // namespace

void MlirDataflow::add_return(std::vector<std::string_view> values) {
  ++functions_.back().returns;
  functions_.back().returned = std::move(values);
}

std::size_t MlirDataflow::add_constant(MlirConstant constant) {
  constants_.push_back({.text = std::move(constant)});
  return constants_.size() - 1;
}

void MlirDataflow::add_convolution(std::size_t op, std::string_view image,
                                   std::string_view kernel) {
  convolution_of_op_[op] = convolutions_.size();
  convolutions_.push_back({op, functions_.size() - 1, image, kernel});
}

void MlirDataflow::add_check(std::string_view actual, std::string_view expected) {
  checks_.push_back({functions_.size() - 1, actual, expected, 0});
}

void MlirDataflow::add_check(std::string_view actual, std::size_t constant) {
  checks_.push_back({functions_.size() - 1, actual, {}, constant});
}

MlirOrigin MlirDataflow::trace(std::size_t function, std::string_view value) const {
  for (int step = 0; step < max_steps; ++step) {
    const ResultName name = split(value);
    const MlirFunction& scope = functions_[function];
    const auto found = scope.values.find(name.base);
    if (found == scope.values.end()) return {};
    const MlirOrigin& origin = found->second;
    if (origin.kind == MlirOrigin::Kind::alias) {
      value = origin.alias_of;
      continue;
    }
    if (origin.kind != MlirOrigin::Kind::call) return origin;
    const auto callee = function_of_name_.find(origin.callee);
    if (callee == function_of_name_.end()) return {};
    const MlirFunction& target = functions_[callee->second];
    const std::size_t result = origin.result + name.result;
    if (target.returns != 1 || result >= target.returned.size()) return {};
    function = callee->second;
    value = target.returned[result];
  }
  return {};
}

const Values* MlirDataflow::elements_of(const MlirOrigin& origin, const SourceText& source,
                                        Document& document) {
  if (origin.kind != MlirOrigin::Kind::constant) return nullptr;
  Constant& constant = constants_[origin.index];
  if (!constant.elements) {
    constant.elements = read_elements(source, constant.text);
    if (!*constant.elements) add_error(document, constant.elements->error());
  }
  return *constant.elements ? &**constant.elements : nullptr;
}

void MlirDataflow::apply(const Check& check, const SourceText& source, Document& document,
                         std::int64_t& budget) {
  MlirOrigin actual = trace(check.function, check.actual);
  MlirOrigin expected{.kind = MlirOrigin::Kind::constant, .index = check.constant};
  if (!check.expected.empty()) expected = trace(check.function, check.expected);
  if (actual.kind == MlirOrigin::Kind::constant) std::swap(actual, expected);
  if (actual.kind != MlirOrigin::Kind::convolution || expected.kind != MlirOrigin::Kind::constant) {
    return;
  }
  FoundOp& found = document.ops[actual.index];
  const auto known = convolution_of_op_.find(actual.index);
  if (!found.op || found.golden || known == convolution_of_op_.end()) return;
  const Convolution& convolution = convolutions_[known->second];
  const MlirOrigin image = trace(convolution.function, convolution.image);
  const MlirOrigin kernel = trace(convolution.function, convolution.kernel);
  if (image.kind != MlirOrigin::Kind::constant || kernel.kind != MlirOrigin::Kind::constant) return;
  struct Wanted {
    MlirOrigin origin;
    const Shape* shape;
    ElementType type;
  };
  const ConvOp& op = *found.op;
  const Values* values[3] = {};
  std::int64_t elements = 0;
  std::size_t next = 0;
  for (const Wanted& wanted : {Wanted{image, &op.in_shape, op.element_type},
                               Wanted{kernel, &op.kern_shape, op.element_type},
                               Wanted{expected, &op.res_shape, op.result_element_type}}) {
    const auto type = require_static(source, constants_[wanted.origin.index].text.type);
    if (!type || type->shape != *wanted.shape || type->element_type != wanted.type) {
      found.note = "golden values left out: a constant is not of the operation's type";
      return;
    }
    std::int64_t count = 1;
    for (const std::int64_t extent : type->shape) count *= extent;  // at most max_elements
    elements += count;
    if (elements > budget) {
      found.note = fmt::format("golden values left out: more than {} elements in one document",
                               max_constant_elements);
      return;
    }
    values[next] = elements_of(wanted.origin, source, document);
    if (values[next] == nullptr) return;
    ++next;
  }
  budget -= elements;
  found.golden = Golden{*values[0], *values[1], *values[2]};
}

void MlirDataflow::resolve(const SourceText& source, Document& document, std::int64_t& budget) {
  for (std::size_t index = 0; index < functions_.size(); ++index) {
    if (!functions_[index].name.empty()) function_of_name_[functions_[index].name] = index;
  }
  for (const Convolution& convolution : convolutions_) {
    auto& op = document.ops[convolution.op].op;
    if (!op) continue;
    const bool called = called_.contains(functions_[convolution.function].name);
    const auto is_graph_input = [&](std::string_view value) {
      return !called && trace(convolution.function, value).kind == MlirOrigin::Kind::argument;
    };
    op->input_is_graph_input = is_graph_input(convolution.image);
    op->kernel_is_graph_input = is_graph_input(convolution.kernel);
  }
  for (const Check& check : checks_) apply(check, source, document, budget);
}

}  // namespace convproof
