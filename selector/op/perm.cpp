#include "selector/op/perm.h"

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace convproof {

Perm identity_perm(std::size_t rank) {
  Perm perm;
  for (std::size_t i = 0; i < rank; ++i) perm.push_back(static_cast<std::int64_t>(i));
  return perm;
}

bool is_permutation(std::span<const std::int64_t> perm) {
  std::uint64_t seen = 0;
  for (const std::int64_t axis : perm) {
    if (axis < 0 || static_cast<std::size_t>(axis) >= perm.size()) return false;
    seen |= std::uint64_t{1} << axis;
  }
  return seen == (std::uint64_t{1} << perm.size()) - 1;
}

bool is_identity(const Perm& perm) {
  for (std::size_t i = 0; i < perm.size(); ++i) {
    if (perm[i] != static_cast<std::int64_t>(i)) return false;
  }
  return true;
}

Shape apply_dims(const Shape& shape, const Perm& perm) {
  assert(shape.size() == perm.size());
  Shape result;
  for (const std::int64_t axis : perm) result.push_back(shape[static_cast<std::size_t>(axis)]);
  return result;
}

Perm invert(const Perm& perm) {
  Perm result = Perm::filled(perm.size(), 0);
  for (std::size_t i = 0; i < perm.size(); ++i) {
    result[static_cast<std::size_t>(perm[i])] = static_cast<std::int64_t>(i);
  }
  return result;
}

Perm compose(const Perm& p, const Perm& q) { return apply_dims(p, q); }

Perm input_bridge(const Perm& current, const Perm& target) {
  return compose(current, invert(target));
}

Perm output_bridge(const Perm& current, const Perm& target) {
  return input_bridge(target, current);
}

std::string to_string(const Perm& perm) {
  std::string text;
  for (const std::int64_t axis : perm) {
    if (!text.empty()) text += ',';
    text += std::to_string(axis);
  }
  return text;
}

}  // namespace convproof
