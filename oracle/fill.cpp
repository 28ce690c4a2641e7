#include "oracle/fill.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ostream>

#include "oracle/number_format.h"
#include "selector/op/conv_op.h"

namespace convproof::oracle {
namespace {

std::int64_t floor_sqrt(std::int64_t value) {
  auto root = static_cast<std::int64_t>(std::sqrt(static_cast<double>(value)));
  while (root * root > value) --root;
  while ((root + 1) * (root + 1) <= value) ++root;
  return root;
}

}  // namespace

std::ostream& operator<<(std::ostream& stream, const ExactRange& range) {
  return stream << '[' << range.low << ", " << range.high << "], " << range.kernel_terms << " of "
                << range.terms << " terms";
}

ExactRange exact_range(const ConvOp& op) {
  std::int64_t terms = 1;
  for (std::size_t axis = 1; axis < op.kern_perm.size(); ++axis) {
    terms *= op.kern_shape[static_cast<std::size_t>(op.kern_perm[axis])];
  }
  const NumberFormat operand = number_format(op.element_type);
  const NumberFormat result = number_format(op.result_element_type);
  ExactRange range{.terms = terms};
  range.kernel_terms = std::min(terms, result.exact_integers);
  range.high = 1;
  if (range.kernel_terms > 0) {
    range.high = std::clamp(floor_sqrt(result.exact_integers / range.kernel_terms), std::int64_t{1},
                            operand.exact_integers);
  }
  range.low = operand.is_signed && result.is_signed ? -range.high : 0;
  return range;
}

}  // namespace convproof::oracle
