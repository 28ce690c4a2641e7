// Every kernel of Inductor's lowering, on every configuration, against the definition in the field.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "oracle/arbitrary_aten_call.h"
#include "oracle/aten_check.h"
#include "oracle/aten_test_calls.h"
#include "oracle/draw.h"
#include "selector/kernels/inductor/aten_geometry.h"
#include "selector/kernels/inductor/inductor_kernels.h"
#include "selector/kernels/inductor/template_limits.h"

namespace convproof::oracle {
namespace {

// What each kernel needs of a call to be right.
// Source: design sheet of Inductor's convolution lowering, sections C, D and E, contracts.
bool contract_holds(std::string_view kernel, const AtenCall& call) {
  const auto geometry = aten_geometry(call.convolution);
  if (!geometry) return false;
  const AtenGeometry& g = *geometry;
  const bool pointwise = g.taps() == 1 && g.stride == AtenGeometry::Spatial{1, 1, 1} &&
                         g.padding == AtenGeometry::Spatial{} && !g.transposed && g.groups == 1;
  bool dilated = false;
  for (std::size_t d = 0; d < max_spatial_dims; ++d) {
    dilated = dilated || (g.dilation[d] > 1 && g.kernel[d] > 1);
  }
  const bool plain = !g.transposed && !dilated && !call.convolution.bias && g.input_channels > 0;
  const bool tiles = call.convolution.element_type != ElementType::f64;
  if (kernel == "aten_convolution") return !call.backward;
  if (kernel == "aten_convolution_backward") return call.backward;
  if (kernel == "bias_gradient_sum") return call.backward && g.input_channels > 0;
  if (kernel == "convolution_backward_weight" || kernel == "convolution_backward_input") {
    return call.backward && g.dims == 2 && !g.transposed && tiles && g.input_channels > 0;
  }
  if (call.backward) return false;
  if (kernel == "conv1x1_via_mm") return pointwise && g.dims == 2 && !call.convolution.bias;
  if (kernel == "mm") return pointwise && g.batch > 0 && g.input_channels > 0;
  if (kernel == "depthwise_conv1d") {
    return plain && g.dims == 1 && g.weight_columns == 1 && g.weight_rows == g.groups;
  }
  if (kernel == "convolution2d") return plain && tiles && g.dims == 2;
  if (kernel == "convolution3d") return plain && tiles && g.dims == 3;
  if (kernel == "ck_grouped_conv_fwd") {
    return !g.transposed && g.groups == 1 && g.dims == 2 && call.input_packed &&
           !call.convolution.bias && g.input_channels > 0;
  }
  ADD_FAILURE() << kernel;
  return false;
}

std::vector<TemplateConfiguration> configurations(std::string_view kernel, const AtenCall& call) {
  if (kernel == "depthwise_conv1d") {
    return {depthwise_configurations.begin(), depthwise_configurations.end()};
  }
  if (kernel != "convolution2d" && kernel != "convolution3d" &&
      kernel != "convolution_backward_weight" && kernel != "convolution_backward_input") {
    return {{}};
  }
  std::vector<TemplateConfiguration> result = clamped_configurations(call);
  if (call.backward) return result;
  const std::size_t count = result.size();
  for (std::size_t i = 0; i < count; ++i) {  // both loop forms
    result.push_back(result[i]);
    result.back().unroll = true;
  }
  return result;
}

// Runs all kernels on generated calls and counts the runs of each.
std::map<std::string, std::int64_t> run_all(const AtenGeneratorOptions& options,
                                            std::uint64_t calls) {
  std::map<std::string, std::int64_t> runs;
  AtenChecker checker;
  for (std::uint64_t seed = 1; seed <= calls; ++seed) {
    SplitMixDraw draw(seed);
    const AtenCall generated = arbitrary_aten_call(draw, options);
    for (const auto& kernel : inductor_kernels<Field61>()) {
      const AtenCall call = candidate_call(generated, kernel.name == "mm");
      if (!contract_holds(kernel.name, call)) continue;
      for (const TemplateConfiguration& configuration : configurations(kernel.name, call)) {
        const AtenVerdict verdict = checker.check(call, kernel.name, configuration, seed);
        if (verdict.value != CheckClass::equal) {
          ADD_FAILURE() << kernel.name << " " << to_string(call) << " seed " << seed << ": "
                        << name_of(verdict.value) << " first " << verdict.first_difference << " of "
                        << verdict.differences << " "
                        << (verdict.refusal ? to_string(*verdict.refusal) : "");
          return runs;
        }
        ++runs[std::string(kernel.name)];
      }
    }
  }
  return runs;
}

TEST(InductorKernels, are_right_on_every_configuration_where_their_contract_holds) {
  const auto runs = run_all({.max_multiply_adds = 1024}, 6000);
  EXPECT_EQ(runs.size(), inductor_kernels<Field61>().size());
  for (const auto& [kernel, count] : runs) EXPECT_GT(count, 100) << kernel;
}

// Extents beyond one block of every axis, so that several programs run along each.
TEST(InductorKernels, are_right_across_several_blocks) {
  AtenChecker checker;
  std::int64_t runs = 0;
  const auto check = [&](const AtenCall& call, std::string_view kernel,
                         const TemplateConfiguration& configuration) {
    const AtenVerdict verdict = checker.check(call, kernel, configuration, 5);
    EXPECT_EQ(verdict.value, CheckClass::equal) << kernel << " " << to_string(call);
    ++runs;
  };
  for (const bool channels_last : {false, true}) {
    for (const bool packed : {false, true}) {
      for (const bool unroll : {false, true}) {
        const TemplateConfiguration smallest{.unroll = unroll};
        const auto laid_out = [&](AtenCall call) {
          call.environment.predicted_channels_last = channels_last;
          call.input_packed = packed;
          return call;
        };
        AtenCall dense = laid_out(forward_call({2, 36, 5, 6}, {40, 18, 3, 2}));
        dense.convolution.groups = 2;
        dense.convolution.stride = {2, 1};
        dense.convolution.padding = {1, 2};
        check(dense, "convolution2d", smallest);
        dense.backward = true;
        dense.convolution.dilation = {1, 3};
        check(dense, "convolution_backward_weight", smallest);
        check(dense, "convolution_backward_input", smallest);
        AtenCall deep = forward_call({2, 17, 3, 4, 3}, {33, 17, 2, 3, 1});
        deep.convolution.padding = {1, 1, 0};
        deep.input_packed = packed;
        check(deep, "convolution3d", smallest);
      }
    }
  }
  AtenCall depthwise = forward_call({33, 70, 41}, {70, 1, 3});
  depthwise.convolution.groups = 70;
  depthwise.convolution.padding = {2};
  depthwise.convolution.stride = {2};
  for (const TemplateConfiguration& configuration : depthwise_configurations) {
    check(depthwise, "depthwise_conv1d", configuration);
  }
  EXPECT_EQ(runs, 32 + 15);
}

// The worked shape of the report on eight warps: values do not depend on the number of warps here.
TEST(InductorKernels, the_flattened_loop_is_right_at_eight_warps_as_a_model_of_values) {
  AtenCall call = forward_call({2, 33, 34, 41}, {34, 33, 3, 3});
  call.convolution.stride = {2, 3};
  call.convolution.padding = {4, 5};
  AtenChecker checker;
  EXPECT_EQ(checker.check(call, "convolution2d", {1024, 16, 16, 1, 8}, 1).value, CheckClass::equal);
}

std::int64_t accepted_by_shared_memory(ElementType type, std::int64_t bytes) {
  AtenCall call = forward_call({32, 256, 64, 64}, {256, 256, 3, 3});
  call.convolution.element_type = call.weight_element_type = type;
  call.environment.shared_memory = bytes;
  return std::ranges::count_if(convolution_configurations, [&](const auto& configuration) {
    return convolution2d_limits(call, configuration).has_value();
  });
}

// Design sheet of Inductor's convolution lowering, section C.2, step 4.
TEST(InductorLimits, shared_memory_drops_the_configurations_that_the_lowering_drops) {
  EXPECT_EQ(accepted_by_shared_memory(ElementType::f16, 232'448), 17);
  EXPECT_EQ(accepted_by_shared_memory(ElementType::f16, 166'912), 13);
  EXPECT_EQ(accepted_by_shared_memory(ElementType::f32, 232'448), 12);
  EXPECT_EQ(accepted_by_shared_memory(ElementType::f32, 166'912), 7);
  EXPECT_EQ(accepted_by_shared_memory(ElementType::f32, 0), 17);
}

TEST(InductorLimits, blocks_are_powers_of_two_and_not_too_small) {
  const AtenCall call = forward_call({1, 2, 4, 4}, {3, 2, 3, 3});
  EXPECT_TRUE(convolution2d_limits(call, {}).has_value());
  for (const std::int64_t block : {0, 8, 24, -16}) {
    for (const TemplateConfiguration& configuration :
         {TemplateConfiguration{.block_m = block}, TemplateConfiguration{.block_n = block},
          TemplateConfiguration{.block_k = block}}) {
      const KernelResult result = convolution2d_limits(call, configuration);
      ASSERT_FALSE(result) << block;
      EXPECT_EQ(result.error().fault, KernelFault::trace);
    }
  }
  AtenCall depthwise = forward_call({1, 2, 6}, {2, 1, 3});
  depthwise.convolution.groups = 2;
  EXPECT_TRUE(depthwise_conv1d_limits(depthwise, {8, 8, 8}).has_value());
  EXPECT_FALSE(depthwise_conv1d_limits(depthwise, {8, 12, 8}).has_value());
}

TEST(InductorLimits, extreme_extents_neither_overflow_nor_touch_memory) {
  constexpr std::int64_t most = 2'147'483'647;
  AtenCall call = forward_call({most, 1, most, most}, {1, 1, most, most});
  AtenChecker checker;
  for (const auto& kernel : inductor_kernels<Field61>()) {
    call.backward = kernel.produces != InductorResult::output;
    EXPECT_EQ(checker.check(call, kernel.name, {}, 1).value, CheckClass::invalid) << kernel.name;
    AtenCall large = forward_call({1, 1, 1, 1 << 30}, {1, 1, 1, 1 << 29});
    large.backward = call.backward;
    const CheckClass value = checker.check(large, kernel.name, {}, 1).value;
    EXPECT_TRUE(value == CheckClass::skipped || value == CheckClass::rejected) << kernel.name;
  }
}

}  // namespace
}  // namespace convproof::oracle
