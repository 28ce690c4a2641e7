#include "oracle/check.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "oracle/compare.h"
#include "oracle/convolution.h"
#include "oracle/fill.h"
#include "oracle/missing_taps.h"
#include "oracle/random.h"
#include "selector/kernels/neuron_kernels.h"
#include "selector/lowering/execute.h"
#include "selector/registry/conv_subject.h"
#include "selector/rules/predicate.h"

namespace convproof::oracle {
namespace {

std::size_t elements_of(const Shape& shape) {
  return static_cast<std::size_t>(element_count(shape));
}

void grow(std::vector<Field61>& elements, std::size_t count) {
  if (elements.size() < count) elements.resize(count);
}

CheckClass class_without_row(Selection::Status status) {
  switch (status) {
    case Selection::Status::raised:
      return CheckClass::raised;
    case Selection::Status::gated:
      return CheckClass::gated;
    case Selection::Status::matched:
    case Selection::Status::unmatched:
      break;
  }
  return CheckClass::unmatched;
}

}  // namespace

std::string_view name_of(CheckClass value) {
  return std::ranges::find(check_classes, value, &CheckClassInfo::value)->name;
}

bool is_finding(CheckClass value) {
  return std::ranges::find(check_classes, value, &CheckClassInfo::value)->finding;
}

Checker::Checker(Matcher matcher, CheckOptions options)
    : matcher_(std::move(matcher)), options_(std::move(options)) {
  const auto table = neuron_kernels<Field61>();
  const KernelSet& set = registry().kernels;
  for (const Row& row : registry().rows) {
    const std::string_view leaf = set.kernels[*set.find(row.kernel)].leaf;
    const auto model = std::ranges::find(table, leaf, &KernelEntry<Field61>::leaf);
    models_.push_back(model == table.end() ? nullptr : &*model);
  }
}

std::expected<Checker, LocatedError> Checker::create(const Registry& registry,
                                                     CheckOptions options) {
  if (!options.kernel.empty() &&
      std::ranges::find(registry.rows, options.kernel, &Row::kernel) == registry.rows.end()) {
    return std::unexpected(LocatedError{
        .error = {.place = "kernel",
                  .value = options.kernel,
                  .rule = fmt::format("no row of {} names it; known are: {}", registry.name,
                                      fmt::join(registry.kernel_names(), ", "))}});
  }
  auto matcher = Matcher::compile(registry);
  if (!matcher) return std::unexpected(std::move(matcher.error()));
  return Checker(std::move(*matcher), std::move(options));
}

RowChoice Checker::choose(const ConvOp& op) {
  RowChoice choice{.selection = matcher_.select(op)};
  if (!options_.kernel.empty() && choice.selection.status != Selection::Status::gated) {
    const auto& rows = registry().rows;
    choice.row = static_cast<std::uint32_t>(std::ranges::find(rows, options_.kernel, &Row::kernel) -
                                            rows.begin());
  } else if (choice.selection.status == Selection::Status::matched) {
    choice.row = choice.selection.row;
  }
  return choice;
}

std::expected<Program, Error> Checker::lowered(const ConvOp& op, std::uint32_t row) const {
  return lower(op, registry().rows[row].kernel, registry().rows[row].lowering);
}

Verdict Checker::check(const ConvOp& op, std::uint64_t seed) {
  Verdict verdict;
  if (!validate(op)) return verdict;
  const RowChoice choice = choose(op);
  const std::optional<std::uint32_t> row = choice.row;
  verdict.selection = choice.selection;
  verdict.row = row;
  if (!row) {
    verdict.value = class_without_row(choice.selection.status);
    if (verdict.value == CheckClass::raised) verdict.row = choice.selection.row;
    return verdict;
  }
  const auto program = lowered(op, *row);
  if (!program) {
    verdict.value = CheckClass::rejected;
    return verdict;
  }
  const KernelEntry<Field61>* const model = models_[*row];
  const std::int64_t largest = std::max(
      {element_count(op.in_shape), element_count(op.kern_shape), element_count(op.res_shape)});
  if (model == nullptr || multiply_adds(op) > options_.max_work ||
      largest > options_.max_elements) {
    verdict.value = CheckClass::skipped;
    return verdict;
  }
  if (const KernelResult ran = run(op, *program, *model, registry().kernels.switches, seed); !ran) {
    verdict.value = CheckClass::rejected;
    verdict.refusal = ran.error();
    return verdict;
  }
  compare(op, verdict);
  return verdict;
}

KernelResult Checker::run(const ConvOp& op, const Program& program,
                          const KernelEntry<Field61>& kernel, const KernelSwitches& switches,
                          std::uint64_t seed) {
  const std::size_t image = elements_of(op.in_shape);
  const std::size_t weights = elements_of(op.kern_shape);
  grow(image_, image);
  grow(kernel_, weights);
  grow(result_, elements_of(op.res_shape));
  SplitMix64 random(seed);
  fill_uniform(random, std::span(image_).first(image));
  fill_uniform(random, std::span(kernel_).first(weights));
  const KernelContext context{
      .device = registry().kernels.device, .switches = switches, .scratch = &scratch_};
  return execute<Field61>(program, kernel, {std::span(image_).first(image), op.in_shape},
                          {std::span(kernel_).first(weights), op.kern_shape},
                          {std::span(result_).first(elements_of(op.res_shape)), op.res_shape},
                          context);
}

void Checker::compare(const ConvOp& op, Verdict& verdict) {
  const std::size_t count = elements_of(op.res_shape);
  grow(expected_, count);
  convolve<Field61>(op, {std::span(image_).first(elements_of(op.in_shape)), op.in_shape},
                    {std::span(kernel_).first(elements_of(op.kern_shape)), op.kern_shape},
                    {std::span(expected_).first(count), op.res_shape});
  for (std::size_t i = 0; i < count; ++i) {
    if (result_[i] == expected_[i]) continue;
    if (verdict.differences++ == 0) verdict.first_difference = static_cast<std::int64_t>(i);
  }
  verdict.value = verdict.differences == 0 ? CheckClass::equal : CheckClass::different;
}

Explanation Checker::describe(const ConvOp& op, const Verdict& verdict, std::uint64_t seed) {
  Explanation explanation;
  switch (verdict.value) {
    case CheckClass::equal:
    case CheckClass::unmatched:
      return explanation;
    case CheckClass::gated:
      explanation.detail = fmt::format("the pass does not look at it: gate `{}`",
                                       to_string(registry().gate.clauses.front()));
      return explanation;
    case CheckClass::invalid:
      if (auto valid = validate(op); !valid) explanation.detail = to_string(valid.error());
      return explanation;
    case CheckClass::raised:
      explanation.detail = raise_text(registry(), verdict.selection);
      return explanation;
    case CheckClass::skipped:
      explanation.detail = skipped_text(op, *verdict.row);
      return explanation;
    case CheckClass::rejected:
    case CheckClass::different:
      break;
  }
  const std::size_t kernel = *registry().kernels.find(registry().rows[*verdict.row].kernel);
  std::vector<std::size_t> broken;
  matcher_.broken_clauses(kernel, op, broken);
  for (const std::size_t clause : broken) {
    const ContractClause& contract = registry().kernels.kernels[kernel].contract[clause];
    explanation.clauses.push_back(fmt::format("{}: {}", contract.id, to_string(contract.clause)));
  }
  const auto program = lowered(op, *verdict.row);
  if (verdict.value == CheckClass::rejected) {
    explanation.detail = program ? to_string(*verdict.refusal) : to_string(program.error());
  } else {
    const KernelEntry<Field61>& model = *models_[*verdict.row];
    if (broken.empty()) explanation.defect = mending_switch(op, *program, model, seed);
    describe_difference(op, *program, model, seed, explanation);
  }
  if (!broken.empty())
    explanation.detail +=
        fmt::format("; contract broken: {}", fmt::join(explanation.clauses, ", "));
  if (!explanation.defect.empty()) {
    explanation.detail += fmt::format(
        "; no contract clause is broken: a defect of the kernel, mended by {}", explanation.defect);
  }
  return explanation;
}

std::string Checker::skipped_text(const ConvOp& op, std::uint32_t row) const {
  const std::string& kernel = registry().rows[row].kernel;
  if (models_[row] == nullptr) {
    return fmt::format("kernel {} has no executable model", kernel);
  }
  if (const std::int64_t work = multiply_adds(op); work > options_.max_work) {
    return fmt::format("{} multiply-adds, more than the limit of {}", work, options_.max_work);
  }
  return fmt::format("a tensor of more than {} elements", options_.max_elements);
}

void Checker::describe_difference(const ConvOp& op, const Program& program,
                                  const KernelEntry<Field61>& kernel, std::uint64_t seed,
                                  Explanation& explanation) {
  // The run refused nothing when the verdict was made, and is deterministic.
  static_cast<void>(run(op, program, kernel, registry().kernels.switches, seed));
  Verdict verdict;
  compare(op, verdict);
  const std::size_t count = elements_of(op.res_shape);
  const auto difference =
      compare_exact<Field61>(op, {std::span(expected_).first(count), op.res_shape},
                             {std::span(result_).first(count), op.res_shape});
  std::string& text = explanation.detail;
  if (!difference) {
    text = "the difference did not recur";
    return;
  }
  explanation.first_difference = to_string(difference->first);
  text = fmt::format("{} of {} elements differ, first {}", difference->differing,
                     difference->elements, explanation.first_difference);
  Arena scratch;
  const KernelContext context{.device = registry().kernels.device,
                              .switches = registry().kernels.switches,
                              .scratch = &scratch};
  const FieldKernel run_once = [&](TensorView<const Field61> image,
                                   TensorView<const Field61> weights, TensorView<Field61> result) {
    return execute<Field61>(program, kernel, image, weights, result, context).has_value();
  };
  const auto taps = faulty_taps(run_once, op, difference->first, options_.max_work, seed);
  if (!taps || taps->empty()) return;
  constexpr std::size_t most_shown = 6;
  for (std::size_t i = 0; i < std::min(taps->size(), most_shown); ++i) {
    text += fmt::format("{} {}", i == 0 ? "; taps:" : ",", to_string((*taps)[i]));
  }
  if (taps->size() > most_shown) text += fmt::format(", and {} more", taps->size() - most_shown);
}

std::string Checker::mending_switch(const ConvOp& op, const Program& program,
                                    const KernelEntry<Field61>& kernel, std::uint64_t seed) {
  KernelSwitches switches = registry().kernels.switches;
  if (switches.mend_last_tile) return {};
  switches.mend_last_tile = true;
  if (!run(op, program, kernel, switches, seed)) return {};
  Verdict mended;
  compare(op, mended);
  return mended.value == CheckClass::equal ? "mend_last_tile" : "";
}

}  // namespace convproof::oracle
