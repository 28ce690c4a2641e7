#pragma once

#include <span>
#include <string>
#include <string_view>

namespace convproof {

// The name in `names` that `name` is most likely a slip for, or empty where none is near. The
// result borrows from `names`.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> names);
std::string_view nearest_name(std::string_view name, std::span<const std::string> names);

// ", did you mean `NAME`?" with the nearest name, or nothing: the end of a message.
std::string did_you_mean(std::string_view name, std::span<const std::string> names);

}  // namespace convproof
