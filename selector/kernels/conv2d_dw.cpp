#include "selector/kernels/conv2d_dw.h"

#include <algorithm>
#include <cstdint>
#include <expected>
#include <initializer_list>

namespace convproof {
namespace {

bool one_of(const Perm& perm, std::initializer_list<Perm> accepted) {
  return std::ranges::find(accepted, perm) != accepted.end();
}

// The older index helper cannot view a buffer whose two last extents are 1: the batch elements of a
// tile follow the columns of the image, of its padded rows, and of a result tile.
KernelResult check_trailing_extents(const DenseCall& dense) {
  const DenseProblem& problem = dense.problem;
  if (dense.sizes.batch > 1 && !problem.image_in_place) return {};
  const std::int64_t padded = problem.input[1] + problem.padding[1].low + problem.padding[1].high;
  for (const std::int64_t extent : {problem.input[1], padded, dense.plan.columns.extent}) {
    if (extent == 1) return refuse(KernelFault::assertion, "Unhandled case", extent, 2);
  }
  return {};
}

}  // namespace

std::expected<DenseCall, KernelError> read_dense_call(const KernelCall& call,
                                                      const KernelContext& context) {
  DenseCall dense;
  dense.image_layout =
      one_of(call.in_perm, {image_layout::bf01, image_layout::b01f, image_layout::f01b})
          ? call.in_perm
          : image_layout::fb01;
  dense.kernel_layout = call.kern_perm;
  dense.result_layout =
      call.out_perm == image_layout::f01b_scattered ? image_layout::f01b : call.out_perm;
  dense.sizes =
      sizes_in_layouts(call, dense.image_layout, dense.kernel_layout, dense.result_layout);
  const LogicalSizes& sizes = dense.sizes;
  if (is_empty(call.res_shape)) {
    dense.empty = true;
    return dense;
  }

  if (!one_of(call.kern_perm, {kernel_layout::o01i, kernel_layout::oi01, kernel_layout::io10,
                               kernel_layout::io01, kernel_layout::i01o})) {
    return refuse(KernelFault::assertion, "unsupported kernel perm", call.kern_perm[0], 0);
  }
  if (!one_of(dense.result_layout,
              {image_layout::bf01, image_layout::zero_1bf, image_layout::f01b})) {
    return refuse(KernelFault::assertion, "unsupported result perm", call.out_perm[0], 0);
  }
  if (dense.image_layout == image_layout::bf01 || dense.image_layout == image_layout::b01f) {
    for (const std::int64_t stride : call.stride) {
      if (stride != 1) {
        return refuse(KernelFault::assertion, "unsupported perm with strides", stride, 1);
      }
    }
  }
  if (is_empty(call.in_shape) || is_empty(call.kern_shape)) {
    dense.empty = true;
    return dense;
  }

  dense.problem = {.batch = std::min(sizes.batch, sizes.result_batch),
                   .input_features = sizes.input_features,
                   .kernel_features = sizes.kernel_features,
                   .output_features = std::min(sizes.output_features, sizes.result_features),
                   .input = {sizes.input[0], sizes.input[1]},
                   .kernel = {sizes.kernel[0], sizes.kernel[1]},
                   .result = {sizes.result[0], sizes.result[1]},
                   .stride = {call.stride[0], call.stride[1]},
                   .rhs_dilation = {call.rhs_dilation[0], call.rhs_dilation[1]},
                   .padding = {call.padding[0], call.padding[1]},
                   .image_in_place = dense.image_layout == image_layout::bf01,
                   .element_bytes = info(call.element_type).bytes};
  const auto plan = plan_dense(dense.problem, context.device);
  if (!plan) return std::unexpected(plan.error());
  dense.plan = *plan;
  if (context.switches.old_trailing_extents) {
    if (const KernelResult checked = check_trailing_extents(dense); !checked) {
      return std::unexpected(checked.error());
    }
  }
  return dense;
}

}  // namespace convproof
