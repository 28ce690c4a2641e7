#include "oracle/aten_check.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "oracle/fill.h"
#include "oracle/random.h"
#include "selector/kernels/inductor/aten_geometry.h"
#include "selector/kernels/inductor/inductor_kernels.h"
#include "selector/op/tensor.h"
#include "selector/registry/aten_rewrites.h"

namespace convproof::oracle {
namespace {

// What stands in a result before a kernel runs: no product of random elements comes to it but by
// chance.
constexpr Field61 unwritten_element(std::uint64_t{0x0d15'ea5e'0f00'dbad});

// Everything that is decided before memory is asked for; nothing where the kernel can run.
std::optional<AtenVerdict> decided_early(const AtenCall& call,
                                         const std::optional<AtenGeometry>& geometry,
                                         InductorResult produces, InductorLimits limits,
                                         const TemplateConfiguration& configuration,
                                         const AtenCheckOptions& options) {
  AtenVerdict verdict;
  if (!geometry || call.backward != (produces != InductorResult::output)) return verdict;
  // Eager execution has no answer then.
  if (call.backward && geometry->input_channels == 0 && call.output_mask[2] && !call.bias_sizes) {
    return verdict;
  }
  if (const KernelResult allowed = limits(call, configuration); !allowed) {
    verdict.value = CheckClass::rejected;
    verdict.refusal = allowed.error();
    return verdict;
  }
  const std::int64_t largest =
      std::max({element_count(call.convolution.input), element_count(call.convolution.weight),
                element_count(aten_result_shape(*geometry))});
  if (largest > options.max_elements || most_multiply_adds(*geometry) > options.max_work) {
    verdict.value = CheckClass::skipped;
    return verdict;
  }
  return std::nullopt;
}

std::optional<AtenGeometry> geometry_of(const AtenCall& call) {
  return call.backward ? aten_backward_geometry(call.convolution) : aten_geometry(call.convolution);
}

// Compares every result that the kernel answers for.
template <class T, class Differs>
void compare(AtenExecution<T>& execution, InductorResult produces, const Differs& differs,
             AtenVerdict& verdict) {
  for (const InductorResult result : execution.results_of(produces)) {
    execution.each(result, [&](std::size_t index, const T& expected, const T& actual) {
      if (!differs(expected, actual)) return;
      if (verdict.differences++ > 0) return;
      verdict.result = result;
      verdict.first_difference = static_cast<std::int64_t>(index);
    });
  }
  verdict.value = verdict.differences == 0 ? CheckClass::equal : CheckClass::different;
}

}  // namespace

std::string to_string(const AtenVerdict& verdict) {
  if (verdict.refusal) return to_string(*verdict.refusal);
  if (verdict.value != CheckClass::different) return "";
  return fmt::format("{} elements differ, the first is {}", verdict.differences,
                     first_difference(verdict));
}

std::string first_difference(const AtenVerdict& verdict) {
  if (verdict.value != CheckClass::different) return "";
  return fmt::format("element {} of the {}", verdict.first_difference, name_of(verdict.result));
}

AtenVerdict AtenChecker::check(const AtenCall& call, std::string_view kernel,
                               const TemplateConfiguration& configuration, std::uint64_t seed) {
  const auto* const entry = find_inductor_kernel<Field61>(kernel);
  if (entry == nullptr) return {.value = CheckClass::skipped};
  const auto geometry = geometry_of(call);
  if (const auto early =
          decided_early(call, geometry, entry->produces, entry->limits, configuration, options_)) {
    return *early;
  }
  if (prepared_seed_ != seed || prepared_ != call) {
    prepared_.reset();
    field_.prepare(call, *geometry);
    SplitMix64 random(seed);
    for (const std::span<Field61> operand : field_.operands()) fill_uniform(random, operand);
    field_.filled();
    prepared_ = call;
    prepared_seed_ = seed;
  }
  AtenVerdict verdict;
  if (const KernelResult ran = field_.run(*entry, configuration, unwritten_element); !ran) {
    verdict.value = CheckClass::rejected;
    verdict.refusal = ran.error();
    return verdict;
  }
  compare(
      field_, entry->produces, [](Field61 expected, Field61 actual) { return expected != actual; },
      verdict);
  return verdict;
}

AtenVerdict AtenChecker::check_special(const AtenCall& call, std::string_view kernel,
                                       const TemplateConfiguration& configuration,
                                       std::uint64_t seed, std::optional<std::int64_t> place) {
  const auto* const entry = find_inductor_kernel<double>(kernel);
  if (entry == nullptr) return {.value = CheckClass::skipped};
  const auto geometry = geometry_of(call);
  if (const auto early =
          decided_early(call, geometry, entry->produces, entry->limits, configuration, options_)) {
    return *early;
  }
  numbers_.prepare(call, *geometry);
  SplitMix64 random(seed);
  for (const std::span<double> operand : numbers_.operands()) {
    for (double& element : operand) element = static_cast<double>(random.between(1, 4));
  }
  const bool in_gradient = entry->produces == InductorResult::weight_gradient ||
                           entry->produces == InductorResult::bias_gradient;
  const std::span<double> planted = in_gradient ? numbers_.grad_output() : numbers_.weight();
  if (!planted.empty()) {
    const auto last = static_cast<std::int64_t>(planted.size()) - 1;
    const std::int64_t at =
        std::clamp<std::int64_t>(place.value_or(random.between(0, last)), 0, last);
    planted[static_cast<std::size_t>(at)] = std::numeric_limits<double>::infinity();
  }
  numbers_.filled();
  AtenVerdict verdict;
  if (const KernelResult ran = numbers_.run(*entry, configuration, 0.0); !ran) {
    verdict.value = CheckClass::rejected;
    verdict.refusal = ran.error();
    return verdict;
  }
  compare(
      numbers_, entry->produces,
      [](double expected, double actual) { return std::isnan(actual) && !std::isnan(expected); },
      verdict);
  return verdict;
}

AtenCall candidate_call(const AtenCall& call, bool keep_bias) {
  AtenCall result = call;
  const AtenConvolution& conv = result.convolution;
  const auto apply = [&](std::string_view name) { find_aten_rewrite(name)->apply(result); };
  if (!call.backward && conv.input.size() + 1 == conv.weight.size()) apply("add_batch");
  apply("broadcast_lists");
  if (!keep_bias && call.environment.device != AtenDevice::cpu && conv.bias) apply("peel_bias");
  return result;
}

}  // namespace convproof::oracle
