#pragma once

#include <cstdint>
#include <span>

#include "selector/op/error.h"
#include "selector/rules/predicate.h"
#include "selector/rules/schema.h"

namespace convproof {

// The axioms as one predicate, a clause each, in their order.
Predicate axioms_predicate(const Schema& schema);

// What to report for a record that breaks `axiom`: its place, the value there if the place is a
// name of the schema, and its rule, in which `{NAME}` is replaced by the value of NAME.
Error axiom_error(const Axiom& axiom, const Schema& schema, std::span<const std::int64_t> record);

}  // namespace convproof
