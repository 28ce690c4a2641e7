#include "selector/kernels/inductor/inductor_kernels.h"

#include <span>

namespace convproof {

template std::span<const InductorKernelEntry<float>> inductor_kernels<float>();
template std::span<const InductorKernelEntry<double>> inductor_kernels<double>();

}  // namespace convproof
