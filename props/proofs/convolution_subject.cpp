#include "props/proofs/convolution_subject.h"

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "oracle/arbitrary_conv_op.h"
#include "oracle/check.h"
#include "oracle/draw.h"
#include "oracle/shrink.h"
#include "oracle/shrink_parts.h"
#include "props/proofs/execution.h"
#include "selector/frontends/json_cases.h"
#include "selector/op/tensor.h"

namespace convproof::proofs {
namespace {

// What a witness may cost to execute; minimised ones need far less.
const oracle::CheckOptions cheap{.max_work = 6'000'000, .max_elements = 1 << 20, .kernel = {}};

// The generator's size: mostly small convolutions, one in eight around 128, one in eight around
// 512, where tiles end.
int size_of(std::size_t sample) { return sample % 8 == 6 ? 1 : sample % 8 == 7 ? 2 : 0; }

class ConvolutionExecutor final : public Executor {
 public:
  ConvolutionExecutor(oracle::Checker checker, ConvBinding binding)
      : checker_(std::move(checker)), binding_(std::move(binding)) {}

  // The winner is the checker's to find: one row takes a convolution.
  Effect execute(std::uint32_t /*row*/, const Record& record, std::uint64_t seed) override {
    return effect_of(checker_.check(from_record(record, binding_), seed));
  }

  std::string describe(std::uint32_t /*row*/, const Record& record, std::uint64_t seed) override {
    const ConvOp op = from_record(record, binding_);
    return checker_.describe(op, checker_.check(op, seed), seed).detail;
  }

 private:
  oracle::Checker checker_;
  ConvBinding binding_;
};

}  // namespace

std::expected<std::shared_ptr<const ConvolutionSubject>, LocatedError> ConvolutionSubject::create(
    const Schema& schema) {
  auto binding = bind_convolution(schema);
  if (!binding) return std::unexpected(std::move(binding.error()));
  return std::make_shared<const ConvolutionSubject>(schema, std::move(*binding));
}

Record ConvolutionSubject::record(const ConvOp& op) const {
  Record record(schema().record_size, 0);
  fill_record(op, binding_, record);
  return record;
}

std::string_view ConvolutionSubject::shows_something() const {
  return "all(extent >= 1 for extent in res_shape)";
}

Record ConvolutionSubject::sample(std::uint64_t seed, std::size_t number) const {
  oracle::SplitMixDraw draw(seed * 0x9e3779b97f4a7c15U + number);
  oracle::GeneratorOptions options{.size = size_of(number)};
  options.empty_results = true;
  return record(oracle::arbitrary_conv_op(draw, options));
}

bool ConvolutionSubject::representable(const Record& record) const {
  return check_structure(op(record)).has_value();
}

bool ConvolutionSubject::well_formed(const Record& record) const {
  return validate(op(record)).has_value();
}

Work ConvolutionSubject::work(const Record& record) const {
  const ConvOp op = this->op(record);
  return {.multiply_adds = multiply_adds(op),
          .elements = element_count(op.in_shape) + element_count(op.kern_shape) +
                      element_count(op.res_shape)};
}

Record ConvolutionSubject::shrunk(const Record& record, const Visit& keep) const {
  const ConvOp op = this->op(record);
  // A result without elements shows little: none where there were some.
  const bool empty = element_count(op.res_shape) == 0;
  return this->record(oracle::shrink(op, [&](const ConvOp& candidate) {
    return (empty || element_count(candidate.res_shape) > 0) && keep(this->record(candidate));
  }));
}

void ConvolutionSubject::visit_neighbours(const Record& record, const Visit& visit) const {
  Record near(schema().record_size, 0);
  oracle::visit_neighbours(op(record), [&](const ConvOp& candidate) {
    if (!check_structure(candidate)) return false;
    fill_record(candidate, binding_, near);
    return visit(near);
  });
}

std::string ConvolutionSubject::text(const Record& record) const { return to_string(op(record)); }

std::string ConvolutionSubject::json_case(std::string_view id, const Record& record,
                                          std::string_view why, std::string_view source) const {
  const JsonCase one{.id = std::string(id),
                     .op = op(record),
                     .why = std::string(why),
                     .source = std::string(source)};
  return write_json_cases(std::span(&one, 1));
}

std::expected<std::unique_ptr<Executor>, LocatedError> ConvolutionSubject::executor(
    const Registry& registry) const {
  auto checker = oracle::Checker::create(registry, cheap);
  if (!checker) return std::unexpected(std::move(checker.error()));
  return std::make_unique<ConvolutionExecutor>(std::move(*checker), binding_);
}

}  // namespace convproof::proofs
