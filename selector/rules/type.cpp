#include "selector/rules/type.h"

#include <string>

#include <fmt/format.h>

namespace convproof {

std::string to_string(const Type& type) {
  if (type.is_list()) return fmt::format("list[{}]", to_string(type.element()));
  switch (type.scalar) {
    case ScalarType::boolean:
      return "bool";
    case ScalarType::integer:
      return "int";
    case ScalarType::enumeration:
      return "enum";
    case ScalarType::unknown:
      break;
  }
  return "?";
}

}  // namespace convproof
