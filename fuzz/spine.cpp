#include "fuzz/spine.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "fuzz/extra_counters.h"
#include "oracle/convolution.h"
#include "oracle/fill.h"
#include "oracle/random.h"
#include "selector/kernels/neuron_kernels.h"
#include "selector/lowering/transpose.h"
#include "selector/op/tensor.h"
#include "selector/registry/conv_subject.h"

namespace convproof::fuzz {

using oracle::CheckClass;
using oracle::Field61;
using oracle::Verdict;

namespace {

std::unexpected<KernelError> inconsistent(std::string_view rule) {
  return std::unexpected(KernelError{.fault = KernelFault::assertion, .rule = rule});
}

// As lowering/execute.h, but a bridge that does not lead to the shape of the call is refused, so
// that a program with a planted fault reads nothing out of bounds.
KernelResult execute_checked(const Program& program, const KernelEntry<Field61>& kernel,
                             TensorView<const Field61> image, TensorView<const Field61> weights,
                             TensorView<Field61> result, const KernelContext& context) {
  const Arena::Scope scope(*context.scratch);
  const KernelCall& call = program.kernel.call;
  const auto bridged = [&](TensorView<const Field61> operand, const std::optional<Perm>& bridge,
                           const Shape& shape) -> std::optional<TensorView<const Field61>> {
    if (!bridge) {
      return operand.shape == shape ? std::optional(operand) : std::nullopt;
    }
    if (apply_dims(operand.shape, *bridge) != shape) return std::nullopt;
    const TensorView<Field61> moved{context.scratch->zeroed<Field61>(element_count(shape)), shape};
    transpose(operand, *bridge, moved);
    return moved;
  };
  const auto call_image = bridged(image, program.in_bridge, call.in_shape);
  if (!call_image) return inconsistent("the image's bridge leads to the shape of the call");
  const auto call_weights = bridged(weights, program.kern_bridge, call.kern_shape);
  if (!call_weights)
    return inconsistent("the kernel operand's bridge leads to the shape of the call");
  const Shape bridged_result =
      program.out_bridge ? apply_dims(call.res_shape, *program.out_bridge) : call.res_shape;
  if (bridged_result != result.shape) {
    return inconsistent("the result's bridge leads to the shape of the operation");
  }
  if (!program.out_bridge) return kernel.run(call, *call_image, *call_weights, result, context);
  const TensorView<Field61> call_result{
      context.scratch->zeroed<Field61>(element_count(call.res_shape)), call.res_shape};
  if (auto ran = kernel.run(call, *call_image, *call_weights, call_result, context); !ran) {
    return ran;
  }
  transpose(TensorView<const Field61>(call_result), *program.out_bridge, result);
  return {};
}

}  // namespace

Spine::Spine(SpineOptions options, std::unique_ptr<Registry> registry, oracle::Checker checker,
             Matcher matcher)
    : options_(std::move(options)),
      registry_(std::move(registry)),
      checker_(std::move(checker)),
      matcher_(std::move(matcher)) {}

std::expected<Spine, LocatedError> Spine::create(const SpineOptions& options) {
  auto loaded = options.fault != nullptr && options.fault->in_registry()
                    ? registry_with(options.fault->registry, options.registry)
                    : find_registry(options.registry);
  if (!loaded) return std::unexpected(std::move(loaded.error()));
  auto registry = std::make_unique<Registry>(std::move(*loaded));
  auto checker = oracle::Checker::create(*registry, {.max_work = options.max_work,
                                                     .max_elements = options.max_elements,
                                                     .kernel = options.kernel});
  if (!checker) return std::unexpected(std::move(checker.error()));
  auto matcher = Matcher::compile(*registry);
  if (!matcher) return std::unexpected(std::move(matcher.error()));
  return Spine(options, std::move(registry), std::move(*checker), std::move(*matcher));
}

Verdict Spine::check(const ConvOp& op) {
  const bool altered = options_.fault != nullptr &&
                       (options_.fault->program != nullptr || options_.fault->result != nullptr);
  const Verdict verdict = altered ? check_with_fault(op) : checker_.check(op, options_.seed);
  if (counters_enabled()) count(op, verdict);
  return verdict;
}

Verdict Spine::check_with_fault(const ConvOp& op) {
  Verdict verdict;
  if (!validate(op)) return verdict;
  const oracle::RowChoice choice = checker_.choose(op);
  if (!choice.row) return checker_.check(op, options_.seed);
  verdict.selection = choice.selection;
  verdict.row = choice.row;
  auto program = checker_.lowered(op, *choice.row);
  const KernelSet& kernels = registry_->kernels;
  const std::string& leaf =
      kernels.kernels[*kernels.find(registry_->rows[*choice.row].kernel)].leaf;
  const auto table = neuron_kernels<Field61>();
  const auto model = std::ranges::find(table, std::string_view(leaf), &KernelEntry<Field61>::leaf);
  if (!program || model == table.end() || multiply_adds(op) > options_.max_work) {
    return checker_.check(op, options_.seed);
  }
  if (options_.fault->program != nullptr) options_.fault->program(op, *program);

  const auto image_size = static_cast<std::size_t>(element_count(op.in_shape));
  const auto kernel_size = static_cast<std::size_t>(element_count(op.kern_shape));
  const auto result_size = static_cast<std::size_t>(element_count(op.res_shape));
  image_.resize(image_size);
  kernel_.resize(kernel_size);
  result_.assign(result_size, Field61{});
  expected_.resize(result_size);
  oracle::SplitMix64 random(options_.seed);
  oracle::fill_uniform(random, std::span(image_));
  oracle::fill_uniform(random, std::span(kernel_));
  const KernelContext context{
      .device = kernels.device, .switches = kernels.switches, .scratch = &scratch_};
  const TensorView<const Field61> image{image_, op.in_shape};
  const TensorView<const Field61> weights{kernel_, op.kern_shape};
  const KernelResult ran =
      execute_checked(*program, *model, image, weights, {result_, op.res_shape}, context);
  if (!ran) {
    verdict.value = CheckClass::rejected;
    verdict.refusal = ran.error();
    return verdict;
  }
  if (options_.fault->result != nullptr) options_.fault->result(op, result_);
  oracle::convolve<Field61>(op, image, weights, {expected_, op.res_shape});
  for (std::size_t i = 0; i < result_size; ++i) {
    if (result_[i] == expected_[i]) continue;
    if (verdict.differences++ == 0) verdict.first_difference = static_cast<std::int64_t>(i);
  }
  verdict.value = verdict.differences == 0 ? CheckClass::equal : CheckClass::different;
  return verdict;
}

void Spine::count(const ConvOp& op, const Verdict& verdict) {
  count_sizes(op);
  if (verdict.value == CheckClass::invalid || verdict.value == CheckClass::gated) {
    count_verdict(verdict, 0);
    return;
  }
  matcher_.outcomes(op, outcomes_);
  count_row_outcomes(outcomes_);
  unsigned bridges = 0;
  if (verdict.row) {
    const Row& row = registry_->rows[*verdict.row];
    const LoweringRule& rule = row.lowering;
    bridges = (rule.layout.in && *rule.layout.in != op.in_perm ? 1U : 0U) |
              (rule.layout.kern && *rule.layout.kern != op.kern_perm ? 2U : 0U) |
              (rule.layout.out && *rule.layout.out != op.out_perm ? 4U : 0U);
    broken_.clear();
    const std::size_t kernel = *registry_->kernels.find(row.kernel);
    matcher_.broken_clauses(kernel, op, broken_);
    for (const std::size_t clause : broken_) count_broken_clause(kernel, clause);
  }
  count_verdict(verdict, bridges);
}

Signature Spine::signature(const ConvOp& op, const Verdict& verdict) {
  // A planted fault is its own explanation; describing would run without it.
  if (options_.fault != nullptr && !options_.fault->in_registry()) {
    Signature signature{.registry = registry_->name,
                        .class_name = std::string(name_of(verdict.value)),
                        .site = std::string(options_.fault->name)};
    if (verdict.row) {
      signature.row = registry_->rows[*verdict.row].id;
      signature.kernel = registry_->rows[*verdict.row].kernel;
    }
    return signature;
  }
  return signature_of(checker_, matcher_, op, verdict, options_.seed);
}

bool Spine::finds(const ConvOp& op, const Signature& wanted) {
  const Verdict verdict = check(op);
  return is_finding(verdict.value) && signature(op, verdict) == wanted;
}

oracle::Explanation Spine::explain(const ConvOp& op, const Verdict& verdict) {
  return checker_.describe(op, verdict, options_.seed);
}

}  // namespace convproof::fuzz
