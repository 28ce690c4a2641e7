#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "oracle/aten_execution.h"
#include "oracle/check.h"
#include "oracle/prime_field.h"
#include "selector/kernels/inductor/inductor_kernel.h"
#include "selector/kernels/inductor/template_configuration.h"
#include "selector/kernels/kernel_error.h"
#include "selector/op/aten_call.h"

namespace convproof::oracle {

struct AtenCheckOptions {
  std::int64_t max_work = 2'000'000'000;  // multiply-adds, every position of either side counted
  std::int64_t max_elements = 1LL << 27;  // of any tensor of the operation

  bool operator==(const AtenCheckOptions&) const = default;
};

// What one candidate of one call came to, as plain data. Of the classes it takes
//
//   equal      the kernel computes what it answers for, at these shapes, for all data
//   different  it does not, or leaves something unwritten
//   rejected   it refuses the call
//   skipped    too much work or memory, or no kernel of that name
//   invalid    eager execution refuses the call, or the kernel is of the other direction
struct AtenVerdict {
  CheckClass value = CheckClass::invalid;
  std::optional<KernelError> refusal{};
  InductorResult result = InductorResult::output;  // the first that differs
  std::int64_t first_difference = 0;               // row-major index in it
  std::int64_t differences = 0;                    // in all that the kernel answers for

  bool operator==(const AtenVerdict&) const = default;
};

// Why the kernel refuses, or how many elements differ and the first; empty for the other classes.
std::string to_string(const AtenVerdict& verdict);
// `element 5 of the output`; empty unless different.
std::string first_difference(const AtenVerdict& verdict);

// Runs candidates and compares each with the definition, in GF(2^61 - 1) on uniformly random
// elements: one run decides equality at these shapes for all data, up to a probability below
// 2^-59. Results are compared as the kernel leaves them, so that an unwritten element differs.
//
// A call is as the rewrites of the lowering leave it: with a batch axis, and with a bias only where
// the candidate has to add it. Several candidates of one call and seed in a row share their
// operands and what is expected.
//
// One per thread. A warm checker allocates nothing.
class AtenChecker {
 public:
  explicit AtenChecker(AtenCheckOptions options = {}) : options_(options) {}

  AtenVerdict check(const AtenCall& call, std::string_view kernel,
                    const TemplateConfiguration& configuration, std::uint64_t seed);

  // The same in double on small positive numbers with one infinity, in the result's gradient for
  // the gradients of weight and bias and in the weight else: `differences` counts NaN where the
  // definition has none. The infinity's place, in the operand's storage, is drawn where not given.
  // Source: design sheet of Inductor's convolution lowering, section F, rows F11 and F29.
  AtenVerdict check_special(const AtenCall& call, std::string_view kernel,
                            const TemplateConfiguration& configuration, std::uint64_t seed,
                            std::optional<std::int64_t> place = std::nullopt);

 private:
  AtenCheckOptions options_;
  AtenExecution<Field61> field_{};
  AtenExecution<double> numbers_{};
  std::optional<AtenCall> prepared_{};  // in `field_`
  std::uint64_t prepared_seed_ = 0;
};

// The call that a candidate of the lowering is handed, by the lowering's own rewrites: a batch
// axis, full lists, and no bias where it is added afterwards. The matrix product keeps its bias.
AtenCall candidate_call(const AtenCall& call, bool keep_bias = false);

}  // namespace convproof::oracle
