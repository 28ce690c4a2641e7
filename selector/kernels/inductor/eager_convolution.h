#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "selector/kernels/inductor/aten_geometry.h"
#include "selector/kernels/inductor/inductor_kernel.h"
#include "selector/kernels/inductor/template_limits.h"

namespace convproof {

// Every term input * weight * gradient of the definition, in scatter form. Both directions have the
// same terms: an element of the strided side (the result, or the input where transposed), a tap and
// a column of the weight lead to one element of the other side. `visit` gets the places of the
// strided side, the other side and the weight, as storage offsets.
template <class T, class Visit>
void for_each_term(const AtenGeometry& geometry, const TensorAxes<T>& strided,
                   const TensorAxes<T>& other, const TensorAxes<T>& weight, const Visit& visit) {
  const std::int64_t group_rows = geometry.weight_rows / geometry.groups;
  const auto walk = [](const std::array<std::int64_t, max_spatial_dims>& extent, const auto& body) {
    AtenGeometry::Spatial at{};
    for (at[0] = 0; at[0] < extent[0]; ++at[0]) {
      for (at[1] = 0; at[1] < extent[1]; ++at[1]) {
        for (at[2] = 0; at[2] < extent[2]; ++at[2]) body(at);
      }
    }
  };
  const auto at_place = [](const TensorAxes<T>& axes, const AtenGeometry::Spatial& at) {
    return at[0] * axes.step[0] + at[1] * axes.step[1] + at[2] * axes.step[2];
  };
  walk(strided.extent, [&](const AtenGeometry::Spatial& position) {
    walk(geometry.kernel, [&](const AtenGeometry::Spatial& tap) {
      AtenGeometry::Spatial met{};
      for (std::size_t d = 0; d < max_spatial_dims; ++d) {
        met[d] =
            position[d] * geometry.stride[d] - geometry.padding[d] + tap[d] * geometry.dilation[d];
        if (met[d] < 0 || met[d] >= other.extent[d]) return;
      }
      for (std::int64_t n = 0; n < strided.first; ++n) {
        for (std::int64_t row = 0; row < strided.second; ++row) {
          const std::int64_t channel = row / group_rows * geometry.weight_columns;
          for (std::int64_t column = 0; column < geometry.weight_columns; ++column) {
            visit(n * strided.first_step + row * strided.second_step + at_place(strided, position),
                  n * other.first_step + (channel + column) * other.second_step +
                      at_place(other, met),
                  row * weight.first_step + column * weight.second_step + at_place(weight, tap));
          }
        }
      }
    });
  });
}

// Every element of a tensor, with its channel.
template <class T, class Visit>
void for_each_element(const StridedTensor<T>& tensor, const Visit& visit) {
  const TensorAxes<T> axes(tensor);
  for (std::int64_t n = 0; n < axes.first; ++n) {
    for (std::int64_t c = 0; c < axes.second; ++c) {
      for (std::int64_t i = 0; i < axes.extent[0]; ++i) {
        for (std::int64_t j = 0; j < axes.extent[1]; ++j) {
          for (std::int64_t k = 0; k < axes.extent[2]; ++k) {
            visit(c, n * axes.first_step + c * axes.second_step + i * axes.step[0] +
                         j * axes.step[1] + k * axes.step[2]);
          }
        }
      }
    }
  }
}

// The eager operation: the definition, with all nine arguments.
// Source: design sheet of Inductor's convolution lowering, sections A.4 and C, row F-ATEN.
template <class T>
KernelResult aten_convolution(const AtenCall& call, const TemplateConfiguration& configuration,
                              const InductorTensors<T>& tensors, Arena& /*scratch*/) {
  if (KernelResult limits = eager_limits(call, configuration); !limits) return limits;
  const AtenGeometry geometry = *aten_geometry(call.convolution);
  T* const y = tensors.output.storage.data();
  for_each_element(tensors.output, [&](std::int64_t channel, std::int64_t place) {
    y[place] =
        call.convolution.bias ? tensors.bias.storage[static_cast<std::size_t>(channel)] : T{};
  });
  const TensorAxes<const T> input(tensors.input);
  const TensorAxes<const T> weight(tensors.weight);
  const TensorAxes<const T> output{StridedTensor<const T>(tensors.output)};
  if (geometry.transposed) {
    for_each_term(geometry, input, output, weight,
                  [&](std::int64_t x, std::int64_t to, std::int64_t w) {
                    y[to] += input.elements[x] * weight.elements[w];
                  });
  } else {
    for_each_term(geometry, output, input, weight,
                  [&](std::int64_t to, std::int64_t x, std::int64_t w) {
                    y[to] += input.elements[x] * weight.elements[w];
                  });
  }
  return {};
}

// The sum of the result's gradient over all but the channels. Of a length that the gradient has, so
// that an input without channels leaves the bias's gradient unwritten. Whether it is asked for is
// the table's affair.
// Source: design sheet of Inductor's convolution lowering, section D.1, step D8, and section D.3,
// row D-R2.
template <class T>
KernelResult bias_gradient_sum(const AtenCall& call, const TemplateConfiguration& configuration,
                               const InductorTensors<T>& tensors, Arena& /*scratch*/) {
  if (KernelResult limits = eager_limits(call, configuration); !limits) return limits;
  const auto sums = tensors.bias_gradient.storage;
  for (std::int64_t c = 0; c < tensors.grad_output.shape[1]; ++c) {
    sums[static_cast<std::size_t>(c)] = T{};
  }
  for_each_element(tensors.grad_output, [&](std::int64_t channel, std::int64_t place) {
    sums[static_cast<std::size_t>(channel)] +=
        tensors.grad_output.storage[static_cast<std::size_t>(place)];
  });
  return {};
}

// The eager backward operation: every gradient that the mask asks for.
// Source: design sheet of Inductor's convolution lowering, sections A.4, A.7 and D.2.
template <class T>
KernelResult aten_convolution_backward(const AtenCall& call,
                                       const TemplateConfiguration& configuration,
                                       const InductorTensors<T>& tensors, Arena& /*scratch*/) {
  if (KernelResult limits = eager_limits(call, configuration); !limits) return limits;
  const AtenGeometry geometry = *aten_geometry(call.convolution);
  const TensorAxes<const T> input(tensors.input);
  const TensorAxes<const T> weight(tensors.weight);
  const TensorAxes<const T> cotangent(tensors.grad_output);
  // The strided side and the other one change places with the direction, whatever tensor stands for
  // the input: its gradient may lie otherwise than the input does.
  const auto each_term = [&](const TensorAxes<const T>& image, const TensorAxes<const T>& filter,
                             const auto& visit) {
    if (geometry.transposed) {
      for_each_term(geometry, image, cotangent, filter, visit);
    } else {
      for_each_term(geometry, cotangent, image, filter,
                    [&](std::int64_t dy, std::int64_t x, std::int64_t w) { visit(x, dy, w); });
    }
  };
  if (call.output_mask[0]) {
    T* const to = tensors.input_gradient.storage.data();
    for_each_element(tensors.input_gradient,
                     [&](std::int64_t, std::int64_t place) { to[place] = T{}; });
    each_term(TensorAxes<const T>{StridedTensor<const T>(tensors.input_gradient)}, weight,
              [&](std::int64_t x, std::int64_t dy, std::int64_t w) {
                to[x] += cotangent.elements[dy] * weight.elements[w];
              });
  }
  if (call.output_mask[1]) {
    T* const to = tensors.weight_gradient.storage.data();
    for_each_element(tensors.weight_gradient,
                     [&](std::int64_t, std::int64_t place) { to[place] = T{}; });
    each_term(input, TensorAxes<const T>{StridedTensor<const T>(tensors.weight_gradient)},
              [&](std::int64_t x, std::int64_t dy, std::int64_t w) {
                to[w] += cotangent.elements[dy] * input.elements[x];
              });
  }
  if (call.output_mask[2]) {
    const auto sums = tensors.bias_gradient.storage;
    for (T& sum : sums) sum = T{};
    for_each_element(tensors.grad_output, [&](std::int64_t channel, std::int64_t place) {
      sums[static_cast<std::size_t>(channel)] +=
          tensors.grad_output.storage[static_cast<std::size_t>(place)];
    });
  }
  return {};
}

}  // namespace convproof
