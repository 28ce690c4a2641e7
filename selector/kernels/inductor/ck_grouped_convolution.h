#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "selector/kernels/buffer_size.h"
#include "selector/kernels/inductor/aten_geometry.h"
#include "selector/kernels/inductor/inductor_kernel.h"
#include "selector/kernels/inductor/operand_layout.h"
#include "selector/kernels/inductor/template_limits.h"

namespace convproof {

// A tensor as the library's packed descriptor has it: (batch, groups, channels, row, column), or
// (groups, rows of the filter, columns of it, row, column), as steps in elements.
struct CkDescriptor {
  std::int64_t outer = 0;   // batch, or groups of a filter
  std::int64_t middle = 0;  // groups, or rows of a filter
  std::int64_t channel = 0;
  std::array<std::int64_t, 2> step{};

  // (outer, row, column, middle, channel) where channels are last, else (outer, middle, channel,
  // row, column).
  static CkDescriptor image(MemoryFormat format, std::int64_t groups, std::int64_t channels,
                            std::int64_t height, std::int64_t width) {
    const std::int64_t all = groups * channels;
    if (format == MemoryFormat::channels_last) {
      return {height * width * all, channels, 1, {width * all, all}};
    }
    return {height * width * all, channels * height * width, height * width, {width, 1}};
  }
  static CkDescriptor filter(MemoryFormat format, std::int64_t rows, std::int64_t columns,
                             std::int64_t height, std::int64_t width) {
    const std::int64_t row = columns * height * width;
    if (format == MemoryFormat::channels_last) {
      return {rows * row, row, 1, {width * columns, columns}};
    }
    return {rows * row, row, height * width, {width, 1}};
  }
};

// The library's grouped forward convolution as the lowering calls it: extents and packed order in
// place of strides, and the channel counts of all groups, which the library reads as those of each
// group. What reaches past a buffer for that is an error here.
//
// Ignores  real strides, transposition, output padding and the bias.
// Source   design sheet of Inductor's convolution lowering, sections C.4 and E.8.
template <class T>
class CkGroupedConvolution {
 public:
  CkGroupedConvolution(const AtenCall& call, const AtenGeometry& geometry,
                       const InductorTensors<T>& tensors)
      : geometry_(geometry), tensors_(tensors) {
    const MemoryFormat format = operand_format(call);
    for (std::size_t d = 0; d < 2; ++d) {
      // The library works the result's extents out itself.
      output_[d] = (geometry.input[d + 1] + 2 * geometry.padding[d + 1] -
                    geometry.dilation[d + 1] * (geometry.kernel[d + 1] - 1) - 1) /
                       geometry.stride[d + 1] +
                   1;
    }
    x_ = CkDescriptor::image(format, geometry.groups, geometry.input_channels, geometry.input[1],
                             geometry.input[2]);
    w_ = CkDescriptor::filter(format, geometry.output_channels, geometry.input_channels,
                              geometry.kernel[1], geometry.kernel[2]);
    y_ = CkDescriptor::image(format, geometry.groups, geometry.output_channels, output_[0],
                             output_[1]);
  }

  // The last places that are read and written; filters are read whole.
  [[nodiscard]] KernelResult within() const {
    const std::int64_t groups = geometry_.groups;
    const std::int64_t outputs = geometry_.output_channels;
    const std::int64_t inputs = geometry_.input_channels;
    if (geometry_.batch == 0) return {};
    const std::int64_t written =
        saturating_product({geometry_.batch, groups, outputs, output_[0], output_[1]});
    if (KernelResult r =
            fits(written, tensors_.output.storage.size(), "elements of the packed result");
        !r) {
      return r;
    }
    const std::int64_t filters = saturating_product({groups, outputs, inputs, geometry_.taps()});
    if (KernelResult r =
            fits(filters, tensors_.weight.storage.size(), "elements of the packed filters");
        !r) {
      return r;
    }
    std::int64_t last =
        (geometry_.batch - 1) * x_.outer + (groups - 1) * x_.middle + (inputs - 1) * x_.channel;
    for (std::size_t d = 0; d < 2; ++d) {
      std::int64_t furthest = -1;
      for (std::int64_t at = 0; at < output_[d]; ++at) {
        for (std::int64_t tap = 0; tap < geometry_.kernel[d + 1]; ++tap) {
          const std::int64_t place = position(d, at, tap);
          if (place < geometry_.input[d + 1]) furthest = std::max(furthest, place);
        }
      }
      if (furthest < 0) return {};  // padding only
      last += furthest * x_.step[d];
    }
    return fits(last + 1, tensors_.input.storage.size(), "elements of the packed input");
  }

  void run() const {
    for (std::int64_t n = 0; n < geometry_.batch; ++n) {
      for (std::int64_t group = 0; group < geometry_.groups; ++group) {
        for (std::int64_t o = 0; o < geometry_.output_channels; ++o) {
          T* const y =
              tensors_.output.storage.data() + n * y_.outer + group * y_.middle + o * y_.channel;
          for (std::int64_t row = 0; row < output_[0]; ++row) {
            for (std::int64_t column = 0; column < output_[1]; ++column) {
              y[row * y_.step[0] + column * y_.step[1]] = element(n, group, o, row, column);
            }
          }
        }
      }
    }
  }

 private:
  static KernelResult fits(std::int64_t wanted, std::size_t size, std::string_view rule) {
    const auto limit = static_cast<std::int64_t>(size);
    if (wanted <= limit) return {};
    return std::unexpected(KernelError{
        .fault = KernelFault::device_limit, .rule = rule, .value = wanted, .limit = limit});
  }

  [[nodiscard]] std::int64_t position(std::size_t d, std::int64_t at, std::int64_t tap) const {
    return at * geometry_.stride[d + 1] - geometry_.padding[d + 1] +
           tap * geometry_.dilation[d + 1];
  }

  [[nodiscard]] T element(std::int64_t n, std::int64_t group, std::int64_t o, std::int64_t row,
                          std::int64_t column) const {
    T sum{};
    const std::int64_t x = n * x_.outer + group * x_.middle;
    const std::int64_t w = group * w_.outer + o * w_.middle;
    for (std::int64_t i = 0; i < geometry_.kernel[1]; ++i) {
      const std::int64_t y_at = position(0, row, i);
      if (y_at < 0 || y_at >= geometry_.input[1]) continue;
      for (std::int64_t j = 0; j < geometry_.kernel[2]; ++j) {
        const std::int64_t x_at = position(1, column, j);
        if (x_at < 0 || x_at >= geometry_.input[2]) continue;
        const T* const from =
            tensors_.input.storage.data() + x + y_at * x_.step[0] + x_at * x_.step[1];
        const T* const filter =
            tensors_.weight.storage.data() + w + i * w_.step[0] + j * w_.step[1];
        for (std::int64_t c = 0; c < geometry_.input_channels; ++c) {
          sum += from[c * x_.channel] * filter[c * w_.channel];
        }
      }
    }
    return sum;
  }

  const AtenGeometry& geometry_;
  const InductorTensors<T>& tensors_;
  std::array<std::int64_t, 2> output_{};
  CkDescriptor x_{};
  CkDescriptor w_{};
  CkDescriptor y_{};
};

template <class T>
KernelResult ck_grouped_conv_fwd(const AtenCall& call, const TemplateConfiguration& configuration,
                                 const InductorTensors<T>& tensors, Arena& /*scratch*/) {
  if (KernelResult limits = ck_grouped_convolution_limits(call, configuration); !limits) {
    return limits;
  }
  const AtenGeometry geometry = *aten_geometry(call.convolution);
  const CkGroupedConvolution<T> model(call, geometry, tensors);
  if (KernelResult within = model.within(); !within) return within;
  model.run();
  return {};
}

}  // namespace convproof
