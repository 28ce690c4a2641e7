#include <array>
#include <span>

#include "ci/inputs.h"
#include "selector/frontends/onnx/read_onnx.h"

namespace convproof::ci {

std::span<const DocumentFormat> further_formats() {
  static constexpr std::array formats{onnx_format};
  return formats;
}

}  // namespace convproof::ci
