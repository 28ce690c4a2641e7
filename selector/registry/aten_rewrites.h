#pragma once

#include <span>
#include <string_view>

#include "selector/op/aten_call.h"

namespace convproof {

// What a rewrite row does to a call, by the name that rows carry as `action`. Its guard holds.
// `result` says what happens to the result of the changed call, in words that end a sentence.
struct AtenRewrite {
  std::string_view name{};
  void (*apply)(AtenCall& call) = nullptr;
  std::string_view result{};
};

// Source: design sheet of Inductor's convolution lowering, section B, steps B1, B3, B4 and B7.
std::span<const AtenRewrite> aten_rewrites();

const AtenRewrite* find_aten_rewrite(std::string_view name);

}  // namespace convproof
