#include "oracle/prime_field.h"

#include <cstdint>
#include <ostream>
#include <string>

#include <fmt/format.h>

namespace convproof::oracle {

std::string to_string(Field61 element) {
  constexpr std::uint64_t small = std::uint64_t{1} << 32;
  const std::uint64_t negated = (-element).value();
  if (negated != 0 && negated < small) return fmt::format("-{}", negated);
  return fmt::to_string(element.value());
}

std::ostream& operator<<(std::ostream& stream, Field61 element) {
  return stream << to_string(element);
}

}  // namespace convproof::oracle
