#include "selector/rules/schema.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "selector/rules/token.h"

namespace convproof {
namespace {

constexpr std::array<std::string_view, 15> words{
    "min",   "max",          "len",           "abs",  "all",   "any",  "sum",  "ceil_div",
    "range", "image_labels", "kernel_labels", "True", "False", "true", "false"};

}  // namespace

bool is_name(std::string_view text) {
  std::size_t position = 0;
  const Token token = next_token(text, position);
  return token.kind == TokenKind::name && token.spelling == text &&
         std::ranges::find(words, text) == words.end();
}

const Attribute* Schema::find_attribute(std::string_view name) const {
  const auto found = std::ranges::find(attributes, name, &Attribute::name);
  return found == attributes.end() ? nullptr : &*found;
}

bool Schema::has_name(std::string_view name) const {
  return find_attribute(name) != nullptr || std::ranges::find(words, name) != words.end() ||
         std::ranges::find(functions, name, &Function::name) != functions.end() ||
         std::ranges::find(definitions, name, &Definition::name) != definitions.end();
}

}  // namespace convproof
