#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace convproof {

// Element types in XLA's spelling. fp8 types are known by name and size only.
enum class ElementType : std::uint8_t {
  f64,
  f32,
  bf16,
  f16,
  f8e4m3fn,
  f8e5m2,
  s8,
  u8,
  s16,
  s32,
  s64
};

struct ElementTypeInfo {
  ElementType type{};
  std::string_view name{};
  int bytes = 0;
  bool integer = false;
};

// Written once: the parsers, the printers, the schema and the fills walk this table.
inline constexpr std::array element_types{
    ElementTypeInfo{ElementType::f64, "f64", 8, false},
    ElementTypeInfo{ElementType::f32, "f32", 4, false},
    ElementTypeInfo{ElementType::bf16, "bf16", 2, false},
    ElementTypeInfo{ElementType::f16, "f16", 2, false},
    ElementTypeInfo{ElementType::f8e4m3fn, "f8e4m3fn", 1, false},
    ElementTypeInfo{ElementType::f8e5m2, "f8e5m2", 1, false},
    ElementTypeInfo{ElementType::s8, "s8", 1, true},
    ElementTypeInfo{ElementType::u8, "u8", 1, true},
    ElementTypeInfo{ElementType::s16, "s16", 2, true},
    ElementTypeInfo{ElementType::s32, "s32", 4, true},
    ElementTypeInfo{ElementType::s64, "s64", 8, true},
};

const ElementTypeInfo& info(ElementType type);
std::string_view name_of(ElementType type);
std::optional<ElementType> element_type_named(std::string_view name);

}  // namespace convproof
