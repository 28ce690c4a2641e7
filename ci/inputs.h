#pragma once

#include <span>
#include <string>
#include <vector>

#include "selector/frontends/document.h"
#include "selector/op/error.h"

namespace convproof::ci {

// Every convolution of the given files, in order, and what could not be read. A folder stands for
// the readable files below it, sorted by path.
struct Inputs {
  std::vector<FoundOp> ops{};
  std::vector<Error> errors{};
};

Inputs read_inputs(const std::vector<std::string>& paths);

// The formats read beside the core's own. Each program that reads inputs says which: fuzzing fleets
// have no library for them.
std::span<const DocumentFormat> further_formats();

}  // namespace convproof::ci
