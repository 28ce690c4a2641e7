#pragma once

#include <algorithm>
#include <cstddef>
#include <ostream>
#include <vector>

#include "selector/op/perm.h"
#include "selector/op/tensor.h"

namespace convproof::oracle {

// Dense elements in storage order, owned. For tests and reports; the hot paths borrow.
template <class T>
struct Tensor {
  std::vector<T> elements{};
  Shape shape{};

  bool operator==(const Tensor&) const = default;

  TensorView<T> view() { return {elements, shape}; }
  [[nodiscard]] TensorView<const T> view() const { return {elements, shape}; }
};

// `[2,3] {1 2 3 4 5 6}`, at most the first 16 elements.
template <class T>
std::ostream& operator<<(std::ostream& stream, const Tensor<T>& tensor) {
  constexpr std::size_t most = 16;
  stream << '[' << to_string(tensor.shape) << "] {";
  const std::size_t shown = std::min(tensor.elements.size(), most);
  for (std::size_t i = 0; i < shown; ++i) stream << (i == 0 ? "" : " ") << tensor.elements[i];
  return stream << (shown < tensor.elements.size() ? " ...}" : "}");
}

template <class T>
Tensor<T> zeros(const Shape& shape) {
  return {std::vector<T>(static_cast<std::size_t>(element_count(shape))), shape};
}

}  // namespace convproof::oracle
