#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "selector/registry/registry.h"
#include "selector/rules/located_error.h"
#include "selector/rules/schema.h"

namespace convproof::proofs {

// One operation in the layout of its schema (Schema::record_size slots).
using Record = std::vector<std::int64_t>;

// What becomes of a witness when it is lowered and executed.
enum class Effect : std::uint8_t {
  not_executed,  // nothing to run, or too much work
  aborts,        // a predicate raises, or an assertion of the kernel or its tracing fails
  rejected,      // the lowering or the device refuses it
  different,     // the kernel runs and computes something else
  none,          // the result is right all the same
};
std::string_view name_of(Effect effect);

// What executing an operation costs.
struct Work {
  std::int64_t multiply_adds = 0;
  std::int64_t elements = 0;  // of all operands and results

  bool operator==(const Work&) const = default;
};

// Runs the operations of one table against their definition. One per thread; borrows the table.
class Executor {
 public:
  Executor() = default;
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;
  virtual ~Executor() = default;

  // What becomes of an operation that `row` takes, or, under the policy collect_all, for which it
  // is a candidate: then the worst of what its tunings come to.
  virtual Effect execute(std::uint32_t row, const Record& record, std::uint64_t seed) = 0;
  // The same in words: one line.
  virtual std::string describe(std::uint32_t row, const Record& record, std::uint64_t seed) = 0;
};

// What a schema's records stand for: the one place where the prover meets operations. Immutable,
// and shared by all threads. Every record that a subject hands out is well formed or at least in
// the schema's layout; `visit` and `keep` see such records.
class Subject {
 public:
  using Visit = std::function<bool(const Record&)>;

  explicit Subject(Schema schema) : schema_(std::move(schema)) {}
  Subject(const Subject&) = delete;
  Subject& operator=(const Subject&) = delete;
  virtual ~Subject() = default;

  [[nodiscard]] const Schema& schema() const { return schema_; }
  // In the plural, for reports: `convolutions`.
  [[nodiscard]] virtual std::string_view noun() const = 0;
  // A condition over the schema without which a wrong kernel shows nothing, or empty.
  [[nodiscard]] virtual std::string_view shows_something() const = 0;

  // An operation for each number, by the generator that fuzzers and laws share.
  [[nodiscard]] virtual Record sample(std::uint64_t seed, std::size_t number) const = 0;
  // Whether the record stands for an operation at all: tensors have limits that axioms lack.
  [[nodiscard]] virtual bool representable(const Record& record) const = 0;
  [[nodiscard]] virtual bool well_formed(const Record& record) const = 0;
  [[nodiscard]] virtual Work work(const Record& record) const = 0;

  // The smallest operation for which `keep` holds, by greedy steps from one for which it does; a
  // result with elements keeps some.
  [[nodiscard]] virtual Record shrunk(const Record& record, const Visit& keep) const = 0;
  // Calls `visit` for operations that differ in little, until it returns true; always the same in
  // the same order, not all well formed. By default, each slot changed by itself.
  virtual void visit_neighbours(const Record& record, const Visit& visit) const;

  // One line.
  [[nodiscard]] virtual std::string text(const Record& record) const = 0;
  // A file with one case, in the form that `check` and `replay` read.
  [[nodiscard]] virtual std::string json_case(std::string_view id, const Record& record,
                                              std::string_view why = {},
                                              std::string_view source = {}) const = 0;

  [[nodiscard]] virtual std::expected<std::unique_ptr<Executor>, LocatedError> executor(
      const Registry& registry) const = 0;

 private:
  Schema schema_;
};

// The subject whose records a schema describes: convolutions, or calls of ATen's convolutions.
// Errors: the schema is neither's.
std::expected<std::shared_ptr<const Subject>, LocatedError> find_subject(const Schema& schema);

}  // namespace convproof::proofs
