#include "selector/rules/located_error.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "selector/op/error.h"

namespace convproof {

std::string to_string(const LocatedError& error) {
  std::string text = to_string(error.error);
  if (error.column == 0) return text;
  // A line that is no plain text would move the caret; show what does not print as `?`.
  std::string line = error.source;
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  }
  // Columns count bytes; the caret stands below the character that starts there.
  std::string gap;
  for (std::size_t i = 0; i + 1 < error.column && i < line.size(); ++i) {
    const bool continues = (static_cast<unsigned char>(line[i]) & 0xc0) == 0x80;
    if (!continues) gap += ' ';
  }
  const std::size_t tail = std::max<std::size_t>(error.length, 1) - 1;
  return text + "\n  " + line + "\n  " + gap + "^" + std::string(tail, '~');
}

}  // namespace convproof
