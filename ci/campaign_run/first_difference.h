#pragma once

#include <string>
#include <string_view>

namespace convproof::campaign {

// Where a result first differs, picked out of what a check says of it: `n=0 o=0 y=223 x=0` of
// `... elements differ, first n=0 o=0 y=223 x=0; ...` for a convolution, `element 12` of
// `... elements differ, the first is element 12` for a call of aten, whose results are compared in
// row-major order. Empty where the words name no element.
std::string first_difference_in(std::string_view detail);

}  // namespace convproof::campaign
