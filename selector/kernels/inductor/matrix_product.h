#pragma once

#include <cstddef>
#include <cstdint>

#include "selector/kernels/inductor/aten_geometry.h"
#include "selector/kernels/inductor/inductor_kernel.h"
#include "selector/kernels/inductor/template_limits.h"

namespace convproof {

// The product of the input, channels last, [N * prod(I), Ci], by the weight [w0, w1] transposed;
// row by row, each element handed to `store(row, column, value)`. w1 == Ci, and no taps but one.
template <class T, class Store>
void multiply_channels(const InductorTensors<T>& tensors, const Store& store) {
  const TensorAxes<const T> input(tensors.input);
  const TensorAxes<const T> weight(tensors.weight);
  const std::int64_t rows = input.first * input.positions();
  for (std::int64_t row = 0; row < rows; ++row) {
    std::int64_t place = 0;
    std::int64_t index = row;
    for (std::size_t d = max_spatial_dims; d-- > 0;) {
      place += index % input.extent[d] * input.step[d];
      index /= input.extent[d];
    }
    place += index * input.first_step;
    for (std::int64_t column = 0; column < weight.first; ++column) {
      T sum{};
      for (std::int64_t c = 0; c < input.second; ++c) {
        sum += input.elements[place + c * input.second_step] *
               weight.elements[column * weight.first_step + c * weight.second_step];
      }
      store(row, column, sum);
    }
  }
}

// Writes a product that has the extents of the result, through the result's strides.
template <class T>
class ProductStore {
 public:
  explicit ProductStore(const StridedTensor<T>& result) : result_(result) {}

  void operator()(std::int64_t row, std::int64_t column, const T& value) const {
    std::int64_t place = column * result_.second_step;
    for (std::size_t d = max_spatial_dims; d-- > 0;) {
      place += row % result_.extent[d] * result_.step[d];
      row /= result_.extent[d];
    }
    result_.elements[place + row * result_.first_step] = value;
  }

 private:
  TensorAxes<T> result_;
};

// Whether the product has the result's extents.
inline bool product_fits(const AtenGeometry& geometry) {
  return geometry.input == geometry.output && geometry.weight_rows == geometry.output_channels;
}

// A convolution by one tap as an eager matrix product into a view of the result. Where the product
// has other extents than the result, the view is resized, with a warning only: the product then
// lies row-major from the buffer's beginning, as far as that goes.
//
// Ignores  stride, padding, dilation, output padding, groups and transposition, where the extents
//          of the product let it.
// Source   design sheet of Inductor's convolution lowering, section E.6.
template <class T>
KernelResult conv1x1_via_mm(const AtenCall& call, const TemplateConfiguration& configuration,
                            const InductorTensors<T>& tensors, Arena& /*scratch*/) {
  if (KernelResult limits = conv1x1_via_mm_limits(call, configuration); !limits) return limits;
  const AtenGeometry geometry = *aten_geometry(call.convolution);
  if (product_fits(geometry)) {
    multiply_channels(tensors, ProductStore<T>(tensors.output));
    return {};
  }
  const auto storage = tensors.output.storage;
  multiply_channels(tensors, [&](std::int64_t row, std::int64_t column, const T& value) {
    const auto place = static_cast<std::size_t>(row * geometry.weight_rows + column);
    if (place < storage.size()) storage[place] = value;
  });
  return {};
}

// The gemm form that a convolution by one tap is rewritten to; with the bias by column. A product
// that has other extents than the operation's result is none of it: nothing is written then.
//
// Ignores  stride, padding, dilation, output padding, groups and transposition, where the extents
//          of the product let it.
// Source   design sheet of Inductor's convolution lowering, section E.7.
template <class T>
KernelResult mm(const AtenCall& call, const TemplateConfiguration& configuration,
                const InductorTensors<T>& tensors, Arena& /*scratch*/) {
  if (KernelResult limits = mm_limits(call, configuration); !limits) return limits;
  if (!product_fits(*aten_geometry(call.convolution))) return {};
  const ProductStore<T> store(tensors.output);
  if (!call.convolution.bias) {
    multiply_channels(tensors, store);
    return {};
  }
  multiply_channels(tensors, [&](std::int64_t row, std::int64_t column, T value) {
    value += tensors.bias.storage[static_cast<std::size_t>(column)];
    store(row, column, value);
  });
  return {};
}

}  // namespace convproof
