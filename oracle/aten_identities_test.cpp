// Identities of Inductor's templates with other operations, which a table may come to rely on.
// Source: design sheet of Inductor's convolution lowering, section E.5 and section F, row F22.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "oracle/arbitrary_aten_call.h"
#include "oracle/aten_execution.h"
#include "oracle/draw.h"
#include "oracle/fill.h"
#include "oracle/prime_field.h"
#include "oracle/random.h"
#include "selector/kernels/inductor/aten_geometry.h"
#include "selector/kernels/inductor/inductor_kernels.h"
#include "selector/op/aten_call.h"
#include "selector/op/element_type.h"
#include "selector/op/tensor.h"

namespace convproof::oracle {
namespace {

// Operands of a forward call on random elements and what the definition makes of them.
struct Forward {
  std::vector<Field61> input{};
  std::vector<Field61> weight{};
  std::vector<Field61> output{};
};

Forward forward(const AtenCall& call, const AtenGeometry& geometry, std::uint64_t seed) {
  AtenExecution<Field61> execution;
  execution.prepare(call, geometry);
  SplitMix64 random(seed);
  const auto operands = execution.operands();
  for (const std::span<Field61> operand : operands) fill_uniform(random, operand);
  execution.filled();
  Forward made;
  made.input.assign(operands[0].begin(), operands[0].end());
  made.weight.assign(operands[1].begin(), operands[1].end());
  execution.each(InductorResult::output, [&](std::size_t, const Field61& expected, const Field61&) {
    made.output.push_back(expected);
  });
  return made;
}

// The call whose gradient of the input a transposed call computes: from the result's extents back
// to the input's.
AtenCall opposite(const AtenCall& transposed, const Shape& result) {
  AtenCall call = transposed;
  call.backward = true;
  call.output_mask = {true, false, false};
  call.convolution.input = result;
  call.convolution.transposed = false;
  call.convolution.output_padding =
      SpatialList::filled(transposed.convolution.output_padding.size(), 0);
  return call;
}

TEST(InductorIdentities, the_input_gradient_template_computes_a_transposed_forward_call) {
  std::size_t calls = 0;
  std::size_t with_output_padding = 0;
  std::size_t with_dilation = 0;
  std::size_t with_groups = 0;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    SplitMixDraw draw(seed);
    AtenCall call = arbitrary_aten_call(draw, {.empty_inputs = false,
                                               .unbatched = false,
                                               .short_lists = false,
                                               .backward = false,
                                               .transposed = true,
                                               .spatial_dims = 2,
                                               .environment = AtenEnvironment{}});
    // A type that tiles are multiplied in.
    call.convolution.element_type = ElementType::f32;
    call.weight_element_type = ElementType::f32;
    call.convolution.bias.reset();
    call.input_format = MemoryFormat::contiguous;
    call.input_packed = true;
    // A whole step of output padding leads back to a larger input.
    const auto& padding = call.convolution.output_padding;
    const auto& stride = call.convolution.stride;
    if (padding[0] >= stride[0] || padding[1] >= stride[1]) continue;
    ++calls;
    const auto geometry = aten_geometry(call.convolution);
    ASSERT_TRUE(geometry) << call;
    const Forward expected = forward(call, *geometry, seed);

    const AtenCall gradient = opposite(call, aten_result_shape(*geometry));
    const auto back = aten_backward_geometry(gradient.convolution);
    ASSERT_TRUE(back) << gradient;
    ASSERT_EQ(aten_result_shape(*back), call.convolution.input) << gradient;
    const auto* const kernel = find_inductor_kernel<Field61>("convolution_backward_input");
    ASSERT_NE(kernel, nullptr);
    ASSERT_TRUE(kernel->limits(gradient, {})) << gradient;
    AtenExecution<Field61> execution;
    execution.prepare(gradient, *back);
    std::ranges::copy(expected.input, execution.grad_output().begin());
    std::ranges::copy(expected.weight, execution.weight().begin());
    execution.filled();
    ASSERT_TRUE(execution.run(*kernel, {}, Field61(7))) << gradient;
    std::size_t differences = 0;
    execution.each(InductorResult::input_gradient,
                   [&](std::size_t index, const Field61&, const Field61& actual) {
                     differences += actual == expected.output[index] ? 0 : 1;
                   });
    EXPECT_EQ(differences, 0U) << call << "\n" << gradient;

    const AtenConvolution& conv = call.convolution;
    with_output_padding += conv.output_padding[0] + conv.output_padding[1] > 0 ? 1 : 0;
    with_dilation += conv.dilation[0] + conv.dilation[1] > 2 ? 1 : 0;
    with_groups += conv.groups > 1 ? 1 : 0;
  }
  // What the identity is about occurs.
  EXPECT_GT(calls, 200U);
  EXPECT_GT(with_output_padding, 20U);
  EXPECT_GT(with_dilation, 20U);
  EXPECT_GT(with_groups, 20U);
}

}  // namespace
}  // namespace convproof::oracle
