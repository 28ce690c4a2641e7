#include "selector/frontends/onnx/onnx_test_data.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "selector/frontends/aten.h"
#include "selector/frontends/input_file.h"
#include "selector/frontends/onnx/onnx_tensor.h"
#include "selector/frontends/source_text.h"
#include "selector/op/tensor.h"

namespace convproof {
namespace {

namespace fs = std::filesystem;

constexpr int max_data_sets = 64;

std::expected<onnx::TensorProto, Error> read_tensor(const std::string& path) {
  const auto bytes = read_input_file(path);
  if (!bytes) return std::unexpected(bytes.error());
  onnx::TensorProto tensor;
  if (!tensor.ParseFromArray(bytes->data(), static_cast<int>(bytes->size())))
    return std::unexpected(Error{path, "", "is not a whole ONNX tensor"});
  return tensor;
}

// The tensors of one data set by the names of the graph, and those that the model states.
class DataSet {
 public:
  DataSet(const onnx::GraphProto& graph, const fs::path& folder, Document& document) {
    for (const onnx::TensorProto& tensor : graph.initializer()) stated_[tensor.name()] = &tensor;
    int index = 0;
    for (const onnx::ValueInfoProto& input : graph.input()) {
      if (!stated_.contains(input.name())) add(folder, "input", index++, input.name(), document);
    }
    index = 0;
    for (const onnx::ValueInfoProto& output : graph.output())
      add(folder, "output", index++, output.name(), document);
  }

  [[nodiscard]] const onnx::TensorProto* find(const std::string& name) const {
    if (const auto found = stated_.find(name); found != stated_.end()) return found->second;
    const auto found = read_.find(name);
    return found == read_.end() ? nullptr : &found->second;
  }

 private:
  void add(const fs::path& folder, std::string_view role, int index, const std::string& name,
           Document& document) {
    const fs::path path = folder / fmt::format("{}_{}.pb", role, index);
    std::error_code status;
    if (!fs::is_regular_file(path, status)) return;
    auto tensor = read_tensor(path.string());
    if (tensor) {
      read_[name] = std::move(*tensor);
    } else {
      add_error(document, std::move(tensor.error()));
    }
  }

  std::unordered_map<std::string, const onnx::TensorProto*> stated_;
  std::map<std::string, onnx::TensorProto> read_;
};

// The values of a tensor that must have this type and shape, taken from the budget.
std::expected<Values, Error> values_of(const onnx::TensorProto& tensor, std::string_view name,
                                       ElementType element_type, const Shape& shape,
                                       std::int64_t& budget) {
  const auto refuse = [&](std::string value, std::string rule) {
    return std::unexpected(Error{excerpt(name), std::move(value), std::move(rule)});
  };
  const auto type = tensor_type(tensor);
  if (!type) return refuse(type.error().value, type.error().rule);
  if (type->element_type != element_type || type->shape != shape)
    return refuse("", "is not of the operation's type and shape");
  budget -= element_count(shape);
  if (budget < 0)
    return refuse("", fmt::format("more than {} elements in one file", max_golden_elements));
  auto values = tensor_values(tensor);
  if (!values) return refuse(values.error().value, values.error().rule);
  return values;
}

std::expected<Golden, Error> golden_of(const DataSet& data, const ConvOp& op,
                                       const OnnxOperands& operands, std::int64_t& budget) {
  Golden golden;
  auto image =
      values_of(*data.find(operands.image), operands.image, op.element_type, op.in_shape, budget);
  if (!image) return std::unexpected(image.error());
  auto weight = values_of(*data.find(operands.weight), operands.weight, op.element_type,
                          operands.weight_shape, budget);
  if (!weight) return std::unexpected(weight.error());
  auto expected = values_of(*data.find(operands.result), operands.result, op.result_element_type,
                            op.res_shape, budget);
  if (!expected) return std::unexpected(expected.error());
  if (!operands.bias.empty()) {
    auto bias = values_of(*data.find(operands.bias), operands.bias, op.element_type,
                          {op.res_shape[1]}, budget);
    if (!bias) return std::unexpected(bias.error());
    golden.bias = std::move(bias->elements);
  }
  golden.image = std::move(*image);
  golden.kernel = std::move(*weight);
  golden.expected = std::move(*expected);
  if (operands.transposed) {
    golden.kernel.elements =
        regrouped(golden.kernel.elements, operands.weight_shape, operands.groups);
    golden.kernel.shape = op.kern_shape;
  }
  return golden;
}

void add_golden(const DataSet& data, const OnnxOperands& operands, std::int64_t& budget,
                FoundOp& found) {
  if (!found.op) return;
  for (const std::string& name : {operands.image, operands.weight, operands.result}) {
    if (name.empty() || data.find(name) == nullptr) return;
  }
  if (!operands.bias.empty() && data.find(operands.bias) == nullptr) return;
  auto golden = golden_of(data, *found.op, operands, budget);
  if (golden) {
    found.golden = std::move(*golden);
    return;
  }
  if (!found.note.empty()) found.note += "; ";
  found.note += fmt::format("golden values left out: {}", to_string(golden.error()));
}

}  // namespace

void add_test_data(const onnx::ModelProto& model, const std::string& folder,
                   const std::vector<OnnxOperands>& operands, Document& document) {
  std::vector<FoundOp> bare;
  std::int64_t budget = max_golden_elements;
  for (int set = 0; set < max_data_sets; ++set) {
    const fs::path path = fs::path(folder) / fmt::format("test_data_set_{}", set);
    std::error_code status;
    if (!fs::is_directory(path, status)) return;
    if (set == 0) bare = document.ops;
    const DataSet data(model.graph(), path, document);
    for (std::size_t index = 0; index < bare.size(); ++index) {
      FoundOp found = bare[index];
      if (set > 0) found.name += fmt::format(" test_data_set_{}", set);
      add_golden(data, operands[index], budget, found);
      if (set == 0)
        document.ops[index] = std::move(found);
      else if (found.golden)
        document.ops.push_back(std::move(found));
    }
  }
}

}  // namespace convproof
