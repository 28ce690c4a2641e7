#include "selector/kernels/neuron_kernels.h"

#include <cstdint>
#include <span>

namespace convproof {

template std::span<const KernelEntry<float>> neuron_kernels<float>();
template std::span<const KernelEntry<double>> neuron_kernels<double>();
template std::span<const KernelEntry<std::int64_t>> neuron_kernels<std::int64_t>();

}  // namespace convproof
