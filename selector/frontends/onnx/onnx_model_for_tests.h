#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

#include <onnx/onnx_pb.h>

namespace convproof {

// A model of one node, built piece by piece for the tests of this folder.
class OnnxModelForTests {
 public:
  explicit OnnxModelForTests(const std::string& op_type, std::int64_t opset = 11) {
    model_.set_ir_version(7);
    model_.add_opset_import()->set_version(opset);
    node_ = model_.mutable_graph()->add_node();
    node_->set_op_type(op_type);
    node_->set_name("the_node");
    *node_->add_output() = std::string(1, 'Y');
  }

  // An input of the graph and the node; an extent of -1 is symbolic.
  OnnxModelForTests& input(const std::string& name, std::initializer_list<std::int64_t> shape,
                           int type = onnx::TensorProto_DataType_FLOAT) {
    node_->add_input(name);
    set_type(*model_.mutable_graph()->add_input(), name, shape, type);
    return *this;
  }
  // A weight of zeros that the model states.
  OnnxModelForTests& initializer(const std::string& name,
                                 std::initializer_list<std::int64_t> shape) {
    node_->add_input(name);
    onnx::TensorProto* tensor = model_.mutable_graph()->add_initializer();
    tensor->set_name(name);
    tensor->set_data_type(onnx::TensorProto_DataType_FLOAT);
    std::int64_t elements = 1;
    for (const std::int64_t extent : shape) {
      tensor->add_dims(extent);
      elements *= extent;
    }
    for (std::int64_t i = 0; i < elements; ++i) tensor->add_float_data(0);
    return *this;
  }
  OnnxModelForTests& output(std::initializer_list<std::int64_t> shape) {
    set_type(*model_.mutable_graph()->add_output(), "Y", shape, onnx::TensorProto_DataType_FLOAT);
    return *this;
  }
  OnnxModelForTests& list(const std::string& name, std::initializer_list<std::int64_t> values) {
    onnx::AttributeProto* attribute = node_->add_attribute();
    attribute->set_name(name);
    attribute->set_type(onnx::AttributeProto_AttributeType_INTS);
    for (const std::int64_t value : values) attribute->add_ints(value);
    return *this;
  }
  OnnxModelForTests& number(const std::string& name, std::int64_t value) {
    onnx::AttributeProto* attribute = node_->add_attribute();
    attribute->set_name(name);
    attribute->set_type(onnx::AttributeProto_AttributeType_INT);
    attribute->set_i(value);
    return *this;
  }
  OnnxModelForTests& word(const std::string& name, const std::string& value) {
    onnx::AttributeProto* attribute = node_->add_attribute();
    attribute->set_name(name);
    attribute->set_type(onnx::AttributeProto_AttributeType_STRING);
    attribute->set_s(value);
    return *this;
  }

  onnx::ModelProto& model() { return model_; }
  [[nodiscard]] std::string bytes() const { return model_.SerializeAsString(); }

 private:
  static void set_type(onnx::ValueInfoProto& value, const std::string& name,
                       std::initializer_list<std::int64_t> shape, int type) {
    value.set_name(name);
    onnx::TypeProto_Tensor* tensor = value.mutable_type()->mutable_tensor_type();
    tensor->set_elem_type(type);
    tensor->mutable_shape();
    for (const std::int64_t extent : shape) {
      onnx::TensorShapeProto_Dimension* dim = tensor->mutable_shape()->add_dim();
      if (extent < 0) {
        dim->set_dim_param("N");
      } else {
        dim->set_dim_value(extent);
      }
    }
  }

  onnx::ModelProto model_;
  onnx::NodeProto* node_ = nullptr;
};

}  // namespace convproof
