#pragma once

#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include <onnx/onnx_pb.h>

#include "selector/frontends/onnx/onnx_tensor.h"
#include "selector/op/error.h"

namespace convproof {

// What a graph says about one of its values; the messages are borrowed from the model.
struct OnnxValue {
  const onnx::TypeProto* type = nullptr;        // of an input, a result or in value_info
  const onnx::TensorProto* elements = nullptr;  // of an initialiser or a constant
  bool graph_input = false;                     // and no initialiser states it
};

// The values of a graph by name; a subgraph sees those of the graphs around it.
class OnnxScope {
 public:
  explicit OnnxScope(const onnx::GraphProto& graph, const OnnxScope* outer = nullptr);

  [[nodiscard]] const OnnxValue* find(std::string_view name) const;

 private:
  std::unordered_map<std::string_view, OnnxValue> values_;
  const OnnxScope* outer_ = nullptr;
};

// Type and shape of a value; the error's place is `input "name"`.
std::expected<OnnxTensor, Error> tensor_named(const OnnxScope& scope, std::string_view name);

// A node together with what stands around it.
struct OnnxNode {
  const onnx::NodeProto& node;
  const OnnxScope& scope;
  std::string place{};     // `node[3]`, behind the nodes whose subgraphs hold it
  bool top_level = false;  // in the model's own graph
};

// Calls `visit` for each node, those of subgraphs behind the node that holds them, until it returns
// false.
void for_each_node(const onnx::GraphProto& graph,
                   const std::function<bool(const OnnxNode&)>& visit);

}  // namespace convproof
