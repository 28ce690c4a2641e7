#pragma once

#include <string>
#include <vector>

#include "selector/op/conv_op.h"

namespace convproof {

// One worked selection of the Neuron table, read from corpus/neuron/selection.json. Source: the
// table's design sheet, section J.
struct NeuronCase {
  int number = 0;
  ConvOp op{};
  std::string
      true_rows{};  // every row whose predicate holds, `!` where its contract is broken: "1, 5!"
  bool raises = false;       // a predicate raises in either profile: the op is malformed on purpose
  std::string documented{};  // the row that takes it, empty for none
  std::string repaired{};
};

// All cases that hold a two-dimensional convolution, in order.
const std::vector<NeuronCase>& neuron_cases();
const ConvOp& neuron_case(int number);

}  // namespace convproof
