#include "selector/kernels/inductor/operand_layout.h"

#include <cstddef>
#include <cstdint>

namespace convproof {

MemoryFormat operand_format(const AtenCall& call) {
  const bool wanted = call.input_format == MemoryFormat::channels_last ||
                      call.environment.layout_optimization ||
                      call.environment.predicted_channels_last;
  return wanted && call.convolution.weight.size() == 4 ? MemoryFormat::channels_last
                                                       : MemoryFormat::contiguous;
}

Shape strides_of(const Shape& shape, MemoryFormat format, bool packed) {
  Shape strides = Shape::filled(shape.size(), 1);
  std::int64_t step = 1;
  bool innermost = true;
  const auto take = [&](std::size_t axis) {
    strides[axis] = step;
    step *= innermost && !packed ? shape[axis] + 1 : shape[axis];
    innermost = false;
  };
  if (format == MemoryFormat::channels_last) take(1);
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    if (axis != 1 || format == MemoryFormat::contiguous) take(axis);
  }
  return strides;
}

Shape input_strides(const AtenCall& call) {
  return strides_of(call.convolution.input, operand_format(call), call.input_packed);
}

}  // namespace convproof
