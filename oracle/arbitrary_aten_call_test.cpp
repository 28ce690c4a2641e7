#include "oracle/arbitrary_aten_call.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "oracle/aten_check.h"
#include "oracle/aten_test_calls.h"
#include "oracle/draw.h"
#include "oracle/shrink_aten_call.h"
#include "selector/kernels/inductor/aten_geometry.h"
#include "selector/registry/aten_subject.h"

namespace convproof::oracle {
namespace {

AtenCall generated(std::uint64_t seed, const AtenGeneratorOptions& options = {}) {
  SplitMixDraw draw(seed);
  return arbitrary_aten_call(draw, options);
}

bool accepted(const AtenCall& call) {
  const AtenConvolution& conv = candidate_call(call, true).convolution;
  return (call.backward ? aten_backward_geometry(conv) : aten_geometry(conv)).has_value();
}

TEST(ArbitraryAtenCall, is_accepted_and_small) {
  const AtenGeneratorOptions options{.mixed_types = true};
  for (std::uint64_t seed = 1; seed <= 50'000; ++seed) {
    const AtenCall call = generated(seed, options);
    ASSERT_TRUE(accepted(call)) << seed << " " << to_string(call);
    const auto valid = validate(call);
    ASSERT_TRUE(valid) << seed << " " << to_string(call) << ": " << to_string(valid.error());
    ASSERT_LE(multiply_adds(*aten_geometry(candidate_call(call).convolution)),
              options.max_multiply_adds)
        << to_string(call);
  }
}

TEST(ArbitraryAtenCall, reaches_every_edge) {
  std::map<std::string, int> seen;
  constexpr std::uint64_t calls = 20'000;
  for (std::uint64_t seed = 1; seed <= calls; ++seed) {
    const AtenCall call = generated(seed, {.mixed_types = true});
    const AtenConvolution conv = candidate_call(call, true).convolution;
    const auto g = *aten_geometry(conv);
    const auto see = [&](const char* edge, bool there) { seen[edge] += there ? 1 : 0; };
    see("one spatial dimension", g.dims == 1);
    see("three spatial dimensions", g.dims == 3);
    see("backward", call.backward);
    see("transposed", g.transposed);
    see("output padding", g.transposed && std::ranges::max(g.output_padding) > 0);
    see("output padding that is ignored", !g.transposed && std::ranges::max(g.output_padding) > 0);
    see("no samples", g.batch == 0);
    see("no channels", g.input_channels == 0);
    see("one tap", g.taps() == 1);
    see("a dilated tap", g.taps() == 1 && std::ranges::max(g.dilation) > 1);
    see("dilated", g.taps() > 1 && std::ranges::max(g.dilation) > 1);
    see("grouped", g.groups > 1 && g.weight_columns > 1);
    see("depthwise", g.groups > 1 && g.weight_columns == 1 && g.weight_rows == g.groups);
    see("depthwise of one dimension", g.dims == 1 && !g.transposed && !call.backward &&
                                          g.groups > 1 && g.weight_columns == 1 &&
                                          g.weight_rows == g.groups);
    see("multiplied", g.groups > 1 && g.weight_columns == 1 && g.weight_rows > g.groups);
    for (const std::int64_t edge : {15, 16, 17}) {
      see("a block's edge in input channels", g.weight_columns == edge);
      see("a block's edge in output channels", g.weight_rows / g.groups == edge);
      see("a block's edge in groups", g.groups == edge);
      see("a block's edge in samples", g.batch == edge);
    }
    see("bias", conv.bias.has_value());
    see("bias on a cpu", conv.bias && call.environment.device == AtenDevice::cpu);
    see("unbatched", call.convolution.input.size() < call.convolution.weight.size());
    see("a short list", call.convolution.stride.size() < g.dims);
    see("channels last", call.input_format == MemoryFormat::channels_last);
    see("not packed", !call.input_packed);
    see("f64", conv.element_type == ElementType::f64);
    see("bf16", conv.element_type == ElementType::bf16);
    see("f16", conv.element_type == ElementType::f16);
    see("mixed types", conv.element_type != call.weight_element_type);
    see("bias gradient without sizes", call.backward && call.output_mask[2] && !call.bias_sizes);
    see("nothing wanted but the bias",
        call.backward && call.output_mask == std::array{false, false, true});
    see("xpu", call.environment.device == AtenDevice::xpu);
    see("ck", call.environment.ck_usable && call.environment.conv_ck);
    see("leftover",
        !g.transposed &&
            (g.input[2] + 2 * g.padding[2] - g.dilation[2] * (g.kernel[2] - 1) - 1) % g.stride[2] >
                g.padding[2]);
  }
  for (const auto& [edge, count] : seen) EXPECT_GT(count, 20) << edge;
}

// Calls moved off by one number: what the kernels' own reading of the arguments takes is what is
// well formed.
TEST(ArbitraryAtenCall, the_geometry_accepts_what_is_well_formed) {
  int refused = 0;
  for (std::uint64_t seed = 1; seed <= 20'000; ++seed) {
    AtenCall call = generated(seed, {.unbatched = false, .short_lists = false});
    SplitMixDraw draw(seed + 1);
    AtenConvolution& conv = call.convolution;
    const auto move = [&](auto& list) {
      const auto last = static_cast<std::int64_t>(list.size()) - 1;
      list[static_cast<std::size_t>(draw.between(0, last))] += draw.between(0, 1) == 0 ? -1 : 1;
    };
    switch (draw.between(0, 7)) {
      case 0:
        move(conv.input);
        break;
      case 1:
        move(conv.weight);
        break;
      case 2:
        move(conv.stride);
        break;
      case 3:
        move(conv.padding);
        break;
      case 4:
        move(conv.dilation);
        break;
      case 5:
        move(conv.output_padding);
        break;
      case 6:
        conv.groups += draw.between(0, 1) == 0 ? -1 : 1;
        break;
      default:
        conv.transposed = !conv.transposed;
        break;
    }
    if (conv.input[1] == 0) call.bias_sizes = true;
    const auto valid = validate(call);
    ASSERT_EQ(accepted(call), valid.has_value())
        << to_string(call) << (valid ? "" : ": " + to_string(valid.error()));
    refused += valid ? 0 : 1;
  }
  EXPECT_GT(refused, 2000);
}

TEST(ArbitraryAtenCall, keeps_to_its_options) {
  for (std::uint64_t seed = 1; seed <= 2000; ++seed) {
    const AtenCall call = generated(seed, {.empty_inputs = false,
                                           .unbatched = false,
                                           .short_lists = false,
                                           .backward = false,
                                           .transposed = true,
                                           .spatial_dims = 3,
                                           .environment = AtenEnvironment{}});
    ASSERT_FALSE(call.backward);
    ASSERT_TRUE(call.convolution.transposed);
    ASSERT_EQ(call.convolution.input.size(), 5U);
    ASSERT_GT(call.convolution.input[0], 0);
    ASSERT_EQ(call.convolution.stride.size(), 3U);
    ASSERT_EQ(call.environment, AtenEnvironment{});
  }
}

// Found by shrinking: a dilation that the dense template does not know.
TEST(ShrinkAtenCall, leaves_the_least_witness) {
  AtenChecker checker;
  const auto wrong = [&](const AtenCall& call) {
    return checker.check(candidate_call(call), "convolution2d", {}, 1).value ==
           CheckClass::different;
  };
  std::uint64_t shrunk = 0;
  for (std::uint64_t seed = 1; shrunk < 20; ++seed) {
    const AtenCall call = generated(seed, {.backward = false, .transposed = false});
    if (call.convolution.bias || !wrong(call)) continue;
    ++shrunk;
    const AtenCall result = shrink_aten_call(call, wrong);
    ASSERT_TRUE(wrong(result));
    EXPECT_EQ(result.environment, AtenEnvironment{}) << to_string(result);
    EXPECT_EQ(result.convolution.groups, 1) << to_string(result);
    EXPECT_EQ(result.convolution.input[0] * result.convolution.input[1], 1) << to_string(result);
    EXPECT_EQ(result.convolution.weight[0] * result.convolution.weight[1], 1) << to_string(result);
    EXPECT_EQ(result.convolution.weight[2] * result.convolution.weight[3], 2) << to_string(result);
    EXPECT_EQ(shrink_aten_call(result, wrong), result);
  }
}

TEST(ShrinkAtenCall, makes_everything_plain_that_does_not_matter) {
  const auto any = [](const AtenCall&) { return true; };
  for (std::uint64_t seed = 1; seed <= 500; ++seed) {
    const AtenCall result = shrink_aten_call(generated(seed, {.mixed_types = true}), any);
    AtenCall least = forward_call({1, 1, 1}, {1, 1, 1});
    least.backward = result.backward;
    if (result.backward) least.output_mask = {false, false, false};
    ASSERT_EQ(result, least) << seed << " " << to_string(result);
  }
}

// What the test asks for is kept, and the call stays one that eager execution accepts.
TEST(ShrinkAtenCall, stays_accepted) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const AtenCall call = generated(seed);
    const bool backward = call.backward;
    const bool last = call.environment.layout_optimization;
    const auto keeps = [&](const AtenCall& smaller) {
      EXPECT_TRUE(accepted(smaller)) << to_string(smaller);
      return smaller.backward == backward && smaller.environment.layout_optimization == last &&
             smaller.convolution.transposed == call.convolution.transposed &&
             smaller.convolution.groups == call.convolution.groups;
    };
    const AtenCall result = shrink_aten_call(call, keeps);
    EXPECT_TRUE(keeps(result));
    EXPECT_EQ(result.convolution.weight.size(), 3U);
  }
}

}  // namespace
}  // namespace convproof::oracle
