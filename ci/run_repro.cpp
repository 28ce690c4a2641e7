#include <algorithm>
#include <cstdio>
#include <expected>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "ci/fuzz_request.h"
#include "ci/inputs.h"
#include "fuzz/reproducer.h"
#include "selector/frontends/document.h"

namespace convproof::ci {
namespace {

// A text form is only worth handing on if it reads back as the operation it was made from.
bool reads_back(std::string_view format, const std::string& text, const ConvOp& op) {
  const auto document =
      format == "hlo" ? read_hlo(text, "reproducer") : read_stablehlo(text, "reproducer");
  if (!document || document->ops.size() != 1 || !document->ops.front().op) return false;
  ConvOp expected = op;
  expected.is_pglt = false;
  return *document->ops.front().op == expected;
}

}  // namespace

int run_repro(const FuzzRequest& request) {
  const Inputs inputs = read_inputs(request.files);
  for (const Error& error : inputs.errors) fmt::print(stderr, "convproof: {}\n", to_string(error));
  if (!inputs.errors.empty()) return 2;
  if (inputs.ops.size() != 1) {
    fmt::print(stderr, "convproof repro: needs exactly one convolution, found {}\n",
               inputs.ops.size());
    return 2;
  }
  const FoundOp& found = inputs.ops.front();
  if (!found.op) {
    fmt::print(stderr, "convproof: {}\n", to_string(found.op.error()));
    return 2;
  }
  const auto* const format =
      std::ranges::find(fuzz::reproducer_formats, request.as, &fuzz::ReproducerFormat::name);
  const std::string text = format->print(*found.op);
  const bool is_text = format->name == "hlo" || format->name == "stablehlo";
  if (is_text && !reads_back(format->name, text, *found.op)) {
    fmt::print(stderr, "convproof repro: what was printed does not read back as {}\n",
               to_string(*found.op));
    return 3;
  }
  fmt::print("{}", text);
  return std::fflush(stdout) == 0 ? 0 : 3;
}

}  // namespace convproof::ci
