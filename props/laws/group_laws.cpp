#include <cstddef>
#include <cstdint>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "oracle/arbitrary_conv_op.h"
#include "props/laws/canonical.h"
#include "props/laws/rapidcheck_draw.h"

// A grouped convolution is a block sum: each group is an ungrouped convolution of its own slices,
// and the results stand side by side in the output features.

namespace convproof::laws {
namespace {

constexpr std::size_t batch_axis = 0;
constexpr std::size_t feature_axis = 1;
constexpr std::size_t output_axis = 0;  // of the kernel operand

RC_GTEST_PROP(Groups, feature_groups_are_a_block_sum, (const ConvOp& op, std::uint64_t seed)) {
  RC_TAG(op.feature_group_count > 1 ? "grouped" : "one group");
  const CanonicalCase at(op, seed);
  const FieldTensor result = at.result();
  const std::int64_t features = at.kernel.shape[1];
  const std::int64_t outputs = at.kernel.shape[output_axis] / op.feature_group_count;
  ConvOp one = at.op;
  one.feature_group_count = 1;
  for (std::int64_t group = 0; group < op.feature_group_count; ++group) {
    RC_ASSERT(convolve(one, slice(at.image, feature_axis, group * features, features),
                       slice(at.kernel, output_axis, group * outputs, outputs)) ==
              slice(result, feature_axis, group * outputs, outputs));
  }
}

RC_GTEST_PROP(Groups, batch_groups_are_a_block_sum, (const ConvOp& op, std::uint64_t seed)) {
  RC_TAG(op.batch_group_count > 1 ? "grouped" : "one group");
  const CanonicalCase at(op, seed);
  const FieldTensor result = at.result();
  const std::int64_t batch = at.image.shape[batch_axis] / op.batch_group_count;
  const std::int64_t outputs = at.kernel.shape[output_axis] / op.batch_group_count;
  ConvOp one = at.op;
  one.batch_group_count = 1;
  for (std::int64_t group = 0; group < op.batch_group_count; ++group) {
    RC_ASSERT(convolve(one, slice(at.image, batch_axis, group * batch, batch),
                       slice(at.kernel, output_axis, group * outputs, outputs)) ==
              slice(result, feature_axis, group * outputs, outputs));
  }
}

}  // namespace
}  // namespace convproof::laws
