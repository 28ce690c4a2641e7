// The aten operator: its reference, the general convolutions it is translated to, the eager model,
// and the rewrites of the lowering that must not change a value.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "oracle/arbitrary_aten_call.h"
#include "oracle/aten_check.h"
#include "oracle/aten_reference.h"
#include "props/laws/canonical.h"
#include "props/laws/rapidcheck_draw.h"
#include "selector/frontends/aten.h"
#include "selector/kernels/inductor/aten_geometry.h"
#include "selector/registry/aten_rewrites.h"

namespace convproof::laws {
namespace {

rc::Gen<AtenCall> aten_call(const oracle::AtenGeneratorOptions& options) {
  return rc::gen::exec([options] {
    RapidCheckDraw draw;
    return oracle::arbitrary_aten_call(draw, options);
  });
}

// Arguments that both directions accept, with channels: no convolution describes the input without.
AtenConvolution arguments() {
  const AtenCall call = *aten_call({.unbatched = false, .backward = true});
  AtenConvolution conv = call.convolution;
  RC_PRE(conv.input[1] > 0);
  return conv;
}

// The arguments with random tensors of their shapes.
struct AtenCase {
  AtenCase(const AtenConvolution& arguments, std::uint64_t seed)
      : random(seed),
        conv(arguments),
        geometry(aten_geometry(arguments).value()),
        input(random_tensor(random, conv.input)),
        weight(random_tensor(random, conv.weight)),
        cotangent(random_tensor(random, aten_result_shape(geometry))) {}

  FieldTensor result() const {
    FieldTensor to = oracle::zeros<Element>(cotangent.shape);
    oracle::AtenReference<Element>(geometry).forward(input.elements, weight.elements, to.elements);
    return to;
  }
  FieldTensor input_gradient() const {
    FieldTensor to = oracle::zeros<Element>(input.shape);
    oracle::AtenReference<Element>(geometry).input_gradient(cotangent.elements, weight.elements,
                                                            to.elements);
    return to;
  }
  FieldTensor weight_gradient() const {
    FieldTensor to = oracle::zeros<Element>(weight.shape);
    oracle::AtenReference<Element>(geometry).weight_gradient(cotangent.elements, input.elements,
                                                             to.elements);
    return to;
  }

  oracle::SplitMix64 random;
  AtenConvolution conv;
  AtenGeometry geometry;
  FieldTensor input;
  FieldTensor weight;
  FieldTensor cotangent;
};

// The weight as a convolution against its direction takes it: groups and rows exchanged.
FieldTensor regrouped(const FieldTensor& weight, std::int64_t groups) {
  const std::int64_t rows = weight.shape[0] / groups;
  const std::int64_t columns = weight.shape[1];
  return gather(weight, regrouped_shape(weight.shape, groups), [=](Shape place) {
    place[0] += place[1] / columns * rows;
    place[1] %= columns;
    return place;
  });
}

FieldTensor general(const ConvOp& op, const FieldTensor& image, const FieldTensor& kernel) {
  RC_ASSERT(op.in_shape == image.shape);
  RC_ASSERT(op.kern_shape == kernel.shape);
  FieldTensor result = oracle::zeros<Element>(op.res_shape);
  oracle::convolve(op, image.view(), kernel.view(), result.view());
  return result;
}

void tag(const AtenConvolution& conv, const ConvOp& op) {
  const bool cropped = std::ranges::any_of(
      op.window, [](const WindowDim& window) { return window.pad_low < 0 || window.pad_high < 0; });
  RC_CLASSIFY(cropped, "a negative padding");
  RC_CLASSIFY(conv.transposed, "transposed");
  RC_CLASSIFY(conv.groups > 1, "groups");
}

RC_GTEST_PROP(Aten, the_general_convolution_of_the_result_is_the_definition, (std::uint64_t seed)) {
  const AtenCase at(arguments(), seed);
  const ConvOp op = aten_forward(at.conv).value();
  tag(at.conv, op);
  RC_ASSERT(general(op, at.input,
                    at.conv.transposed ? regrouped(at.weight, at.conv.groups) : at.weight) ==
            at.result());
}

RC_GTEST_PROP(Aten, the_general_convolution_of_the_input_gradient_is_the_definition,
              (std::uint64_t seed)) {
  const AtenCase at(arguments(), seed);
  const ConvOp op = aten_input_gradient(at.conv).value();
  tag(at.conv, op);
  RC_ASSERT(general(op, at.cotangent,
                    at.conv.transposed ? at.weight : regrouped(at.weight, at.conv.groups)) ==
            at.input_gradient());
}

RC_GTEST_PROP(Aten, the_general_convolution_of_the_weight_gradient_is_the_definition,
              (std::uint64_t seed)) {
  const AtenCase at(arguments(), seed);
  const ConvOp op = aten_weight_gradient(at.conv).value();
  tag(at.conv, op);
  RC_ASSERT((at.conv.transposed ? general(op, at.cotangent, at.input)
                                : general(op, at.input, at.cotangent)) == at.weight_gradient());
}

RC_GTEST_PROP(Aten, the_gradients_are_adjoint, (std::uint64_t seed)) {
  const AtenCase at(arguments(), seed);
  const Element product = inner_product(at.cotangent, at.result());
  RC_ASSERT(inner_product(at.input_gradient(), at.input) == product);
  RC_ASSERT(inner_product(at.weight_gradient(), at.weight) == product);
}

// Two programs for the definition, written apart: gathering over row-major tensors, and scattering
// over strided ones.
RC_GTEST_PROP(Aten, the_eager_models_are_the_definition, (std::uint64_t seed)) {
  const AtenCall call = oracle::candidate_call(*aten_call({}));
  const std::string_view kernel = call.backward ? "aten_convolution_backward" : "aten_convolution";
  const auto verdict = oracle::AtenChecker().check(call, kernel, {}, seed);
  RC_ASSERT(verdict.value == oracle::CheckClass::equal);
}

// Row F28 of the design sheet: a batch axis put in front of one sample computes that sample.
RC_GTEST_PROP(AtenRewrites, a_batch_of_one_computes_the_sample, (std::uint64_t seed)) {
  const AtenCase at(arguments(), seed);
  RC_PRE(at.conv.input[0] > 0);
  const std::int64_t sample = *rc::gen::inRange<std::int64_t>(0, at.conv.input[0]);
  AtenCall call{.convolution = at.conv};
  Shape unbatched;
  for (std::size_t axis = 1; axis < at.conv.input.size(); ++axis) {
    unbatched.push_back(at.conv.input[axis]);
  }
  call.convolution.input = unbatched;
  find_aten_rewrite("add_batch")->apply(call);
  AtenCase one(call.convolution, seed);
  one.weight = at.weight;
  one.input = slice(at.input, 0, sample, 1);
  RC_ASSERT(one.result() == slice(at.result(), 0, sample, 1));
}

// Row F27 of the design sheet.
RC_GTEST_PROP(AtenRewrites, one_dimension_as_two_is_exact, (std::uint64_t seed)) {
  const AtenCall drawn = *aten_call({.unbatched = false, .backward = true, .spatial_dims = 1});
  const AtenConvolution& conv = drawn.convolution;
  RC_PRE(conv.input[1] > 0);
  const AtenCase line(conv, seed);
  AtenCall call{.convolution = conv};
  find_aten_rewrite("conv1d_as_conv2d")->apply(call);
  const AtenCase plane(call.convolution, seed);  // the same elements in the same order
  RC_ASSERT(plane.geometry.dims == 2U);
  RC_ASSERT(plane.result().elements == line.result().elements);
  RC_ASSERT(plane.input_gradient().elements == line.input_gradient().elements);
  RC_ASSERT(plane.weight_gradient().elements == line.weight_gradient().elements);
}

RC_GTEST_PROP(AtenRewrites, a_list_of_one_number_stands_for_all, ()) {
  AtenCall call = *aten_call({.unbatched = false});
  const auto before = aten_geometry(call.convolution);
  find_aten_rewrite("broadcast_lists")->apply(call);
  RC_ASSERT(call.convolution.stride.size() + 2 == call.convolution.weight.size());
  RC_ASSERT(aten_geometry(call.convolution) == before);
}

}  // namespace
}  // namespace convproof::laws
