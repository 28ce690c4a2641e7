#include "fuzz/onnx_model.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <onnx/onnx_pb.h>

#include "selector/op/element_type.h"
#include "selector/op/perm.h"

namespace convproof::fuzz {
namespace {

int data_type_of(ElementType type) {
  switch (type) {
    case ElementType::f64:
      return onnx::TensorProto_DataType_DOUBLE;
    case ElementType::bf16:
      return onnx::TensorProto_DataType_BFLOAT16;
    case ElementType::f16:
      return onnx::TensorProto_DataType_FLOAT16;
    default:
      return onnx::TensorProto_DataType_FLOAT;
  }
}

void add_input(onnx::GraphProto& graph, const std::string& name, const Shape& shape, int type) {
  graph.mutable_node(0)->add_input(name);
  onnx::ValueInfoProto& value = *graph.add_input();
  value.set_name(name);
  onnx::TypeProto_Tensor& tensor = *value.mutable_type()->mutable_tensor_type();
  tensor.set_elem_type(type);
  tensor.mutable_shape();
  for (const std::int64_t extent : shape) tensor.mutable_shape()->add_dim()->set_dim_value(extent);
}

void add_list(onnx::NodeProto& node, const std::string& name,
              std::span<const std::int64_t> values) {
  onnx::AttributeProto& attribute = *node.add_attribute();
  attribute.set_name(name);
  attribute.set_type(onnx::AttributeProto_AttributeType_INTS);
  for (const std::int64_t value : values) attribute.add_ints(value);
}

}  // namespace

std::string as_onnx_model(const AtenCall& call) {
  const AtenConvolution& conv = call.convolution;
  onnx::ModelProto model;
  model.set_ir_version(7);
  model.add_opset_import()->set_version(11);
  onnx::GraphProto& graph = *model.mutable_graph();
  onnx::NodeProto& node = *graph.add_node();
  node.set_op_type(conv.transposed ? "ConvTranspose" : "Conv");
  node.set_name("conv");
  *node.add_output() = std::string(1, 'Y');
  const int type = data_type_of(conv.element_type);
  add_input(graph, "X", conv.input, type);
  add_input(graph, "W", conv.weight, type);
  if (conv.bias) add_input(graph, "B", {*conv.bias}, type);
  add_list(node, "strides", conv.stride);
  std::vector<std::int64_t> pads(conv.padding.begin(), conv.padding.end());
  pads.insert(pads.end(), conv.padding.begin(), conv.padding.end());
  add_list(node, "pads", pads);
  add_list(node, "dilations", conv.dilation);
  if (conv.transposed) add_list(node, "output_padding", conv.output_padding);
  onnx::AttributeProto& group = *node.add_attribute();
  group.set_name("group");
  group.set_type(onnx::AttributeProto_AttributeType_INT);
  group.set_i(conv.groups);
  return model.SerializeAsString();
}

}  // namespace convproof::fuzz
