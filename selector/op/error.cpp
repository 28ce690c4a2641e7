#include "selector/op/error.h"

#include <string>

namespace convproof {

std::string to_string(const Error& error) {
  std::string text = error.place;
  if (!error.value.empty()) text += " = " + error.value;
  return text + ": " + error.rule;
}

}  // namespace convproof
