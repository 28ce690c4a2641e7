#include "selector/kernels/inductor/inductor_kernels.h"

#include <span>
#include <string_view>

namespace convproof {

std::string_view name_of(InductorResult result) {
  switch (result) {
    case InductorResult::output:
      return "output";
    case InductorResult::input_gradient:
      return "input gradient";
    case InductorResult::weight_gradient:
      return "weight gradient";
    case InductorResult::bias_gradient:
      return "bias gradient";
    case InductorResult::gradients:
      return "gradients";
  }
  return "";
}

template std::span<const InductorKernelEntry<float>> inductor_kernels<float>();
template std::span<const InductorKernelEntry<double>> inductor_kernels<double>();

}  // namespace convproof
