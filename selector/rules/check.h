#pragma once

#include <cstddef>
#include <expected>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "selector/rules/expression.h"
#include "selector/rules/located_error.h"
#include "selector/rules/predicate.h"
#include "selector/rules/schema.h"
#include "selector/rules/syntax.h"

namespace convproof {

// An expression may expand, through definitions, functions and comprehensions, to this many
// operations and this many levels, so that no reading of it runs away.
inline constexpr std::size_t max_weight = 10'000;
inline constexpr std::size_t max_height = 256;
// What a comprehension may run over.
inline constexpr std::uint32_t max_iterations = 64;

// What a text may name.
struct Scope {
  const Schema* schema = nullptr;
  std::span<const Parameter> parameters{};
  // Set while a function's body is checked: it sees these and the schema's functions only.
  std::span<const std::string> function_parameters{};
  bool in_function = false;
};

struct Checked {
  Expression expression{};
  std::size_t weight = 1;
  std::size_t height = 1;
};

// Settles names, types and limits. `text` is the source that the syntax came from, for errors.
std::expected<Checked, LocatedError> check(const Syntax& syntax, const Scope& scope,
                                           std::string_view text, std::string_view place);

}  // namespace convproof
