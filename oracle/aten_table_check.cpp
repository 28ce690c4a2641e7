#include "oracle/aten_table_check.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "selector/rules/reference.h"

namespace convproof::oracle {
namespace {

// The names that configurations give the parameters of a template.
struct TemplateParameter {
  std::string_view name{};
  std::int64_t TemplateConfiguration::* field = nullptr;
};
constexpr std::array convolution_parameters{
    TemplateParameter{"BLOCK_M", &TemplateConfiguration::block_m},
    TemplateParameter{"BLOCK_N", &TemplateConfiguration::block_n},
    TemplateParameter{"BLOCK_K", &TemplateConfiguration::block_k},
    TemplateParameter{"num_stages", &TemplateConfiguration::num_stages},
    TemplateParameter{"num_warps", &TemplateConfiguration::num_warps}};
constexpr std::array depthwise_parameters{
    TemplateParameter{"BLOCK_N", &TemplateConfiguration::block_m},
    TemplateParameter{"BLOCK_L", &TemplateConfiguration::block_n},
    TemplateParameter{"BLOCK_C", &TemplateConfiguration::block_k},
    TemplateParameter{"num_stages", &TemplateConfiguration::num_stages},
    TemplateParameter{"num_warps", &TemplateConfiguration::num_warps}};

bool has_one_tap(const AtenConvolution& convolution) {
  for (std::size_t axis = 2; axis < convolution.weight.size(); ++axis) {
    if (convolution.weight[axis] != 1) return false;
  }
  return true;
}

// Which of input, weight and bias gradient a row computes: it asks eager execution for no other.
std::array<bool, 3> gradients_of(const Registry& registry, const Row& row) {
  constexpr std::array<std::string_view, 3> names{"input_gradient", "weight_gradient",
                                                  "bias_gradient"};
  std::array<bool, 3> mask{};
  for (std::size_t i = 0; i < names.size(); ++i) {
    mask[i] = std::ranges::any_of(row.results, [&](std::uint32_t result) {
      return registry.results[result].name == names[i];
    });
  }
  return mask;
}

std::vector<std::int64_t TemplateConfiguration::*> template_fields(
    const std::vector<std::string>& names) {
  const bool depthwise = std::ranges::find(names, "BLOCK_L") != names.end();
  const std::span<const TemplateParameter> known =
      depthwise ? std::span(depthwise_parameters) : std::span(convolution_parameters);
  std::vector<std::int64_t TemplateConfiguration::*> fields;
  for (const std::string& name : names) {
    const auto found = std::ranges::find(known, name, &TemplateParameter::name);
    fields.push_back(found == known.end() ? nullptr : found->field);
  }
  return fields;
}

}  // namespace

AtenTableChecker::AtenTableChecker(AtenSelector selector, AtenBinding binding,
                                   AtenCheckOptions options)
    : selector_(std::move(selector)), binding_(std::move(binding)), checker_(options) {
  for (const Row& row : registry().rows) {
    RowPlan plan;
    plan.kernel = registry().kernels.find(row.kernel).value_or(0);
    if (!row.results.empty()) plan.computes = gradients_of(registry(), row);
    if (row.configuration_index)
      plan.parameters =
          template_fields(registry().configurations[*row.configuration_index].parameters);
    plans_.push_back(std::move(plan));
  }
}

std::expected<AtenTableChecker, LocatedError> AtenTableChecker::create(const Registry& registry,
                                                                       AtenCheckOptions options) {
  auto selector = AtenSelector::compile(registry);
  if (!selector) return std::unexpected(std::move(selector.error()));
  auto binding = bind_aten(registry.schema);
  if (!binding) return std::unexpected(std::move(binding.error()));
  return AtenTableChecker(std::move(*selector), std::move(*binding), options);
}

TemplateConfiguration AtenTableChecker::configuration(const AtenSelection& selection,
                                                      const Candidate& candidate) const {
  TemplateConfiguration configuration;
  // Literal taps where there is only one. Source: design sheet of Inductor's convolution lowering,
  // section C.2, step 10.
  configuration.unroll = has_one_tap(selection.call.convolution);
  const RowPlan& plan = plans_[candidate.row];
  for (std::size_t i = 0; i < plan.parameters.size(); ++i) {
    if (plan.parameters[i] != nullptr) configuration.*plan.parameters[i] = candidate.values[i];
  }
  return configuration;
}

AtenCall AtenTableChecker::asked_of(const AtenSelection& selection,
                                    const Candidate& candidate) const {
  const RowPlan& plan = plans_[candidate.row];
  AtenCall call = selection.call;
  for (std::size_t i = 0; call.backward && i < plan.computes.size(); ++i)
    call.output_mask[i] = call.output_mask[i] && plan.computes[i];
  return call;
}

AtenVerdict AtenTableChecker::check_candidate(const AtenSelection& selection,
                                              const Candidate& candidate, std::uint64_t seed) {
  const RowPlan& plan = plans_[candidate.row];
  return checker_.check(asked_of(selection, candidate),
                        registry().kernels.kernels[plan.kernel].leaf,
                        configuration(selection, candidate), seed);
}

const AtenTableVerdict& AtenTableChecker::check(const AtenCall& call, std::uint64_t seed) {
  selector_.select(call, verdict_.selection);
  verdict_.verdicts.clear();
  for (const Candidate& candidate : verdict_.selection.candidates)
    verdict_.verdicts.push_back(check_candidate(verdict_.selection, candidate, seed));
  return verdict_;
}

std::vector<std::size_t> AtenTableChecker::broken_clauses(const AtenSelection& selection,
                                                          const Candidate& candidate) {
  const Row& row = registry().rows[candidate.row];
  const KernelInfo& kernel = registry().kernels.kernels[plans_[candidate.row].kernel];
  std::vector<std::int64_t> record(registry().schema.record_size);
  fill_record(selection.call, binding_, record);
  std::vector<std::size_t> broken;
  for (std::size_t i = 0; i < kernel.contract.size(); ++i) {
    Clause clause = kernel.contract[i].clause;
    if (row.configuration_index) {
      auto tuned = tuned_clause(clause, kernel.parameters,
                                registry().configurations[*row.configuration_index],
                                row.tunings[candidate.entry]);
      if (tuned) clause = std::move(*tuned);
    }
    const auto holds = evaluate(clause.condition, registry().schema, record);
    if (!holds || holds->number == 0) broken.push_back(i);
  }
  return broken;
}

std::string parameters_text(const Registry& registry, const Candidate& candidate) {
  const Row& row = registry.rows[candidate.row];
  std::string text;
  if (!row.configuration_index) return text;
  const auto& names = registry.configurations[*row.configuration_index].parameters;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += fmt::format("{}{}={}", i == 0 ? "" : " ", names[i], candidate.values[i]);
  return text;
}

}  // namespace convproof::oracle
