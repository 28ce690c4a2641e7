#pragma once

#include <cstdint>

#include "oracle/aten_check.h"
#include "oracle/aten_table_check.h"
#include "selector/registry/aten_selector.h"
#include "selector/registry/collector.h"

namespace convproof::ci {

// What one candidate made of an infinity. Of class `different`: NaN where the definition has none.
struct SpecialVerdict {
  oracle::AtenVerdict verdict{};
  bool in_gradient = false;  // the infinity stands in the result's gradient, else in the weight
  std::int64_t place = 0;    // where, in the operand's storage

  bool operator==(const SpecialVerdict&) const = default;
};

// The counterpart of AtenTableChecker::check_candidate for data that is not finite: small numbers
// and one infinity, at the operand's first element, its last, and some drawn places. The first and
// the last tap meet the padding wherever there is any.
// Source: design sheet of Inductor's convolution lowering, section F, rows F11 and F29.
//
// One per thread; borrows the table.
class AtenSpecialChecker {
 public:
  AtenSpecialChecker(const oracle::AtenTableChecker& table, oracle::AtenCheckOptions options)
      : table_(table), checker_(options) {}

  // The verdict of the place that spoils most elements, the earliest tried of such.
  SpecialVerdict check(const AtenSelection& selection, const Candidate& candidate,
                       std::uint64_t seed);

 private:
  const oracle::AtenTableChecker& table_;
  oracle::AtenChecker checker_;
};

}  // namespace convproof::ci
