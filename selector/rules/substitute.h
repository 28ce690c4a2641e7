#pragma once

#include <optional>
#include <span>

#include "selector/rules/expression.h"

namespace convproof {

// The expression with each parameter `i` that `values[i]` gives an expression replaced by it.
// A value reads no variables of its surroundings; parameters past the end of `values` stay.
Expression substitute(const Expression& expression,
                      std::span<const std::optional<Expression>> values);

}  // namespace convproof
