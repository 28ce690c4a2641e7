#include "selector/registry/neuron_cases.h"

#include <cstddef>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "selector/frontends/document.h"

namespace convproof {
namespace {

// Throws where the corpus cannot be read: every test that uses it then fails.
std::vector<NeuronCase> read_cases() {
  const std::string path = CONVPROOF_SOURCE_DIR "/corpus/neuron/selection.json";
  std::ifstream stream(path);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  const auto document = read_json_cases(text, path);
  if (!document) throw std::runtime_error(to_string(document.error()));
  const auto json = nlohmann::json::parse(text);
  std::vector<NeuronCase> cases;
  for (std::size_t i = 0; i < document->ops.size(); ++i) {
    const FoundOp& found = document->ops[i];
    NeuronCase example{.number = std::stoi(found.name.substr(found.name.find('-') + 1)),
                       .op = found.op.value(),
                       .true_rows = json["cases"][i].at("true_rows"),
                       .raises = json["cases"][i].value("raises", false)};
    if (!example.raises) {
      example.documented = found.expectation->tables.at("neuron").row.value();
      example.repaired = found.expectation->tables.at("neuron-repaired").row.value();
    }
    cases.push_back(std::move(example));
  }
  return cases;
}

}  // namespace

const std::vector<NeuronCase>& neuron_cases() {
  static const std::vector<NeuronCase> cases = read_cases();
  return cases;
}

const ConvOp& neuron_case(int number) {
  for (const NeuronCase& example : neuron_cases()) {
    if (example.number == number) return example.op;
  }
  throw std::out_of_range("no case of this number");
}

}  // namespace convproof
