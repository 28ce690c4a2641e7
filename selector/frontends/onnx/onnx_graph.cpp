#include "selector/frontends/onnx/onnx_graph.h"

#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "selector/frontends/source_text.h"

namespace convproof {
namespace {

// False where the visitor wants no more.
bool walk(const onnx::GraphProto& graph, const OnnxScope* outer, const std::string& prefix,
          const std::function<bool(const OnnxNode&)>& visit) {
  const OnnxScope scope(graph, outer);
  for (int index = 0; index < graph.node_size(); ++index) {
    const onnx::NodeProto& node = graph.node(index);
    OnnxNode one{node, scope, fmt::format("{}node[{}]", prefix, index), outer == nullptr};
    if (!visit(one)) return false;
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.has_g() && !walk(attribute.g(), &scope, one.place + ".", visit)) return false;
      for (const onnx::GraphProto& part : attribute.graphs()) {
        if (!walk(part, &scope, one.place + ".", visit)) return false;
      }
    }
  }
  return true;
}

}  // namespace

OnnxScope::OnnxScope(const onnx::GraphProto& graph, const OnnxScope* outer) : outer_(outer) {
  for (const onnx::ValueInfoProto& value : graph.value_info()) {
    if (value.has_type()) values_[value.name()].type = &value.type();
  }
  for (const onnx::ValueInfoProto& value : graph.output()) {
    if (value.has_type()) values_[value.name()].type = &value.type();
  }
  for (const onnx::ValueInfoProto& value : graph.input()) {
    OnnxValue& input = values_[value.name()];
    input.graph_input = outer == nullptr;
    if (value.has_type()) input.type = &value.type();
  }
  // Before IR version 4, initialisers are graph inputs as well.
  for (const onnx::TensorProto& tensor : graph.initializer()) {
    OnnxValue& value = values_[tensor.name()];
    value.elements = &tensor;
    value.graph_input = false;
  }
  for (const onnx::NodeProto& node : graph.node()) {
    if (node.op_type() != "Constant" || node.output_size() != 1) continue;
    for (const onnx::AttributeProto& attribute : node.attribute()) {
      if (attribute.name() == "value" && attribute.has_t())
        values_[node.output(0)].elements = &attribute.t();
    }
  }
}

const OnnxValue* OnnxScope::find(std::string_view name) const {
  for (const OnnxScope* scope = this; scope != nullptr; scope = scope->outer_) {
    const auto found = scope->values_.find(name);
    if (found != scope->values_.end()) return &found->second;
  }
  return nullptr;
}

std::expected<OnnxTensor, Error> tensor_named(const OnnxScope& scope, std::string_view name) {
  const std::string place = fmt::format("input \"{}\"", excerpt(name));
  const OnnxValue* const value = scope.find(name);
  if (value == nullptr || (value->elements == nullptr && value->type == nullptr)) {
    return std::unexpected(
        Error{place, "", "has no shape in the model: run ONNX's shape inference over it first"});
  }
  auto tensor =
      value->elements != nullptr ? tensor_type(*value->elements) : tensor_type(*value->type);
  if (tensor) return tensor;
  Error error = std::move(tensor.error());
  error.place = place;
  return std::unexpected(std::move(error));
}

void for_each_node(const onnx::GraphProto& graph,
                   const std::function<bool(const OnnxNode&)>& visit) {
  walk(graph, nullptr, "", visit);
}

}  // namespace convproof
