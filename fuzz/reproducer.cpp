#include "fuzz/reproducer.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "selector/op/dim_labels.h"
#include "selector/op/element_type.h"

namespace convproof::fuzz {
namespace {

std::string hlo_array(ElementType type, const Shape& shape) {
  return fmt::format("{}[{}]", name_of(type), fmt::join(shape, ","));
}

// `1x2`, one item per spatial dimension.
template <class Print>
std::string per_dim(const ConvOp& op, std::string_view separator, Print print) {
  std::string text;
  for (const WindowDim& dim : op.window) {
    if (!text.empty()) text += separator;
    text += print(dim);
  }
  return text;
}

bool any_dim(const ConvOp& op, bool (*holds)(const WindowDim&)) {
  return std::ranges::any_of(op.window, holds);
}

std::vector<std::int64_t> window_size(const ConvOp& op) {
  std::vector<std::int64_t> size;
  for (std::size_t axis = 0; axis < op.window.size(); ++axis) {
    size.push_back(op.kern_shape[static_cast<std::size_t>(op.kern_perm[axis + 2])]);
  }
  return size;
}

std::string hlo_window(const ConvOp& op) {
  std::string text = fmt::format("size={}", fmt::join(window_size(op), "x"));
  if (any_dim(op, [](const WindowDim& d) { return d.stride != 1; })) {
    text += " stride=" + per_dim(op, "x", [](auto& d) { return fmt::to_string(d.stride); });
  }
  if (any_dim(op, [](const WindowDim& d) { return d.pad_low != 0 || d.pad_high != 0; })) {
    text += " pad=" +
            per_dim(op, "x", [](auto& d) { return fmt::format("{}_{}", d.pad_low, d.pad_high); });
  }
  if (any_dim(op, [](const WindowDim& d) { return d.lhs_dilation != 1; })) {
    text +=
        " lhs_dilate=" + per_dim(op, "x", [](auto& d) { return fmt::to_string(d.lhs_dilation); });
  }
  if (any_dim(op, [](const WindowDim& d) { return d.rhs_dilation != 1; })) {
    text +=
        " rhs_dilate=" + per_dim(op, "x", [](auto& d) { return fmt::to_string(d.rhs_dilation); });
  }
  if (any_dim(op, [](const WindowDim& d) { return d.reversal; })) {
    text += " rhs_reversal=" + per_dim(op, "x", [](auto& d) { return d.reversal ? "1" : "0"; });
  }
  return text;
}

std::string mlir_type_name(ElementType type) {
  switch (type) {
    case ElementType::f8e4m3fn:
      return "f8E4M3FN";
    case ElementType::f8e5m2:
      return "f8E5M2";
    case ElementType::s8:
      return "i8";
    case ElementType::u8:
      return "ui8";
    case ElementType::s16:
      return "i16";
    case ElementType::s32:
      return "i32";
    case ElementType::s64:
      return "i64";
    default:
      return std::string(name_of(type));
  }
}

std::string mlir_tensor(ElementType type, const Shape& shape) {
  std::string text = "tensor<";
  for (const std::int64_t extent : shape) text += fmt::format("{}x", extent);
  return text + mlir_type_name(type) + ">";
}

// `[b, 0, 1, f]`
std::string mlir_labels(const Perm& perm, LabelRole role) {
  const std::string labels = format_labels(perm, role);
  std::string text = "[";
  for (std::size_t i = 0; i < labels.size(); ++i) {
    text += fmt::format("{}{}", i == 0 ? "" : ", ", labels[i]);
  }
  return text + "]";
}

std::string python_list(std::span<const std::int64_t> values) {
  return fmt::format("({},)", fmt::join(values, ", "));
}

std::string numpy_type(ElementType type) {
  switch (type) {
    case ElementType::f64:
      return "float64";
    case ElementType::bf16:
      return "bfloat16";
    case ElementType::f16:
      return "float16";
    case ElementType::f8e4m3fn:
      return "float8_e4m3fn";
    case ElementType::f8e5m2:
      return "float8_e5m2";
    case ElementType::s8:
      return "int8";
    case ElementType::u8:
      return "uint8";
    case ElementType::s16:
      return "int16";
    case ElementType::s32:
      return "int32";
    case ElementType::s64:
      return "int64";
    case ElementType::f32:
      break;
  }
  return "float32";
}

// Labels in JAX's glyphs: `NHWC`, spatial dimensions by digit.
std::string jax_labels(const Perm& perm, char first, char second) {
  std::string text(perm.size(), '?');
  text[static_cast<std::size_t>(perm[0])] = first;
  text[static_cast<std::size_t>(perm[1])] = second;
  for (std::size_t axis = 2; axis < perm.size(); ++axis) {
    text[static_cast<std::size_t>(perm[axis])] = static_cast<char>('0' + axis - 2);
  }
  return text;
}

}  // namespace

std::string as_hlo(const ConvOp& op) {
  const std::string image = hlo_array(op.element_type, op.in_shape);
  const std::string kernel = hlo_array(op.element_type, op.kern_shape);
  std::string text = fmt::format(
      "HloModule reproducer\n\nENTRY main {{\n  image = {} parameter(0)\n  kernel = {} "
      "parameter(1)\n",
      image, kernel);
  const char* image_name = "image";
  const char* kernel_name = "kernel";
  if (!op.input_is_graph_input) {
    text += fmt::format("  image.1 = {} copy(image)\n", image);
    image_name = "image.1";
  }
  if (!op.kernel_is_graph_input) {
    text += fmt::format("  kernel.1 = {} copy(kernel)\n", kernel);
    kernel_name = "kernel.1";
  }
  text += fmt::format("  ROOT result = {} convolution({}, {}), window={{{}}}, dim_labels={}",
                      hlo_array(op.result_element_type, op.res_shape), image_name, kernel_name,
                      hlo_window(op), format_dim_labels({op.in_perm, op.kern_perm, op.out_perm}));
  if (op.feature_group_count != 1) {
    text += fmt::format(", feature_group_count={}", op.feature_group_count);
  }
  if (op.batch_group_count != 1) {
    text += fmt::format(", batch_group_count={}", op.batch_group_count);
  }
  return text + "\n}\n";
}

std::string as_stablehlo(const ConvOp& op) {
  const std::string image = mlir_tensor(op.element_type, op.in_shape);
  const std::string kernel = mlir_tensor(op.element_type, op.kern_shape);
  const std::string result = mlir_tensor(op.result_element_type, op.res_shape);
  std::string text = fmt::format("module {{\n  func.func @main(%image: {}, %kernel: {}) -> {} {{\n",
                                 image, kernel, result);
  const char* image_name = "%image";
  const char* kernel_name = "%kernel";
  if (!op.input_is_graph_input) {
    text += fmt::format("    %image_1 = stablehlo.negate %image : {}\n", image);
    image_name = "%image_1";
  }
  if (!op.kernel_is_graph_input) {
    text += fmt::format("    %kernel_1 = stablehlo.negate %kernel : {}\n", kernel);
    kernel_name = "%kernel_1";
  }
  const auto list = [&](auto print) { return per_dim(op, ", ", print); };
  text += fmt::format(
      "    %result = stablehlo.convolution({}, {}) dim_numbers = {}x{}->{}, window = {{stride = "
      "[{}], pad = [{}], lhs_dilate = [{}], rhs_dilate = [{}], reverse = [{}]}} "
      "{{batch_group_count = {} : i64, feature_group_count = {} : i64}} : ({}, {}) -> {}\n",
      image_name, kernel_name, mlir_labels(op.in_perm, LabelRole::image),
      mlir_labels(op.kern_perm, LabelRole::kernel), mlir_labels(op.out_perm, LabelRole::image),
      list([](auto& d) { return fmt::to_string(d.stride); }),
      list([](auto& d) { return fmt::format("[{}, {}]", d.pad_low, d.pad_high); }),
      list([](auto& d) { return fmt::to_string(d.lhs_dilation); }),
      list([](auto& d) { return fmt::to_string(d.rhs_dilation); }),
      list([](auto& d) { return d.reversal ? "true" : "false"; }), op.batch_group_count,
      op.feature_group_count, image, kernel, result);
  return text + fmt::format("    return %result : {}\n  }}\n}}\n", result);
}

std::string as_jax(const ConvOp& op) {
  const auto tuple = [&](auto print) { return fmt::format("({},)", per_dim(op, ", ", print)); };
  // conv_general_dilated has no reversal: the stored kernel operand is flipped instead.
  std::string flip;
  for (std::size_t axis = 0; axis < op.window.size(); ++axis) {
    if (op.window[axis].reversal) {
      flip += fmt::format("{}{}", flip.empty() ? "" : ", ", op.kern_perm[axis + 2]);
    }
  }
  const std::string kernel =
      flip.empty() ? std::string("kernel") : fmt::format("jnp.flip(kernel, axis=({},))", flip);
  std::string text =
      "import jax\nimport jax.numpy as jnp\nimport numpy as np\n\n"
      "random = np.random.default_rng(1)\n";
  text += fmt::format("image = jnp.asarray(random.integers(-4, 5, {}), jnp.{})\n",
                      python_list(op.in_shape), numpy_type(op.element_type));
  text += fmt::format("kernel = jnp.asarray(random.integers(-4, 5, {}), jnp.{})\n\n",
                      python_list(op.kern_shape), numpy_type(op.element_type));
  text += "@jax.jit\ndef convolve(image, kernel):\n";
  if (!op.input_is_graph_input) text += "  image = -image\n";
  if (!op.kernel_is_graph_input) text += "  kernel = -kernel\n";
  text += fmt::format(
      "  return jax.lax.conv_general_dilated(\n      image, {}, window_strides={}, padding=[{}],\n"
      "      lhs_dilation={}, rhs_dilation={},\n      dimension_numbers=(\"{}\", \"{}\", \"{}\"),\n"
      "      feature_group_count={}, batch_group_count={}, preferred_element_type=jnp.{})\n\n",
      kernel, tuple([](auto& d) { return fmt::to_string(d.stride); }),
      per_dim(op, ", ", [](auto& d) { return fmt::format("({}, {})", d.pad_low, d.pad_high); }),
      tuple([](auto& d) { return fmt::to_string(d.lhs_dilation); }),
      tuple([](auto& d) { return fmt::to_string(d.rhs_dilation); }),
      jax_labels(op.in_perm, 'N', 'C'), jax_labels(op.kern_perm, 'O', 'I'),
      jax_labels(op.out_perm, 'N', 'C'), op.feature_group_count, op.batch_group_count,
      numpy_type(op.result_element_type));
  return text + fmt::format(
                    "result = convolve(image, kernel)\nassert result.shape == {}\n"
                    "print(result)\n",
                    python_list(op.res_shape));
}

std::string as_torch(const ConvOp& op) {
  std::string text = "import torch\nimport torch.nn.functional as F\n\ntorch.manual_seed(1)\n";
  const auto operand = [&](std::string_view name, const Shape& shape) {
    return fmt::format("{} = torch.randint(-4, 5, {}).to(torch.{})\n", name, python_list(shape),
                       numpy_type(op.element_type));
  };
  text += operand("image", op.in_shape);
  text += operand("kernel", op.kern_shape);
  text += "# to torch's layout: batch, features, spatial and out features, features, spatial\n";
  text += fmt::format("x = image.permute({})\nw = kernel.permute({})\n", python_list(op.in_perm),
                      python_list(op.kern_perm));
  std::string flip;
  for (std::size_t axis = 0; axis < op.window.size(); ++axis) {
    if (op.window[axis].reversal) flip += fmt::format("{},", axis + 2);
  }
  if (!flip.empty()) text += fmt::format("w = w.flip(({}))\n", flip);
  for (std::size_t axis = 0; axis < op.window.size(); ++axis) {
    const std::int64_t dilation = op.window[axis].lhs_dilation;
    if (dilation == 1) continue;
    text += fmt::format(
        "shape = list(x.shape)\nshape[{0}] = (shape[{0}] - 1) * {1} + 1\nwide = "
        "x.new_zeros(shape)\n"
        "wide[(slice(None),) * {0} + (slice(None, None, {1}),)] = x\nx = wide\n",
        axis + 2, dilation);
  }
  // F.pad takes the last dimension first; negative padding crops, as here.
  std::string pad;
  for (std::size_t axis = op.window.size(); axis-- > 0;) {
    pad += fmt::format("{}{}, {}", pad.empty() ? "" : ", ", op.window[axis].pad_low,
                       op.window[axis].pad_high);
  }
  text += fmt::format("x = F.pad(x, ({}))\n", pad);
  const auto tuple = [&](auto print) { return fmt::format("({},)", per_dim(op, ", ", print)); };
  if (op.batch_group_count != 1) {
    text += fmt::format(
        "# group g of the batch meets group g of the kernel's output features\n"
        "groups = {}\nx = torch.cat(x.chunk(groups, 0), 1)\n",
        op.batch_group_count);
  }
  text += fmt::format("y = F.conv{}d(x, w, stride={}, dilation={}, groups={})\n", op.window.size(),
                      tuple([](auto& d) { return fmt::to_string(d.stride); }),
                      tuple([](auto& d) { return fmt::to_string(d.rhs_dilation); }),
                      op.batch_group_count != 1 ? op.batch_group_count : op.feature_group_count);
  text += fmt::format("result = y.permute({}).contiguous()\n", python_list(invert(op.out_perm)));
  return text + fmt::format("assert tuple(result.shape) == {}\nprint(result)\n",
                            python_list(op.res_shape));
}

std::string as_cpp(const ConvOp& op) {
  const auto list = [](std::span<const std::int64_t> values) {
    return fmt::format("{{{}}}", fmt::join(values, ", "));
  };
  std::string window;
  for (const WindowDim& d : op.window) {
    window += fmt::format(
        "{}{{.stride = {}, .pad_low = {}, .pad_high = {}, .lhs_dilation = {}, .rhs_dilation = {}, "
        ".reversal = {}}}",
        window.empty() ? "" : ",\n             ", d.stride, d.pad_low, d.pad_high, d.lhs_dilation,
        d.rhs_dilation, d.reversal);
  }
  const auto type = [](ElementType element) {
    return fmt::format("ElementType::{}", name_of(element));
  };
  return fmt::format(
      R"(#include "oracle/check.h"
#include "selector/op/conv_op.h"
#include "selector/registry/registry.h"

#include <cstdio>

// Exits with 0 where the selected kernel computes this convolution.
int main(int argc, char** argv) {{
  using namespace convproof;
  const ConvOp op{{
      .element_type = {},
      .result_element_type = {},
      .in_shape = {},
      .kern_shape = {},
      .res_shape = {},
      .in_perm = {},
      .kern_perm = {},
      .out_perm = {},
      .window = {{{}}},
      .feature_group_count = {},
      .batch_group_count = {},
      .is_pglt = {},
      .input_is_graph_input = {},
      .kernel_is_graph_input = {}}};
  const auto registry = find_registry(argc > 1 ? argv[1] : "neuron");
  if (!registry) return 2;
  auto checker = oracle::Checker::create(*registry);
  if (!checker) return 2;
  const oracle::Verdict verdict = checker->check(op, 1);
  std::printf("%s: %s\n", name_of(verdict.value).data(),
              checker->describe(op, verdict, 1).detail.c_str());
  return is_finding(verdict.value) ? 1 : 0;
}}
)",
      type(op.element_type), type(op.result_element_type), list(op.in_shape), list(op.kern_shape),
      list(op.res_shape), list(op.in_perm), list(op.kern_perm), list(op.out_perm), window,
      op.feature_group_count, op.batch_group_count, op.is_pglt, op.input_is_graph_input,
      op.kernel_is_graph_input);
}

}  // namespace convproof::fuzz
