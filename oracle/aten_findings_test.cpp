// Where a guard of Inductor's lowering lets through what its kernel does not compute: each gap of
// the design sheet's section F that a model of values can show, on its witness.
#include <cstdint>
#include <initializer_list>
#include <string_view>

#include <gtest/gtest.h>

#include "oracle/aten_check.h"
#include "oracle/aten_test_calls.h"
#include "selector/kernels/inductor/template_limits.h"

namespace convproof::oracle {
namespace {

AtenVerdict check(const AtenCall& call, std::string_view kernel,
                  const TemplateConfiguration& configuration = {}) {
  AtenChecker checker;
  return checker.check(call, kernel, configuration, 11);
}

void expect_refused(const AtenVerdict& verdict, KernelFault fault, std::int64_t value,
                    std::int64_t limit) {
  ASSERT_EQ(verdict.value, CheckClass::rejected);
  EXPECT_EQ(verdict.refusal->fault, fault) << verdict.refusal->rule;
  EXPECT_EQ(verdict.refusal->value, value) << verdict.refusal->rule;
  EXPECT_EQ(verdict.refusal->limit, limit) << verdict.refusal->rule;
}

AtenCall ck_call(const Shape& input, const Shape& weight) {
  AtenCall call = forward_call(input, weight);
  call.convolution.padding = {1, 1};
  call.input_format = MemoryFormat::channels_last;
  call.environment.hip = call.environment.conv_ck = call.environment.ck_usable = true;
  call.environment.predicted_channels_last = true;
  return call;
}

TEST(InductorFindings, f1_the_library_computes_a_forward_convolution_for_a_transposed_call) {
  AtenCall call = ck_call({2, 64, 14, 14}, {64, 32, 3, 3});
  call.convolution.transposed = true;
  call.convolution.stride = {2, 2};
  call.convolution.output_padding = {1, 1};
  EXPECT_EQ(check(call, "ck_grouped_conv_fwd").value, CheckClass::different);
}

TEST(InductorFindings, f2_the_library_takes_total_channel_counts_for_those_of_each_group) {
  AtenCall call = ck_call({2, 64, 14, 14}, {64, 16, 3, 3});
  call.convolution.groups = 4;
  expect_refused(check(call, "ck_grouped_conv_fwd"), KernelFault::device_limit,
                 std::int64_t{4} * 2 * 64 * 14 * 14, std::int64_t{2} * 64 * 14 * 14);
  call.convolution.groups = 1;
  call.convolution.weight[1] = 64;
  EXPECT_EQ(check(call, "ck_grouped_conv_fwd").value, CheckClass::equal);
}

TEST(InductorFindings, f3_the_library_reads_a_slice_as_if_it_were_packed) {
  AtenCall call = ck_call({2, 4, 5, 5}, {3, 4, 3, 3});
  EXPECT_EQ(check(call, "ck_grouped_conv_fwd").value, CheckClass::equal);
  call.input_packed = false;
  EXPECT_EQ(check(call, "ck_grouped_conv_fwd").value, CheckClass::different);
  call.environment.predicted_channels_last = false;
  EXPECT_EQ(check(call, "ck_grouped_conv_fwd").value, CheckClass::different);
}

TEST(InductorFindings, f4_the_templates_drop_a_bias) {
  const auto biased = [](AtenCall call, std::int64_t groups) {
    call.convolution.bias = call.convolution.weight[0];
    call.convolution.groups = groups;
    call.environment.device = AtenDevice::cpu;
    return call;
  };
  const AtenCall plane = biased(forward_call({1, 2, 4, 4}, {3, 2, 3, 3}), 1);
  AtenVerdict verdict = check(plane, "convolution2d");
  EXPECT_EQ(verdict.value, CheckClass::different);
  EXPECT_EQ(verdict.differences, 12);
  EXPECT_EQ(verdict.first_difference, 0);
  EXPECT_EQ(check(plane, "aten_convolution").value, CheckClass::equal);
  const AtenCall deep = biased(forward_call({1, 2, 3, 3, 3}, {3, 2, 2, 2, 2}), 1);
  EXPECT_EQ(check(deep, "convolution3d").value, CheckClass::different);
  const AtenCall line = biased(forward_call({1, 3, 6}, {3, 1, 3}), 3);
  EXPECT_EQ(check(line, "depthwise_conv1d").value, CheckClass::different);
}

TEST(InductorFindings, f5_a_matrix_product_of_two_operands_takes_no_bias) {
  AtenCall call = forward_call({4, 3, 8, 8}, {16, 3, 1, 1});
  EXPECT_EQ(check(call, "conv1x1_via_mm").value, CheckClass::equal);
  call.environment.device = AtenDevice::cpu;
  call.convolution.bias = 16;
  expect_refused(check(call, "conv1x1_via_mm"), KernelFault::trace, 3, 2);
  EXPECT_EQ(check(call, "mm").value, CheckClass::equal);  // with the bias by column
}

TEST(InductorFindings, f6_the_matrix_product_permutes_four_axes_only) {
  expect_refused(check(forward_call({20, 16, 50}, {33, 16, 1}), "conv1x1_via_mm"),
                 KernelFault::assertion, 1, 2);
  const AtenCall deep = forward_call({2, 8, 4, 6, 6}, {16, 8, 1, 1, 1});
  expect_refused(check(deep, "conv1x1_via_mm"), KernelFault::assertion, 3, 2);
  EXPECT_EQ(check(deep, "mm").value, CheckClass::equal);
}

TEST(InductorFindings, f7_a_channel_offset_does_not_fit_32_bits) {
  AtenCall call = forward_call({1, 514, 2048, 2048}, {1, 514, 3, 3});
  call.convolution.padding = {1, 1};
  call.convolution.element_type = call.weight_element_type = ElementType::f16;
  expect_refused(check(call, "convolution2d"), KernelFault::device_limit, 2'151'677'952,
                 2'147'483'647);
  AtenCall backward = call;
  backward.backward = true;
  expect_refused(check(backward, "convolution_backward_weight"), KernelFault::device_limit,
                 2'151'677'952, 2'147'483'647);
  // Too large to run, and refused by nothing.
  call.environment.predicted_channels_last = true;
  EXPECT_EQ(check(call, "convolution2d").value, CheckClass::skipped);
  call.environment.predicted_channels_last = false;
  call.convolution.input[1] = call.convolution.weight[1] = 512;
  EXPECT_EQ(check(call, "convolution2d").value, CheckClass::skipped);
}

TEST(InductorFindings, f8_a_sample_offset_does_not_fit_32_bits) {
  AtenCall call = backward_call({2049, 64, 128, 128}, {64, 64, 3, 3});
  call.convolution.padding = {1, 1};
  for (const std::string_view kernel :
       {"convolution_backward_weight", "convolution_backward_input"}) {
    expect_refused(check(call, kernel), KernelFault::device_limit, 2'147'483'648, 2'147'483'647);
  }
  call.convolution.input[0] = 2048;
  for (const std::string_view kernel :
       {"convolution_backward_weight", "convolution_backward_input"}) {
    EXPECT_EQ(check(call, kernel).value, CheckClass::skipped);
  }
  // A result of a quarter the size: its own samples are near enough.
  call.convolution.input[0] = 2049;
  call.convolution.stride = {2, 2};
  expect_refused(check(call, "convolution_backward_weight"), KernelFault::device_limit,
                 2'147'483'648, 2'147'483'647);
  EXPECT_EQ(check(call, "convolution_backward_input").value, CheckClass::skipped);
}

TEST(InductorFindings, f9_groups_and_channel_blocks_are_grid_extents) {
  AtenCall call = forward_call({1, 65536, 1, 1}, {65536, 1, 1, 1});
  call.convolution.groups = 65536;
  expect_refused(check(call, "convolution2d", {.block_n = 64}), KernelFault::device_limit, 65536,
                 65535);
  AtenCall wide = forward_call({1, 1, 1, 1}, {1 << 20, 1, 1, 1});
  expect_refused(check(wide, "convolution2d"), KernelFault::device_limit, 65536, 65535);
  EXPECT_EQ(check(wide, "convolution2d", {.block_n = 32}).value, CheckClass::equal);
  call.backward = true;
  for (const std::string_view kernel :
       {"convolution_backward_weight", "convolution_backward_input"}) {
    expect_refused(check(call, kernel), KernelFault::device_limit, 65536, 65535);
  }
  call.backward = false;
  call.convolution.groups = call.convolution.input[1] = call.convolution.weight[0] = 65535;
  EXPECT_EQ(check(call, "convolution2d", {.block_n = 64}).value, CheckClass::equal);
}

TEST(InductorFindings, f10_blocks_of_positions_are_a_grid_extent) {
  AtenCall call = forward_call({1, 1, 2'097'121}, {1, 1, 1});
  const TemplateConfiguration tiling{16, 32, 32, 4, 8};
  expect_refused(check(call, "depthwise_conv1d", tiling), KernelFault::device_limit, 65536, 65535);
  EXPECT_TRUE(depthwise_conv1d_limits(call, {16, 64, 32, 4, 8}).has_value());
  call.convolution.input[2] = 2'097'120;
  EXPECT_EQ(check(call, "depthwise_conv1d", tiling).value, CheckClass::equal);
}

TEST(InductorFindings, f13_and_f30_operands_of_unlike_types_do_not_compile) {
  AtenCall call = forward_call({1, 2, 4, 4}, {3, 2, 3, 3});
  call.weight_element_type = ElementType::f16;
  expect_refused(check(call, "convolution2d"), KernelFault::trace, 2, 4);
  call.backward = true;
  expect_refused(check(call, "convolution_backward_input"), KernelFault::trace, 2, 4);
  call.convolution.element_type = ElementType::f64;
  call.weight_element_type = ElementType::f32;
  expect_refused(check(call, "convolution_backward_weight"), KernelFault::trace, 8, 4);
}

TEST(InductorFindings, f16_what_is_empty_is_refused_or_equal) {
  AtenCall no_channels = forward_call({1, 0, 8, 8}, {2, 0, 1, 1});
  expect_refused(check(no_channels, "convolution2d"), KernelFault::trace, 0, 1);
  EXPECT_EQ(check(no_channels, "conv1x1_via_mm").value, CheckClass::equal);
  EXPECT_EQ(check(no_channels, "aten_convolution").value, CheckClass::equal);
  const AtenCall no_samples = forward_call({0, 4, 7, 7}, {8, 4, 1, 1});
  EXPECT_EQ(check(no_samples, "convolution2d").value, CheckClass::equal);
  EXPECT_EQ(check(no_samples, "conv1x1_via_mm").value, CheckClass::equal);
  AtenCall gradients = backward_call({0, 4, 7, 7}, {8, 4, 3, 3});
  EXPECT_EQ(check(gradients, "convolution_backward_weight").value, CheckClass::equal);  // zeros
  EXPECT_EQ(check(gradients, "convolution_backward_input").value, CheckClass::equal);
}

// Section D.3: the path decides of what length the gradient of the bias is.
TEST(InductorFindings, the_sum_for_the_bias_is_too_short_where_there_are_no_channels) {
  AtenCall call = backward_call({2, 8, 5, 5}, {8, 8, 3, 3});
  call.output_mask = {true, true, true};
  EXPECT_EQ(check(call, "bias_gradient_sum").value, CheckClass::equal);
  EXPECT_EQ(check(call, "aten_convolution_backward").value, CheckClass::equal);

  AtenCall empty = backward_call({1, 0, 8, 8}, {2, 0, 1, 1});
  empty.output_mask = {true, true, true};
  EXPECT_EQ(check(empty, "bias_gradient_sum").value, CheckClass::invalid);
  empty.bias_sizes = true;
  const AtenVerdict verdict = check(empty, "bias_gradient_sum");
  EXPECT_EQ(verdict.value, CheckClass::different);
  EXPECT_EQ(verdict.differences, 2);
  EXPECT_EQ(verdict.result, InductorResult::bias_gradient);
  EXPECT_EQ(check(empty, "aten_convolution_backward").value, CheckClass::equal);
}

std::int64_t spread(const AtenCall& call, std::string_view kernel, std::int64_t place = 0) {
  AtenChecker checker;
  const AtenVerdict verdict = checker.check_special(call, kernel, {}, 3, place);
  EXPECT_TRUE(verdict.value == CheckClass::equal || verdict.value == CheckClass::different);
  EXPECT_EQ(verdict.value == CheckClass::equal, verdict.differences == 0);
  return verdict.differences;
}

TEST(InductorFindings, f11_and_f29_masked_lanes_meet_an_infinity) {
  AtenCall strided = backward_call({1, 1, 4, 4}, {1, 1, 3, 3});
  strided.convolution.stride = {2, 2};
  strided.convolution.padding = {1, 1};
  EXPECT_EQ(spread(strided, "convolution_backward_input"), 15);
  EXPECT_EQ(spread(strided, "aten_convolution_backward"), 0);

  AtenCall padded = forward_call({1, 1, 4, 4}, {1, 1, 3, 3});
  padded.convolution.padding = {1, 1};
  EXPECT_EQ(spread(padded, "convolution2d"), 7);
  EXPECT_EQ(spread(padded, "convolution2d", 4), 0);  // the tap in the middle meets no padding
  EXPECT_EQ(spread(padded, "aten_convolution"), 0);
  padded.convolution.padding = {0, 0};
  EXPECT_EQ(spread(padded, "convolution2d"), 0);

  // Of the taps of the two channels, those of the first are planted: one result each meets padding.
  AtenCall line = forward_call({1, 2, 6}, {2, 1, 3});
  line.convolution.groups = 2;
  line.convolution.padding = {1};
  EXPECT_EQ(spread(line, "depthwise_conv1d", 0), 1);
  EXPECT_EQ(spread(line, "depthwise_conv1d", 3), 1);
  EXPECT_EQ(spread(line, "depthwise_conv1d", 1), 0);

  AtenCall deep = forward_call({1, 1, 2, 2, 2}, {1, 1, 3, 3, 3});
  deep.convolution.padding = {1, 1, 1};
  EXPECT_EQ(spread(deep, "convolution3d"), 7);

  // An infinity at the first result position: taps of row 0 or column 0 lie in the padding.
  AtenCall weight = backward_call({1, 1, 4, 4}, {1, 1, 3, 3});
  weight.convolution.padding = {1, 1};
  EXPECT_EQ(spread(weight, "convolution_backward_weight"), 5);
  EXPECT_EQ(spread(weight, "bias_gradient_sum"), 0);
}

}  // namespace
}  // namespace convproof::oracle
