#pragma once

#include <array>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>

#include "selector/op/element_type.h"
#include "selector/op/perm.h"

namespace convproof {

// One number for each spatial dimension.
using SpatialList = FixedVector<std::int64_t, max_spatial_dims>;

// The arguments of `aten.convolution`, with shapes in place of tensors.
//
// Shapes are (batch, channels, spatial...); the weight's are (out, in / groups, spatial...), and
// (in, out / groups, spatial...) where `transposed`. Lists of one number stand for all dimensions.
// Source: design sheet of Inductor's convolution lowering, section A.1.
struct AtenConvolution {
  Shape input{};
  Shape weight{};
  std::optional<std::int64_t> bias{};  // its length
  SpatialList stride{};
  SpatialList padding{};
  SpatialList dilation{};
  SpatialList output_padding{};
  bool transposed = false;
  std::int64_t groups = 1;
  ElementType element_type = ElementType::f32;

  bool operator==(const AtenConvolution&) const = default;
};

// Where a graph is compiled for. Source: the same sheet, section B, environment oracle.
enum class AtenDevice : std::uint8_t { cuda, xpu, cpu, other };
inline constexpr std::array<std::string_view, 4> aten_device_names{"cuda", "xpu", "cpu", "other"};

// How a tensor with two spatial dimensions is stored: by channel planes, or channels innermost.
enum class MemoryFormat : std::uint8_t { contiguous, channels_last };
inline constexpr std::array<std::string_view, 2> memory_format_names{"contiguous", "channels_last"};

// What the lowering reads beside the operation: the device, the configuration, and what the graph
// around the operation decided. The defaults are a large CUDA device under max_autotune.
// Source: the same sheet, section B, environment oracle, and section G, defaults.
struct AtenEnvironment {
  AtenDevice device = AtenDevice::cuda;
  bool hip = false;
  bool autotune = true;  // max_autotune or max_autotune_gemm
  bool conv_aten = true;
  bool conv_triton = true;
  bool conv_ck = false;
  bool gemm_triton = true;
  bool weight_aten = true;  // backend list of the weight gradient
  bool weight_triton = false;
  bool input_aten = true;  // backend list of the input gradient
  bool input_triton = false;
  bool conv_1x1_as_mm = false;
  bool layout_optimization = false;      // of the whole graph
  bool predicted_channels_last = false;  // of the output
  bool big_gpu = true;                   // enough multiprocessors for the templates
  bool cpu_triton = false;               // the CPU backend is Triton
  bool ck_usable = false;                // library and architecture
  std::int64_t shared_memory = 232'448;  // bytes; 0 where no device is visible

  bool operator==(const AtenEnvironment&) const = default;
};

// What a table of Inductor sees of one convolution: the forward operation, or the backward one of
// the same arguments.
struct AtenCall {
  AtenConvolution convolution{};
  ElementType weight_element_type = ElementType::f32;
  MemoryFormat input_format = MemoryFormat::contiguous;  // and of the weight, where they are forced
  bool input_packed = true;  // false: a slice of a wider buffer, every stride but the last larger
  bool backward = false;
  std::array<bool, 3> output_mask{true, true, false};  // input, weight, bias gradient wanted
  bool bias_sizes = false;                             // given to the backward operation
  AtenEnvironment environment{};

  bool operator==(const AtenCall&) const = default;
};

// One line, every argument that is not neutral, then every part of the environment that differs
// from its default: `f16[2,8,9,9] * [4,8,3,3], padding=1_1, bias; cpu, cpu_triton`.
std::string to_string(const AtenCall& call);
std::ostream& operator<<(std::ostream& stream, const AtenCall& call);

// The flags of an environment by the names that schemas, case files and messages use.
struct AtenFlag {
  std::string_view name{};
  bool AtenEnvironment::* flag = nullptr;
};
inline constexpr std::array aten_flags{
    AtenFlag{"hip", &AtenEnvironment::hip},
    AtenFlag{"autotune", &AtenEnvironment::autotune},
    AtenFlag{"conv_aten", &AtenEnvironment::conv_aten},
    AtenFlag{"conv_triton", &AtenEnvironment::conv_triton},
    AtenFlag{"conv_ck", &AtenEnvironment::conv_ck},
    AtenFlag{"gemm_triton", &AtenEnvironment::gemm_triton},
    AtenFlag{"weight_aten", &AtenEnvironment::weight_aten},
    AtenFlag{"weight_triton", &AtenEnvironment::weight_triton},
    AtenFlag{"input_aten", &AtenEnvironment::input_aten},
    AtenFlag{"input_triton", &AtenEnvironment::input_triton},
    AtenFlag{"conv_1x1_as_mm", &AtenEnvironment::conv_1x1_as_mm},
    AtenFlag{"layout_optimization", &AtenEnvironment::layout_optimization},
    AtenFlag{"predicted_channels_last", &AtenEnvironment::predicted_channels_last},
    AtenFlag{"big_gpu", &AtenEnvironment::big_gpu},
    AtenFlag{"cpu_triton", &AtenEnvironment::cpu_triton},
    AtenFlag{"ck_usable", &AtenEnvironment::ck_usable},
};

}  // namespace convproof
