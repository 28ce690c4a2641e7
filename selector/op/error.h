#pragma once

#include <string>

namespace convproof {

// What is wrong with an input, as a value: the place it stands at, the value found there, and the
// rule that the value breaks. Printed as `place = value: rule`; `value` may be empty.
//
// `place` is a path into the input: `window[1].stride`, `model.hlo:12:7`, `rows[3].match[0]`.
struct Error {
  std::string place{};
  std::string value{};
  std::string rule{};

  bool operator==(const Error&) const = default;
};

std::string to_string(const Error& error);

}  // namespace convproof
