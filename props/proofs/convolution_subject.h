#pragma once

#include <expected>
#include <memory>

#include "props/proofs/subject.h"
#include "selector/op/conv_op.h"
#include "selector/registry/conv_subject.h"
#include "selector/rules/located_error.h"

namespace convproof::proofs {

// General convolutions, as the Neuron table sees them.
class ConvolutionSubject final : public Subject {
 public:
  // Errors: an attribute of the schema is none of a convolution's.
  static std::expected<std::shared_ptr<const ConvolutionSubject>, LocatedError> create(
      const Schema& schema);

  ConvolutionSubject(Schema schema, ConvBinding binding)
      : Subject(std::move(schema)), binding_(std::move(binding)) {}

  [[nodiscard]] Record record(const ConvOp& op) const;
  [[nodiscard]] ConvOp op(const Record& record) const { return from_record(record, binding_); }

  [[nodiscard]] std::string_view noun() const override { return "convolutions"; }
  [[nodiscard]] std::string_view shows_something() const override;
  [[nodiscard]] Record sample(std::uint64_t seed, std::size_t number) const override;
  [[nodiscard]] bool representable(const Record& record) const override;
  [[nodiscard]] bool well_formed(const Record& record) const override;
  [[nodiscard]] Work work(const Record& record) const override;
  [[nodiscard]] Record shrunk(const Record& record, const Visit& keep) const override;
  void visit_neighbours(const Record& record, const Visit& visit) const override;
  [[nodiscard]] std::string text(const Record& record) const override;
  [[nodiscard]] std::string json_case(std::string_view id, const Record& record,
                                      std::string_view why, std::string_view source) const override;
  [[nodiscard]] std::expected<std::unique_ptr<Executor>, LocatedError> executor(
      const Registry& registry) const override;

 private:
  ConvBinding binding_;
};

}  // namespace convproof::proofs
