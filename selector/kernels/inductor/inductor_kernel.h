#pragma once

#include <concepts>
#include <cstdint>
#include <string_view>

#include "selector/kernels/arena.h"
#include "selector/kernels/inductor/strided_tensor.h"
#include "selector/kernels/inductor/template_configuration.h"
#include "selector/kernels/kernel_error.h"
#include "selector/op/aten_call.h"

namespace convproof {

// The tensors of a call, by the operator's own names; a kernel reads and writes those that it is
// for. Results come in with unspecified elements: what a kernel leaves unwritten stays so.
template <class T>
struct InductorTensors {
  StridedTensor<const T> input{};
  StridedTensor<const T> weight{};
  StridedTensor<const T> bias{};         // empty where the call has none
  StridedTensor<const T> grad_output{};  // backward only, as all that follow but `output`
  StridedTensor<T> output{};
  StridedTensor<T> input_gradient{};
  StridedTensor<T> weight_gradient{};
  StridedTensor<T> bias_gradient{};
};

// What a kernel computes; `gradients` are all that the call asks for.
enum class InductorResult : std::uint8_t {
  output,
  input_gradient,
  weight_gradient,
  bias_gradient,
  gradients
};
std::string_view name_of(InductorResult result);  // `weight gradient`

// One candidate's computation. The call is a candidate's, after the rewrites of the lowering;
// tensors have its shapes. Limits are checked first, before any memory is touched. Never reads or
// writes out of bounds, whatever the call says.
template <class T>
using InductorKernel = KernelResult (*)(const AtenCall& call,
                                        const TemplateConfiguration& configuration,
                                        const InductorTensors<T>& tensors, Arena& scratch);

// The part of a kernel's refusals that the call alone decides.
using InductorLimits = KernelResult (*)(const AtenCall& call,
                                        const TemplateConfiguration& configuration);

template <class T>
struct InductorKernelEntry {
  std::string_view name{};
  InductorResult produces = InductorResult::output;
  InductorLimits limits = nullptr;
  InductorKernel<T> run = nullptr;
};

// Whether zero times any element is zero. Where it is not, as with infinities, the models multiply
// the zeros of masked lanes as the templates do.
template <class T>
inline constexpr bool zero_annihilates = !std::floating_point<T>;

}  // namespace convproof
