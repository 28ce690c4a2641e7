#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "oracle/aten_reference.h"
#include "selector/kernels/arena.h"
#include "selector/kernels/inductor/aten_geometry.h"
#include "selector/kernels/inductor/inductor_kernel.h"
#include "selector/kernels/inductor/operand_layout.h"
#include "selector/op/aten_call.h"
#include "selector/op/tensor.h"

namespace convproof::oracle {

// One tensor of a call as its kernel sees it, and row-major as the reference does.
template <class T>
class AtenTensor {
 public:
  void shape(const Shape& shape, const Shape& strides) {
    tensor_.shape = shape;
    tensor_.strides = strides;
    elements_ = static_cast<std::size_t>(element_count(shape));
    std::int64_t size = elements_ == 0 ? 0 : 1;
    for (std::size_t axis = 0; size > 0 && axis < shape.size(); ++axis) {
      size += (shape[axis] - 1) * strides[axis];
    }
    tensor_.storage = grown(storage_, static_cast<std::size_t>(size));
    row_major_ = strides == row_major_strides(shape);
  }

  [[nodiscard]] const StridedTensor<T>& strided() const { return tensor_; }

  // All of the storage, gaps included.
  [[nodiscard]] std::span<T> storage() const { return tensor_.storage; }

  // Copies the elements out where they are not row-major as they lie.
  void settle() {
    if (row_major_) return;
    const std::span<T> to = grown(copy_, elements_);
    each([&](std::size_t index, std::size_t place) { to[index] = tensor_.storage[place]; });
  }

  // Row-major; after `settle`.
  [[nodiscard]] std::span<const T> elements() const {
    return row_major_ ? std::span<const T>(tensor_.storage)
                      : std::span<const T>(copy_).first(elements_);
  }

  // Every element by its row-major index and its place in the storage.
  template <class Visit>
  void each(const Visit& visit) const {
    if (row_major_) {
      for (std::size_t i = 0; i < elements_; ++i) visit(i, i);
      return;
    }
    if (elements_ == 0) return;
    const TensorAxes<T> axes(tensor_);
    std::size_t index = 0;
    for (std::int64_t a = 0; a < axes.first; ++a) {
      for (std::int64_t b = 0; b < axes.second; ++b) {
        for (std::int64_t i = 0; i < axes.extent[0]; ++i) {
          for (std::int64_t j = 0; j < axes.extent[1]; ++j) {
            std::int64_t place =
                a * axes.first_step + b * axes.second_step + i * axes.step[0] + j * axes.step[1];
            for (std::int64_t k = 0; k < axes.extent[2]; ++k, place += axes.step[2]) {
              visit(index++, static_cast<std::size_t>(place));
            }
          }
        }
      }
    }
  }

 private:
  static std::span<T> grown(std::vector<T>& elements, std::size_t size) {
    if (elements.size() < size) elements.resize(size);
    return std::span(elements).first(size);
  }

  StridedTensor<T> tensor_{};
  std::size_t elements_ = 0;
  bool row_major_ = true;
  std::vector<T> storage_{};
  std::vector<T> copy_{};
};

// The tensors of one call, a kernel run on them, and what the definition makes of them. Memory is
// kept between calls, so that a warm execution allocates nothing.
template <class T>
class AtenExecution {
 public:
  // `geometry` is the call's. Operands then have their sizes and no values.
  void prepare(const AtenCall& call, const AtenGeometry& geometry) {
    call_ = call;
    geometry_ = geometry;
    const MemoryFormat format = operand_format(call);
    const AtenConvolution& conv = call.convolution;
    const Shape result = aten_result_shape(geometry);
    const Shape result_strides = strides_of(result, format);
    const Shape weight_strides = strides_of(conv.weight, format);
    input_.shape(conv.input, input_strides(call));
    weight_.shape(conv.weight, weight_strides);
    bias_.shape({conv.bias.value_or(0)}, {1});
    if (call.backward) {
      grad_output_.shape(result, result_strides);
      result_tensor(InductorResult::input_gradient)
          .shape(conv.input, strides_of(conv.input, format));
      result_tensor(InductorResult::weight_gradient).shape(conv.weight, weight_strides);
      // As many as the forward operation's bias: the weight's output channels.
      const std::int64_t declared =
          conv.transposed ? geometry.weight_columns * geometry.groups : geometry.weight_rows;
      result_tensor(InductorResult::bias_gradient).shape({declared}, {1});
    } else {
      result_tensor(InductorResult::output).shape(result, result_strides);
    }
    known_ = {};
  }

  // The operands, gaps included: to be filled before anything below.
  std::array<std::span<T>, 4> operands() {
    return {input_.storage(), weight_.storage(), bias_.storage(),
            call_.backward ? grad_output_.storage() : std::span<T>{}};
  }
  std::span<T> weight() { return weight_.storage(); }
  std::span<T> grad_output() { return grad_output_.storage(); }

  void filled() {
    input_.settle();
    weight_.settle();
    if (call_.backward) grad_output_.settle();
  }

  // `unwritten` is what every element of a result holds before the kernel runs.
  KernelResult run(const InductorKernelEntry<T>& kernel, const TemplateConfiguration& configuration,
                   const T& unwritten) {
    InductorTensors<T> tensors{
        .input = input_.strided(), .weight = weight_.strided(), .bias = bias_.strided()};
    if (call_.backward) {
      tensors.grad_output = grad_output_.strided();
      tensors.input_gradient = result_tensor(InductorResult::input_gradient).strided();
      tensors.weight_gradient = result_tensor(InductorResult::weight_gradient).strided();
      tensors.bias_gradient = result_tensor(InductorResult::bias_gradient).strided();
    } else {
      tensors.output = result_tensor(InductorResult::output).strided();
    }
    for (const InductorResult result : results_of(kernel.produces)) {
      std::ranges::fill(result_tensor(result).storage(), unwritten);
    }
    return kernel.run(call_, configuration, tensors, scratch_);
  }

  // Every element of a result with what the definition says, by row-major index.
  template <class Visit>
  void each(InductorResult result, const Visit& visit) {
    const std::vector<T>& expected = expectation(result);
    const AtenTensor<T>& actual = result_tensor(result);
    const std::span<const T> storage = actual.storage();
    actual.each([&](std::size_t index, std::size_t place) {
      visit(index, expected[index], storage[place]);
    });
  }

  // The single results that a kernel of the call answers for.
  std::span<const InductorResult> results_of(InductorResult produces) {
    if (produces != InductorResult::gradients) {
      wanted_[0] = produces;
      return std::span(wanted_).first(1);
    }
    constexpr std::array all{InductorResult::input_gradient, InductorResult::weight_gradient,
                             InductorResult::bias_gradient};
    std::size_t count = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (call_.output_mask[i]) wanted_[count++] = all[i];
    }
    return std::span(wanted_).first(count);
  }

 private:
  AtenTensor<T>& result_tensor(InductorResult result) {
    return results_[static_cast<std::size_t>(result)];
  }

  const std::vector<T>& expectation(InductorResult result) {
    const auto which = static_cast<std::size_t>(result);
    std::vector<T>& expected = expected_[which];
    if (known_[which]) return expected;
    known_[which] = true;
    const auto count = static_cast<std::size_t>(element_count(results_[which].strided().shape));
    if (expected.size() < count) expected.resize(count);
    const std::span<T> to = std::span(expected).first(count);
    const AtenReference<T> reference(geometry_);
    switch (result) {
      case InductorResult::output:
        reference.forward(input_.elements(), weight_.elements(), to);
        if (call_.convolution.bias) reference.add_bias(bias_.elements(), to);
        break;
      case InductorResult::input_gradient:
        reference.input_gradient(grad_output_.elements(), weight_.elements(), to);
        break;
      case InductorResult::weight_gradient:
        reference.weight_gradient(grad_output_.elements(), input_.elements(), to);
        break;
      case InductorResult::bias_gradient:
        reference.bias_gradient(grad_output_.elements(), to);
        break;
      case InductorResult::gradients:
        break;
    }
    return expected;
  }

  static constexpr std::size_t kinds = 4;  // of single results

  AtenCall call_{};
  AtenGeometry geometry_{};
  AtenTensor<T> input_{};
  AtenTensor<T> weight_{};
  AtenTensor<T> bias_{};
  AtenTensor<T> grad_output_{};
  std::array<AtenTensor<T>, kinds> results_{};
  std::array<std::vector<T>, kinds> expected_{};
  std::array<bool, kinds> known_{};
  std::array<InductorResult, 3> wanted_{};
  Arena scratch_{};
};

}  // namespace convproof::oracle
