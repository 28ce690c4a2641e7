#include "selector/op/aten_call.h"

#include <gtest/gtest.h>

namespace convproof {
namespace {

AtenCall call() {
  AtenCall call;
  call.convolution.input = {2, 8, 9, 9};
  call.convolution.weight = {4, 8, 3, 3};
  call.convolution.stride = {1, 1};
  call.convolution.padding = {0, 0};
  call.convolution.dilation = {1, 1};
  call.convolution.output_padding = {0, 0};
  return call;
}

TEST(AtenCall, prints_what_is_not_neutral) {
  EXPECT_EQ(to_string(call()), "f32[2,8,9,9] * [4,8,3,3]");
  AtenCall other = call();
  other.convolution.padding = {1, 2};
  other.convolution.bias = 4;
  other.convolution.element_type = ElementType::f16;
  other.environment.device = AtenDevice::cpu;
  other.environment.conv_aten = false;
  other.environment.cpu_triton = true;
  EXPECT_EQ(to_string(other),
            "f16[2,8,9,9] * f32[4,8,3,3], padding=1_2, bias; cpu, no conv_aten, cpu_triton");
}

TEST(AtenCall, prints_the_mask_of_a_backward_call) {
  AtenCall backward = call();
  backward.backward = true;
  backward.output_mask = {true, false, true};
  EXPECT_EQ(to_string(backward), "backward of f32[2,8,9,9] * [4,8,3,3], mask=101");
}

}  // namespace
}  // namespace convproof
