#pragma once

#include <expected>
#include <memory>

#include "props/proofs/subject.h"
#include "selector/op/aten_call.h"
#include "selector/registry/aten_subject.h"
#include "selector/rules/located_error.h"

namespace convproof::proofs {

// Calls of ATen's convolution, forward or backward as the schema says, with what the lowering reads
// beside them.
class AtenCallSubject final : public Subject {
 public:
  // Errors: an attribute of the schema is none of a call's.
  static std::expected<std::shared_ptr<const AtenCallSubject>, LocatedError> create(
      const Schema& schema);

  AtenCallSubject(Schema schema, AtenBinding binding)
      : Subject(std::move(schema)), binding_(std::move(binding)) {}

  [[nodiscard]] Record record(const AtenCall& call) const;
  [[nodiscard]] AtenCall call(const Record& record) const { return from_record(record, binding_); }

  [[nodiscard]] std::string_view noun() const override { return "calls"; }
  [[nodiscard]] std::string_view shows_something() const override { return "N > 0 and C > 0"; }
  [[nodiscard]] Record sample(std::uint64_t seed, std::size_t number) const override;
  // False where every axiom holds and a limit of tensors does not.
  [[nodiscard]] bool representable(const Record& record) const override;
  [[nodiscard]] bool well_formed(const Record& record) const override;
  [[nodiscard]] Work work(const Record& record) const override;
  [[nodiscard]] Record shrunk(const Record& record, const Visit& keep) const override;
  [[nodiscard]] std::string text(const Record& record) const override;
  [[nodiscard]] std::string json_case(std::string_view id, const Record& record,
                                      std::string_view why, std::string_view source) const override;
  [[nodiscard]] std::expected<std::unique_ptr<Executor>, LocatedError> executor(
      const Registry& registry) const override;

 private:
  AtenBinding binding_;
};

}  // namespace convproof::proofs
