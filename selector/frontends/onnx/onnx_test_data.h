#pragma once

#include <string>
#include <vector>

#include <onnx/onnx_pb.h>

#include "selector/frontends/document.h"

namespace convproof {

// Where the values of one found operation stand, by the names of the model's graph; the operation
// is not transposed, or its weight is regrouped in its ConvOp.
struct OnnxOperands {
  std::string image{};
  std::string weight{};
  std::string bias{};  // empty where there is none
  std::string result{};
  Shape weight_shape{};
  std::int64_t groups = 1;
  bool transposed = false;
};

// Adds the golden values of the test data in `folder` to the document's operations, whose operands
// are given in their order; the first data set fills the operations that there are, each further
// one adds them again. What cannot be read is an error of the document.
void add_test_data(const onnx::ModelProto& model, const std::string& folder,
                   const std::vector<OnnxOperands>& operands, Document& document);

}  // namespace convproof
