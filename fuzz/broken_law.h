#pragma once

#include <string>

namespace convproof::fuzz {

// A law of a fuzz target that does not hold for one input.
struct BrokenLaw {
  std::string law{};     // short and stable: what makes two of them the same
  std::string detail{};  // one line for people

  bool operator==(const BrokenLaw&) const = default;
};

}  // namespace convproof::fuzz
