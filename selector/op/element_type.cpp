#include "selector/op/element_type.h"

#include <cstddef>
#include <optional>
#include <string_view>

namespace convproof {

const ElementTypeInfo& info(ElementType type) {
  return element_types[static_cast<std::size_t>(type)];
}

std::string_view name_of(ElementType type) { return info(type).name; }

std::optional<ElementType> element_type_named(std::string_view name) {
  for (const ElementTypeInfo& entry : element_types) {
    if (entry.name == name) return entry.type;
  }
  return std::nullopt;
}

}  // namespace convproof
