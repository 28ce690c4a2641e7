#pragma once

#include <cstddef>
#include <string>

#include "selector/op/error.h"

namespace convproof {

// An error with the line it was found in. `column` counts bytes from 1 and is 0 where there is no
// line to show; `error.place` then ends in `:COLUMN`.
struct LocatedError {
  Error error{};
  std::string source{};
  std::size_t column = 0;
  std::size_t length = 0;

  bool operator==(const LocatedError&) const = default;
};

// The error on one line; where there is a source line, that line and a caret below it:
//   rows[3].match[0]:1 = fgcc: unknown name, did you mean `fgc`?
//     fgcc == 1
//     ^~~~
std::string to_string(const LocatedError& error);

}  // namespace convproof
