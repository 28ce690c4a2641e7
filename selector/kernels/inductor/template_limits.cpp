#include "selector/kernels/inductor/template_limits.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <optional>
#include <string_view>

#include "selector/kernels/buffer_size.h"
#include "selector/kernels/inductor/aten_geometry.h"
#include "selector/kernels/inductor/operand_layout.h"
#include "selector/kernels/tiling.h"

namespace convproof {
namespace {

constexpr std::int64_t max_grid = 65535;
constexpr std::int64_t max_offset = (std::int64_t{1} << 31) - 1;
constexpr std::int64_t smallest_tile = 16;
constexpr std::int64_t shared_memory_overhead = 128;

// The first rule that a call breaks. Every check is cheap, so none waits for the one before it but
// those that divide by a block.
class Checks {
 public:
  Checks(const AtenCall& call, const TemplateConfiguration& configuration)
      : call_(call),
        configuration_(configuration),
        geometry_(call.backward ? aten_backward_geometry(call.convolution)
                                : aten_geometry(call.convolution)) {
    require(geometry_.has_value(), KernelFault::assertion, "arguments that the operation refuses",
            0, 0);
  }

  // Valid while `holds`.
  [[nodiscard]] const AtenGeometry& geometry() const { return *geometry_; }
  [[nodiscard]] bool holds() const { return !broken_; }
  [[nodiscard]] KernelResult result() const {
    if (broken_) return std::unexpected(*broken_);
    return {};
  }

  void require(bool holds, KernelFault fault, std::string_view rule, std::int64_t value,
               std::int64_t limit) {
    if (holds || broken_) return;
    broken_ = KernelError{.fault = fault, .rule = rule, .value = value, .limit = limit};
  }

  void dims(std::size_t wanted, KernelFault fault, std::string_view rule) {
    if (broken_) return;
    require(geometry_->dims == wanted, fault, rule, static_cast<std::int64_t>(geometry_->dims),
            static_cast<std::int64_t>(wanted));
  }

  void blocks(std::int64_t least) {
    block("block_m: a power of two, at least", configuration_.block_m, least);
    block("block_n: a power of two, at least", configuration_.block_n, least);
    block("block_k: a power of two, at least", configuration_.block_k, least);
  }

  // Rendering divides by it.
  void result_extent(std::int64_t extent) {
    require(extent > 0, KernelFault::trace, "an extent of the result, not the first", extent, 1);
  }

  void tile_types(ElementType first, ElementType second) {
    require(first == ElementType::f16 || first == ElementType::bf16 || first == ElementType::f32,
            KernelFault::trace, "bytes of an element type that tiles multiply in",
            info(first).bytes, info(ElementType::f32).bytes);
    same_types(first, second, KernelFault::trace);
  }

  void same_types(ElementType first, ElementType second, KernelFault fault) {
    require(first == second, fault, "bytes of the second operand's element type, not the first's",
            info(second).bytes, info(first).bytes);
  }

  void shared_memory() {
    const std::int64_t limit = call_.environment.shared_memory;
    if (limit == 0 || broken_) return;
    const std::int64_t tiles =
        saturating_product({info(call_.convolution.element_type).bytes,
                            configuration_.block_m + configuration_.block_n, configuration_.block_k,
                            std::max<std::int64_t>(configuration_.num_stages, 0)});
    require(tiles <= limit - shared_memory_overhead, KernelFault::device_limit,
            "bytes of shared memory, beside 128", tiles, limit);
  }

  void grid(std::int64_t second, std::int64_t third) {
    require(second <= max_grid, KernelFault::device_limit, "programs along the second grid axis",
            second, max_grid);
    require(third <= max_grid, KernelFault::device_limit, "programs along the third grid axis",
            third, max_grid);
  }

  // The last of `count` places along an axis, in 32 bits.
  void offset(std::string_view rule, std::int64_t count, std::int64_t stride) {
    const std::int64_t last = count < 1 ? 0 : saturating_product({count - 1, stride});
    require(last <= max_offset, KernelFault::device_limit, rule, last, max_offset);
  }

  void input_channel_offset() {
    offset("32-bit offset of an input channel", geometry_->input_channels / geometry_->groups,
           input_strides(call_)[1]);
  }

 private:
  void block(std::string_view rule, std::int64_t extent, std::int64_t least) {
    require(extent >= least && (extent & (extent - 1)) == 0, KernelFault::trace, rule, extent,
            least);
  }

  const AtenCall& call_;
  const TemplateConfiguration& configuration_;
  std::optional<AtenGeometry> geometry_;
  std::optional<KernelError> broken_{};
};

Shape result_strides(const AtenCall& call, const AtenGeometry& geometry) {
  return strides_of(aten_result_shape(geometry), operand_format(call));
}

KernelResult convolution_limits(std::size_t dims, const AtenCall& call,
                                const TemplateConfiguration& configuration) {
  Checks checks(call, configuration);
  checks.dims(dims, KernelFault::trace, "spatial dimensions of the template");
  checks.tile_types(call.convolution.element_type, call.weight_element_type);
  checks.blocks(smallest_tile);
  if (!checks.holds()) return checks.result();
  const AtenGeometry& geometry = checks.geometry();
  checks.result_extent(geometry.output_channels);
  checks.shared_memory();
  checks.grid(ceil_div(geometry.output_channels, configuration.block_n), geometry.groups);
  checks.input_channel_offset();
  return checks.result();
}

}  // namespace

KernelResult convolution2d_limits(const AtenCall& call,
                                  const TemplateConfiguration& configuration) {
  return convolution_limits(2, call, configuration);
}

KernelResult convolution3d_limits(const AtenCall& call,
                                  const TemplateConfiguration& configuration) {
  return convolution_limits(3, call, configuration);
}

KernelResult depthwise_conv1d_limits(const AtenCall& call,
                                     const TemplateConfiguration& configuration) {
  Checks checks(call, configuration);
  checks.dims(1, KernelFault::trace, "spatial dimensions of the template");
  checks.blocks(1);
  if (!checks.holds()) return checks.result();
  const AtenGeometry& geometry = checks.geometry();
  checks.result_extent(geometry.output_channels);
  checks.grid(ceil_div(geometry.output[max_spatial_dims - 1], configuration.block_n),
              ceil_div(geometry.input_channels, configuration.block_k));
  return checks.result();
}

KernelResult weight_gradient_limits(const AtenCall& call,
                                    const TemplateConfiguration& configuration) {
  Checks checks(call, configuration);
  checks.dims(2, KernelFault::trace, "spatial dimensions of the template");
  // The gradient of the result has the input's element type.
  checks.tile_types(call.convolution.element_type, call.convolution.element_type);
  checks.blocks(smallest_tile);
  if (!checks.holds()) return checks.result();
  const AtenGeometry& geometry = checks.geometry();
  checks.result_extent(geometry.weight_columns);
  checks.shared_memory();
  checks.grid(ceil_div(geometry.weight_rows / geometry.groups, configuration.block_n),
              geometry.groups);
  checks.offset("32-bit offset of an input sample", geometry.batch, input_strides(call)[0]);
  checks.offset("32-bit offset of a result sample", geometry.batch,
                result_strides(call, geometry)[0]);
  checks.input_channel_offset();
  return checks.result();
}

KernelResult input_gradient_limits(const AtenCall& call,
                                   const TemplateConfiguration& configuration) {
  Checks checks(call, configuration);
  checks.dims(2, KernelFault::trace, "spatial dimensions of the template");
  checks.tile_types(call.convolution.element_type, call.weight_element_type);
  checks.blocks(smallest_tile);
  if (!checks.holds()) return checks.result();
  const AtenGeometry& geometry = checks.geometry();
  checks.result_extent(geometry.input_channels);
  checks.shared_memory();
  checks.grid(ceil_div(geometry.input_channels / geometry.groups, configuration.block_n),
              geometry.groups);
  const Shape strides = result_strides(call, geometry);
  checks.offset("32-bit offset of a result sample", geometry.batch, strides[0]);
  if (geometry.groups == 1) {
    checks.offset("32-bit offset of a result channel", geometry.output_channels, strides[1]);
  }
  return checks.result();
}

KernelResult conv1x1_via_mm_limits(const AtenCall& call,
                                   const TemplateConfiguration& configuration) {
  Checks checks(call, configuration);
  checks.require(!call.convolution.bias, KernelFault::trace, "operands of a function of two", 3, 2);
  checks.dims(2, KernelFault::assertion, "spatial dimensions of the permutation");
  checks.same_types(call.convolution.element_type, call.weight_element_type,
                    KernelFault::assertion);
  if (!checks.holds()) return checks.result();
  const AtenGeometry& geometry = checks.geometry();
  checks.require(geometry.taps() == 1, KernelFault::assertion, "taps that squeezing takes away",
                 geometry.taps(), 1);
  checks.require(geometry.weight_columns == geometry.input_channels, KernelFault::assertion,
                 "inner extents of the product", geometry.weight_columns, geometry.input_channels);
  return checks.result();
}

KernelResult mm_limits(const AtenCall& call, const TemplateConfiguration& configuration) {
  Checks checks(call, configuration);
  checks.same_types(call.convolution.element_type, call.weight_element_type,
                    KernelFault::assertion);
  if (!checks.holds()) return checks.result();
  const AtenGeometry& geometry = checks.geometry();
  checks.require(geometry.batch > 0 && geometry.input_channels > 0, KernelFault::assertion,
                 "elements of a reshape with an inferred extent", 0, 1);
  checks.require(geometry.taps() == 1, KernelFault::assertion, "taps that squeezing takes away",
                 geometry.taps(), 1);
  checks.require(geometry.weight_columns == geometry.input_channels, KernelFault::assertion,
                 "inner extents of the product", geometry.weight_columns, geometry.input_channels);
  return checks.result();
}

KernelResult ck_grouped_convolution_limits(const AtenCall& call,
                                           const TemplateConfiguration& configuration) {
  Checks checks(call, configuration);
  checks.dims(2, KernelFault::trace, "spatial dimensions of an instance");
  checks.same_types(call.convolution.element_type, call.weight_element_type, KernelFault::trace);
  if (!checks.holds()) return checks.result();
  const AtenGeometry& geometry = checks.geometry();
  checks.result_extent(geometry.output_channels);
  for (std::size_t d = 1; d < max_spatial_dims; ++d) {
    const std::int64_t padded = geometry.input[d] + 2 * geometry.padding[d];
    const std::int64_t reach = geometry.dilation[d] * (geometry.kernel[d] - 1) + 1;
    checks.require(padded >= reach, KernelFault::assertion,
                   "padded extent that holds the dilated kernel", padded, reach);
  }
  return checks.result();
}

KernelResult eager_limits(const AtenCall& call, const TemplateConfiguration& configuration) {
  return Checks(call, configuration).result();
}

}  // namespace convproof
