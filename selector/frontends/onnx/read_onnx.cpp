#include "selector/frontends/onnx/read_onnx.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <onnx/onnx_pb.h>

#include "selector/frontends/input_file.h"
#include "selector/frontends/onnx/onnx_attributes.h"
#include "selector/frontends/onnx/onnx_convolution.h"
#include "selector/frontends/onnx/onnx_graph.h"
#include "selector/frontends/onnx/onnx_test_data.h"
#include "selector/frontends/padded_convolution.h"
#include "selector/frontends/source_text.h"

namespace convproof {
namespace {

constexpr std::size_t max_convolutions = std::size_t{1} << 16;
constexpr std::array<std::string_view, 2> with_zero_points{"ConvInteger", "QLinearConv"};

bool is_standard(std::string_view domain) { return domain.empty() || domain == "ai.onnx"; }

bool is_float(ElementType type) { return !info(type).integer; }

std::unexpected<Error> refused(std::string place, std::string value, std::string rule) {
  return std::unexpected(Error{std::move(place), std::move(value), std::move(rule)});
}

// The version of the standard operators; models that name none are of the first.
std::int64_t opset_of(const onnx::ModelProto& model) {
  for (const onnx::OperatorSetIdProto& set : model.opset_import()) {
    if (is_standard(set.domain())) return set.version();
  }
  return 1;
}

// A declared result must be the computed one in every extent that is a number.
std::expected<void, Error> check_declared(const OnnxNode& node, const Shape& result) {
  const OnnxValue* const value = node.scope.find(node.node.output(0));
  if (value == nullptr || value->type == nullptr || !value->type->has_tensor_type() ||
      !value->type->tensor_type().has_shape()) {
    return {};
  }
  const onnx::TensorShapeProto& shape = value->type->tensor_type().shape();
  bool agrees = static_cast<std::size_t>(shape.dim_size()) == result.size();
  std::vector<std::string> declared;
  for (int axis = 0; axis < shape.dim_size(); ++axis) {
    const onnx::TensorShapeProto_Dimension& dim = shape.dim(axis);
    declared.push_back(dim.has_dim_value() ? fmt::to_string(dim.dim_value()) : "?");
    agrees = agrees &&
             (!dim.has_dim_value() || dim.dim_value() == result[static_cast<std::size_t>(axis)]);
    if (declared.size() > max_rank) break;
  }
  if (agrees) return {};
  return refused(
      fmt::format("output \"{}\"", excerpt(node.node.output(0))),
      fmt::format("[{}]", fmt::join(declared, ", ")),
      fmt::format("must be [{}], which inputs and attributes imply", fmt::join(result, ", ")));
}

class ModelReader {
 public:
  ModelReader(const onnx::ModelProto& model, std::string file)
      : model_(model), file_(std::move(file)), opset_(opset_of(model)) {}

  Document read() {
    for_each_node(model_.graph(), [&](const OnnxNode& node) { return visit(node); });
    return std::move(document_);
  }
  // In the order of the document's operations.
  [[nodiscard]] const std::vector<OnnxOperands>& operands() const { return operands_; }

 private:
  // False where the bound on convolutions ends the reading.
  bool visit(const OnnxNode& node) {
    const std::string& type = node.node.op_type();
    if (!is_standard(node.node.domain())) return true;
    const bool quantised = std::ranges::find(with_zero_points, type) != with_zero_points.end();
    if (type != "Conv" && type != "ConvTranspose" && !quantised) return true;
    if (document_.ops.size() >= max_convolutions) {
      document_.errors.push_back(
          {file_, node.place,
           fmt::format("more than {} convolutions: further ones are not read", max_convolutions)});
      return false;
    }
    FoundOp found{.name = name_of_node(node), .place = {.file = file_}};
    OnnxOperands operands;
    if (quantised) {
      found.op = refused("", type, "is a convolution with zero points, which is not read");
    } else {
      found.op = read_convolution(node, operands, found);
    }
    if (!found.op) found.op = std::unexpected(located(node, found.op.error()));
    if (!node.top_level) operands = {};
    document_.ops.push_back(std::move(found));
    operands_.push_back(std::move(operands));
    return true;
  }

  static std::string name_of_node(const OnnxNode& node) {
    if (!node.node.name().empty()) return excerpt(node.node.name());
    if (node.node.output_size() > 0 && !node.node.output(0).empty())
      return excerpt(node.node.output(0));
    return node.place;
  }

  // The field's path moves into the value, as in the readers of text.
  [[nodiscard]] Error located(const OnnxNode& node, const Error& error) const {
    std::string place = fmt::format("{}: {}", file_, node.place);
    if (!node.node.name().empty()) place += fmt::format(" \"{}\"", excerpt(node.node.name()));
    std::string value = error.place;
    if (!value.empty() && !error.value.empty()) value += " = ";
    value += error.value;
    return {std::move(place), std::move(value), error.rule};
  }

  std::expected<ConvOp, Error> read_convolution(const OnnxNode& node, OnnxOperands& operands,
                                                FoundOp& found) const {
    const onnx::NodeProto& proto = node.node;
    if (proto.input_size() < 2 || proto.input_size() > 3 || proto.input(0).empty() ||
        proto.input(1).empty()) {
      return refused("inputs", fmt::to_string(proto.input_size()),
                     "must be X and W, and perhaps B");
    }
    if (proto.output_size() != 1)
      return refused("outputs", fmt::to_string(proto.output_size()), "must be 1");
    const auto input = tensor_named(node.scope, proto.input(0));
    if (!input) return std::unexpected(input.error());
    const auto weight = tensor_named(node.scope, proto.input(1));
    if (!weight) return std::unexpected(weight.error());
    if (!is_float(input->element_type)) {
      return refused(fmt::format("input \"{}\"", excerpt(proto.input(0))),
                     std::string(name_of(input->element_type)), "must be of a float type");
    }
    if (weight->element_type != input->element_type || !weight->symbolic_batch.empty()) {
      return refused(
          fmt::format("input \"{}\"", excerpt(proto.input(1))),
          weight->symbolic_batch.empty() ? std::string(name_of(weight->element_type))
                                         : weight->symbolic_batch,
          fmt::format("must be of {}, with numbers as extents", name_of(input->element_type)));
    }
    const auto attributes = read_onnx_attributes(proto);
    if (!attributes) return std::unexpected(attributes.error());
    const bool transposed = proto.op_type() == "ConvTranspose";
    const auto conv = onnx_convolution(*attributes, transposed, opset_, input->shape, weight->shape,
                                       input->element_type);
    if (!conv) return std::unexpected(conv.error());
    auto op = padded_forward(*conv);
    if (!op) return op;
    if (auto declared = check_declared(node, op->res_shape); !declared)
      return std::unexpected(declared.error());
    const bool biased = proto.input_size() == 3 && !proto.input(2).empty();
    if (auto bias = check_bias(node, biased, *op); !bias) return std::unexpected(bias.error());
    const auto is_graph_input = [&](const std::string& name) {
      const OnnxValue* const value = node.scope.find(name);
      return value != nullptr && value->graph_input;
    };
    op->input_is_graph_input = is_graph_input(proto.input(0));
    op->kernel_is_graph_input = is_graph_input(proto.input(1));
    if (!input->symbolic_batch.empty())
      found.note = fmt::format("the batch {} is taken as 1", input->symbolic_batch);
    if (auto aten = as_aten(*conv)) {
      if (biased) aten->bias = op->res_shape[1];
      found.aten = AtenCall{.convolution = *aten, .weight_element_type = weight->element_type};
    }
    operands = {.image = proto.input(0),
                .weight = proto.input(1),
                .bias = biased ? proto.input(2) : "",
                .result = proto.output(0),
                .weight_shape = weight->shape,
                .groups = conv->groups,
                .transposed = transposed};
    return op;
  }

  // A bias whose type is known has one element for each output channel.
  static std::expected<void, Error> check_bias(const OnnxNode& node, bool biased,
                                               const ConvOp& op) {
    if (!biased) return {};
    const std::string& name = node.node.input(2);
    const OnnxValue* const value = node.scope.find(name);
    if (value == nullptr || (value->elements == nullptr && value->type == nullptr)) return {};
    const auto bias = tensor_named(node.scope, name);
    if (!bias) return std::unexpected(bias.error());
    if (bias->shape == Shape{op.res_shape[1]} && bias->symbolic_batch.empty()) return {};
    return refused(fmt::format("input \"{}\"", excerpt(name)),
                   fmt::format("[{}]", fmt::join(bias->shape, ", ")),
                   fmt::format("must be [{}], the output channels", op.res_shape[1]));
  }

  const onnx::ModelProto& model_;
  std::string file_;
  std::int64_t opset_;
  Document document_{};
  std::vector<OnnxOperands> operands_{};
};

std::expected<onnx::ModelProto, Error> parse(std::string_view bytes, const std::string& file) {
  if (bytes.empty()) return refused(file, "", "is empty");
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    return refused(file, "", "must be less than 2 GiB");
  onnx::ModelProto model;
  if (!model.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())))
    return refused(file, "", "is not a whole ONNX model");
  if (!model.has_graph()) return refused(file, "", "is an ONNX model without a graph");
  return model;
}

}  // namespace

std::expected<Document, Error> read_onnx(std::string_view bytes, const std::string& file) {
  const auto model = parse(bytes, file);
  if (!model) return std::unexpected(model.error());
  return ModelReader(*model, file).read();
}

std::expected<Document, Error> read_onnx_file(const std::string& path) {
  const auto bytes = read_input_file(path);
  if (!bytes) return std::unexpected(bytes.error());
  const auto model = parse(*bytes, path);
  if (!model) return std::unexpected(model.error());
  ModelReader reader(*model, path);
  Document document = reader.read();
  add_test_data(*model, std::filesystem::path(path).parent_path().string(), reader.operands(),
                document);
  return document;
}

}  // namespace convproof
