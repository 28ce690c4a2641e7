#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "selector/rules/outcome.h"
#include "selector/rules/predicate.h"
#include "selector/rules/schema.h"

namespace convproof {

// A value of the language; its type is that of the expression it comes from.
struct Value {
  std::int64_t number = 0;        // scalars
  std::vector<Value> elements{};  // lists

  bool operator==(const Value&) const = default;
};

// `3`, `True`, `"bf16"`, `[1, 2]`.
std::string to_string(const Value& value, const Type& type, const Schema& schema);

// The value of `attribute` in a record.
Value attribute_value(const Attribute& attribute, std::span<const std::int64_t> record);

struct Raised {
  RaiseCause cause{};
  SourceRange where{};  // of the expression that raised

  bool operator==(const Raised&) const = default;
};

// The meaning of the language, as a plain walk over the tree: what the compiled form, the
// explanation and the prover's encoding must agree with. Slow, and allocates.
std::expected<Value, Raised> evaluate(const Expression& expression, const Schema& schema,
                                      std::span<const std::int64_t> record);

PredicateOutcome evaluate(const Predicate& predicate, const Schema& schema,
                          std::span<const std::int64_t> record);

TableOutcome evaluate(std::span<const Predicate> rows, const Schema& schema,
                      std::span<const std::int64_t> record);

}  // namespace convproof
