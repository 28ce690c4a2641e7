#pragma once

#include <cstdint>
#include <optional>

#include "selector/rules/expression.h"
#include "selector/rules/schema.h"

namespace convproof {

// What an int can be while every attribute keeps to its bounds; wide where that is not easy to say.
Interval bounds(const Expression& expression, const Schema& schema);

// The length of a list that is the same for every record.
std::optional<std::uint32_t> exact_length(const Expression& expression, const Schema& schema);

}  // namespace convproof
