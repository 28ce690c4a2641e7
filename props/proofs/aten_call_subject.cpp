#include "props/proofs/aten_call_subject.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "oracle/arbitrary_aten_call.h"
#include "oracle/aten_table_check.h"
#include "oracle/draw.h"
#include "oracle/shrink_aten_call.h"
#include "props/proofs/execution.h"
#include "selector/frontends/json_cases.h"
#include "selector/kernels/inductor/aten_geometry.h"
#include "selector/op/tensor.h"
#include "selector/rules/reference.h"

namespace convproof::proofs {
namespace {

// What a witness may cost to execute, for each of a row's tunings.
constexpr oracle::AtenCheckOptions cheap{.max_work = 1'000'000, .max_elements = 1 << 18};

std::optional<AtenGeometry> geometry_of(const AtenCall& call) {
  const AtenCall full = oracle::candidate_call(call, true);
  return full.backward ? aten_backward_geometry(full.convolution) : aten_geometry(full.convolution);
}

// From harmless to wrong.
int severity(Effect effect) {
  switch (effect) {
    case Effect::not_executed:
      return 0;
    case Effect::none:
      return 1;
    case Effect::rejected:
      return 2;
    case Effect::aborts:
      return 3;
    case Effect::different:
      break;
  }
  return 4;
}

class AtenCallExecutor final : public Executor {
 public:
  AtenCallExecutor(oracle::AtenTableChecker checker, AtenBinding binding)
      : checker_(std::move(checker)), binding_(std::move(binding)) {}

  Effect execute(std::uint32_t row, const Record& record, std::uint64_t seed) override {
    return worst(row, record, seed).effect;
  }

  std::string describe(std::uint32_t row, const Record& record, std::uint64_t seed) override {
    const Worst found = worst(row, record, seed);
    if (selection_.raised) {
      return fmt::format("clause {} of row {} raises", selection_.raised->clause + 1,
                         checker_.registry().rows[selection_.raised->row].id);
    }
    if (!found.candidate) return "";
    const std::string tuning = oracle::parameters_text(checker_.registry(), *found.candidate);
    const std::string reason = to_string(found.verdict);
    return fmt::format("{}{}{}", tuning, tuning.empty() ? "" : ": ",
                       reason.empty() ? name_of(found.effect) : reason);
  }

 private:
  struct Worst {
    Effect effect = Effect::not_executed;
    std::optional<Candidate> candidate{};
    oracle::AtenVerdict verdict{};
  };

  Worst worst(std::uint32_t row, const Record& record, std::uint64_t seed) {
    Worst found;
    checker_.selector().select(from_record(record, binding_), selection_);
    if (selection_.raised) {
      found.effect = Effect::aborts;
      return found;
    }
    for (const Candidate& candidate : selection_.candidates) {
      if (candidate.row != row) continue;
      const oracle::AtenVerdict verdict = checker_.check_candidate(selection_, candidate, seed);
      const Effect effect = effect_of(verdict);
      if (found.candidate && severity(effect) <= severity(found.effect)) continue;
      found = {.effect = effect, .candidate = candidate, .verdict = verdict};
    }
    return found;
  }

  oracle::AtenTableChecker checker_;
  AtenBinding binding_;
  AtenSelection selection_{};
};

}  // namespace

std::expected<std::shared_ptr<const AtenCallSubject>, LocatedError> AtenCallSubject::create(
    const Schema& schema) {
  auto binding = bind_aten(schema);
  if (!binding) return std::unexpected(std::move(binding.error()));
  return std::make_shared<const AtenCallSubject>(schema, std::move(*binding));
}

Record AtenCallSubject::record(const AtenCall& call) const {
  Record record(schema().record_size, 0);
  fill_record(call, binding_, record);
  return record;
}

Record AtenCallSubject::sample(std::uint64_t seed, std::size_t number) const {
  oracle::SplitMixDraw draw(seed * 0x9e3779b97f4a7c15U + number);
  // One in eight around a block's size, one in eight around that of several.
  oracle::AtenGeneratorOptions options;
  options.backward = binding_.backward;
  options.mixed_types = true;
  if (number % 8 >= 6) {
    options.max_extent = number % 8 == 6 ? 20 : 60;
    options.max_channels = number % 8 == 6 ? 24 : 160;
    options.max_multiply_adds = number % 8 == 6 ? 1'000'000 : 20'000'000;
  }
  return record(oracle::arbitrary_aten_call(draw, options));
}

bool AtenCallSubject::representable(const Record& record) const {
  if (well_formed(record)) return true;
  return std::ranges::any_of(schema().axioms, [&](const Axiom& axiom) {
    const auto holds = evaluate(axiom.holds, schema(), record);
    return !holds || holds->number == 0;
  });
}

// The call says the same as the record, and eager execution accepts it.
bool AtenCallSubject::well_formed(const Record& record) const {
  const AtenCall call = this->call(record);
  return validate(call).has_value() && this->record(call) == record;
}

Work AtenCallSubject::work(const Record& record) const {
  const AtenCall call = this->call(record);
  const auto geometry = geometry_of(call);
  if (!geometry) return {};
  return {.multiply_adds = most_multiply_adds(*geometry),
          .elements = element_count(call.convolution.input) +
                      element_count(call.convolution.weight) +
                      element_count(aten_result_shape(*geometry))};
}

Record AtenCallSubject::shrunk(const Record& record, const Visit& keep) const {
  const auto shows = [](const AtenCall& call) { return element_count(call.convolution.input) > 0; };
  const AtenCall call = this->call(record);
  const bool empty = !shows(call);
  return this->record(oracle::shrink_aten_call(call, [&](const AtenCall& candidate) {
    return (empty || shows(candidate)) && keep(this->record(candidate));
  }));
}

std::string AtenCallSubject::text(const Record& record) const { return to_string(call(record)); }

std::string AtenCallSubject::json_case(std::string_view id, const Record& record,
                                       std::string_view why, std::string_view source) const {
  const JsonCase one{.id = std::string(id),
                     .aten = call(record),
                     .why = std::string(why),
                     .source = std::string(source)};
  return write_json_cases(std::span(&one, 1));
}

std::expected<std::unique_ptr<Executor>, LocatedError> AtenCallSubject::executor(
    const Registry& registry) const {
  auto checker = oracle::AtenTableChecker::create(registry, cheap);
  if (!checker) return std::unexpected(std::move(checker.error()));
  return std::make_unique<AtenCallExecutor>(std::move(*checker), binding_);
}

}  // namespace convproof::proofs
