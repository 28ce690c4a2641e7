#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include "fuzz/faults/fault_lists.h"

namespace convproof::fuzz {
namespace {

// The first occurrence only: what a reader or printer would have mistaken.
void replace(std::string& text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  if (at != std::string::npos) text.replace(at, from.size(), to);
}

constexpr std::array faults{
    PlantedFault{.name = "hlo-stride-lost",
                 .target = "fuzz_hlo",
                 .text = [](std::string& text) { replace(text, "stride=", "strides="); }},
    PlantedFault{
        .name = "hlo-labels-exchanged",
        .target = "fuzz_hlo",
        .text = [](std::string& text) { replace(text, "dim_labels=bf", "dim_labels=fb"); }},
    PlantedFault{
        .name = "hlo-group-count-lost",
        .target = "fuzz_hlo",
        .text = [](std::string& text) { replace(text, "feature_group_count=", "count="); }},
    PlantedFault{
        .name = "stablehlo-reverse-lost",
        .target = "fuzz_stablehlo",
        .text = [](std::string& text) { replace(text, "reverse = [true", "reverse = [false"); }},
    PlantedFault{.name = "stablehlo-dilations-exchanged",
                 .target = "fuzz_stablehlo",
                 .text =
                     [](std::string& text) {
                       replace(text, "lhs_dilate = ", "mhs_dilate = ");
                       replace(text, "rhs_dilate = ", "lhs_dilate = ");
                       replace(text, "mhs_dilate = ", "rhs_dilate = ");
                     }},
    PlantedFault{
        .name = "json-result-lost",
        .target = "fuzz_json_case",
        .text = [](std::string& text) { replace(text, "\"batch_group_count\"", "\"why\""); }},
    PlantedFault{
        .name = "json-reversal-lost",
        .target = "fuzz_json_case",
        .text =
            [](std::string& text) { replace(text, "\"rhs_reversal\":[1", "\"rhs_reversal\":[0"); }},
    PlantedFault{.name = "aten-case-transposed-lost",
                 .target = "fuzz_aten_case",
                 .text =
                     [](std::string& text) {
                       replace(text, "\"transposed\":true", "\"transposed\":false");
                     }},
    PlantedFault{.name = "aten-case-lists-exchanged",
                 .target = "fuzz_aten_case",
                 .text =
                     [](std::string& text) {
                       replace(text, "\"stride\"", "\"?\"");
                       replace(text, "\"dilation\"", "\"stride\"");
                       replace(text, "\"?\"", "\"dilation\"");
                     }},
    PlantedFault{.name = "benchdnn-stride-lost",
                 .target = "fuzz_benchdnn",
                 .text = [](std::string& text) { replace(text, "sw2", "sw1"); }},
    PlantedFault{.name = "benchdnn-driver-mistaken",
                 .target = "fuzz_benchdnn",
                 .text = [](std::string& text) { replace(text, "--deconv", "--conv"); }},
    PlantedFault{.name = "torch-integer-mistaken",
                 .target = "fuzz_torch",
                 .text =
                     [](std::string& text) {
                       replace(text, "torch.constant.int 2\n", "torch.constant.int 3\n");
                     }},
    PlantedFault{
        .name = "torch-mask-exchanged",
        .target = "fuzz_torch",
        .text =
            [](std::string& text) { replace(text, "constant.bool true", "constant.bool false"); }},
    PlantedFault{.name = "onnx-group-lost",
                 .target = "fuzz_onnx",
                 .text = [](std::string& text) { replace(text, "group", "gruop"); }},
    PlantedFault{
        .name = "onnx-direction-lost",
        .target = "fuzz_onnx",
        .text = [](std::string& text) { replace(text, "ConvTranspose", "ConvTransposf"); }},
    PlantedFault{.name = "clause-comparison-weakened",
                 .target = "fuzz_registry",
                 .text = [](std::string& text) { replace(text, " < ", " <= "); }},
    PlantedFault{.name = "clause-parentheses-lost",
                 .target = "fuzz_registry",
                 .text =
                     [](std::string& text) {
                       replace(text, "(", " ");
                       replace(text, ")", " ");
                     }},
};

}  // namespace

std::span<const PlantedFault> text_faults() { return faults; }

}  // namespace convproof::fuzz
