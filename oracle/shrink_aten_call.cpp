#include "oracle/shrink_aten_call.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "selector/kernels/inductor/aten_geometry.h"

namespace convproof::oracle {
namespace {

struct Axis {
  std::int64_t input = 1;
  std::int64_t kernel = 1;
  std::int64_t stride = 1;
  std::int64_t padding = 0;
  std::int64_t dilation = 1;
  std::int64_t output_padding = 0;
};

// A call by the numbers that its shapes are products of. Axes keep their places, and those past
// `dims` are unused, so that numbers can be pointed to.
struct Parts {
  std::int64_t batch = 1;
  std::int64_t inputs = 1;   // of a group
  std::int64_t outputs = 1;  // of a group, as the weight declares them
  std::int64_t groups = 1;
  std::size_t dims = 0;
  std::array<Axis, max_spatial_dims> axes{};
  bool batched = true;
  std::array<bool, 4> short_list{};  // stride, padding, dilation, output padding
  AtenCall rest{};                   // types, flags and environment; whether there is a bias
};

constexpr std::array lists{&AtenConvolution::stride, &AtenConvolution::padding,
                           &AtenConvolution::dilation, &AtenConvolution::output_padding};
constexpr std::array numbers_of_lists{&Axis::stride, &Axis::padding, &Axis::dilation,
                                      &Axis::output_padding};

std::optional<Parts> take_apart(const AtenCall& call) {
  const AtenConvolution& conv = call.convolution;
  if (conv.weight.size() < 3 || conv.groups < 1) return std::nullopt;
  Parts parts{.groups = conv.groups, .dims = conv.weight.size() - 2, .rest = call};
  parts.batched = conv.input.size() == conv.weight.size();
  const std::size_t spatial = conv.input.size() - parts.dims;
  if (conv.input.size() < parts.dims + 1 || spatial > 2) return std::nullopt;
  if (parts.batched) parts.batch = conv.input[0];
  const std::int64_t rows = conv.weight[0] / conv.groups;
  parts.inputs = conv.transposed ? rows : conv.weight[1];
  parts.outputs = conv.transposed ? conv.weight[1] : rows;
  for (std::size_t axis = 0; axis < parts.dims; ++axis) {
    parts.axes[axis].input = conv.input[spatial + axis];
    parts.axes[axis].kernel = conv.weight[axis + 2];
  }
  for (std::size_t list = 0; list < lists.size(); ++list) {
    const SpatialList& from = conv.*lists[list];
    if (from.size() != parts.dims && from.size() != 1) return std::nullopt;
    parts.short_list[list] = from.size() != parts.dims;
    for (std::size_t axis = 0; axis < parts.dims; ++axis) {
      parts.axes[axis].*numbers_of_lists[list] = from[from.size() == 1 ? 0 : axis];
    }
  }
  return parts;
}

AtenCall put_together(const Parts& parts) {
  AtenCall call = parts.rest;
  AtenConvolution& conv = call.convolution;
  const std::int64_t inputs = parts.inputs * parts.groups;
  const std::int64_t outputs = parts.outputs * parts.groups;
  conv.groups = parts.groups;
  conv.input = parts.batched ? Shape{parts.batch, inputs} : Shape{inputs};
  conv.weight = conv.transposed ? Shape{inputs, parts.outputs} : Shape{outputs, parts.inputs};
  for (std::size_t axis = 0; axis < parts.dims; ++axis) {
    conv.input.push_back(parts.axes[axis].input);
    conv.weight.push_back(parts.axes[axis].kernel);
  }
  for (std::size_t list = 0; list < lists.size(); ++list) {
    SpatialList& to = conv.*lists[list];
    to = {};
    const std::size_t length = parts.short_list[list] ? 1 : parts.dims;
    for (std::size_t axis = 0; axis < length; ++axis) {
      to.push_back(parts.axes[axis].*numbers_of_lists[list]);
    }
  }
  if (conv.bias) conv.bias = outputs;
  return call;
}

bool accepted(const AtenCall& call) {
  AtenConvolution conv = call.convolution;
  if (conv.input.size() + 1 == conv.weight.size() && !call.backward) {
    Shape input{1};
    for (const std::int64_t extent : conv.input) input.push_back(extent);
    conv.input = input;
  }
  if (!(call.backward ? aten_backward_geometry(conv) : aten_geometry(conv))) return false;
  return !call.backward || conv.input[1] > 0 || !call.output_mask[2] || call.bias_sizes;
}

// A number with its plainest value.
struct Number {
  std::int64_t* at = nullptr;
  std::int64_t plain = 1;
};

std::vector<Number> numbers_of(Parts& parts) {
  std::vector<Number> numbers;
  const auto all = [&](std::int64_t Axis::* number, std::int64_t plain) {
    for (std::size_t axis = 0; axis < parts.dims; ++axis) {
      numbers.push_back({&(parts.axes[axis].*number), plain});
    }
  };
  all(&Axis::input, 1);
  all(&Axis::kernel, 1);
  if (parts.batched) numbers.push_back({&parts.batch, 1});
  numbers.push_back({&parts.inputs, 1});
  numbers.push_back({&parts.outputs, 1});
  numbers.push_back({&parts.groups, 1});
  all(&Axis::stride, 1);
  all(&Axis::dilation, 1);
  all(&Axis::padding, 0);
  all(&Axis::output_padding, 0);
  return numbers;
}

class Shrinker {
 public:
  Shrinker(const Parts& parts, const std::function<bool(const AtenCall&)>& interesting)
      : parts_(parts), interesting_(interesting) {}

  bool accepts() {
    const AtenCall call = put_together(parts_);
    return accepted(call) && interesting_(call);
  }

  AtenCall run() {
    bool progress = true;
    while (progress) {
      progress = drop_axes();
      progress = plainer_flags() || progress;
      progress = smaller_numbers() || progress;
      progress = plainer_environment() || progress;
    }
    return put_together(parts_);
  }

 private:
  // Makes a change, and undoes it where nothing changed or the result is not interesting.
  template <class Change>
  bool attempt(Change change) {
    const Parts before = parts_;
    change(parts_);
    if (put_together(parts_) != put_together(before) && accepts()) return true;
    parts_ = before;
    return false;
  }

  bool drop_axes() {
    bool progress = false;
    for (std::size_t axis = 0; parts_.dims > 1 && axis < parts_.dims;) {
      const bool dropped = attempt([&](Parts& parts) {
        for (std::size_t next = axis; next + 1 < parts.dims; ++next) {
          parts.axes[next] = parts.axes[next + 1];
        }
        parts.axes[--parts.dims] = {};
        if (parts.dims == 1) parts.short_list = {};
        if (parts.dims != 2) {
          parts.rest.input_format = MemoryFormat::contiguous;
          parts.rest.environment.predicted_channels_last = false;
        }
      });
      progress = progress || dropped;
      if (!dropped) ++axis;
    }
    return progress;
  }

  // All the numbers by as much, in steps of halving size; near the plain values first, since what
  // holds there need not hold on the way.
  bool reduce(std::span<const Number> numbers) {
    std::int64_t room = 0;
    for (const Number& number : numbers) {
      const std::int64_t distance = *number.at - number.plain;
      if (distance <= 0) return false;
      room = room == 0 ? distance : std::min(room, distance);
    }
    for (std::int64_t near = 0; near < std::min<std::int64_t>(room, 4); ++near) {
      if (attempt([&](Parts&) {
            for (const Number& number : numbers) *number.at = number.plain + near;
          })) {
        return true;
      }
    }
    bool progress = false;
    for (std::int64_t step = room; step > 0;) {
      const bool within = std::ranges::all_of(
          numbers, [&](const Number& number) { return *number.at - number.plain >= step; });
      if (within && attempt([&](Parts&) {
            for (const Number& number : numbers) *number.at -= step;
          })) {
        progress = true;
      } else {
        step /= 2;
      }
    }
    return progress;
  }

  bool smaller_numbers() {
    bool progress = false;
    const std::vector<Number> numbers = numbers_of(parts_);
    for (const Number& number : numbers) progress = reduce(std::span(&number, 1)) || progress;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      for (std::size_t j = i + 1; j < numbers.size(); ++j) {
        progress = reduce(std::array{numbers[i], numbers[j]}) || progress;
      }
    }
    // What an empty input shows, one sample may show as well.
    if (parts_.batch == 0) progress = attempt([](Parts& p) { p.batch = 1; }) || progress;
    if (parts_.inputs == 0) progress = attempt([](Parts& p) { p.inputs = 1; }) || progress;
    return progress;
  }

  bool plainer_flags() {
    bool progress = false;
    const auto set = [&](auto change) {
      progress = attempt([&](Parts& parts) { change(parts); }) || progress;
    };
    set([](Parts& parts) { parts.batched = true; });
    set([](Parts& parts) { parts.short_list = {}; });
    set([](Parts& parts) { parts.rest.convolution.bias.reset(); });
    set([](Parts& parts) { parts.rest.convolution.transposed = false; });
    set([](Parts& parts) {  // both at once: output padding needs the direction
      parts.rest.convolution.transposed = false;
      for (Axis& axis : parts.axes) axis.output_padding = 0;
    });
    set([](Parts& parts) {
      parts.rest.convolution.element_type = parts.rest.weight_element_type = ElementType::f32;
    });
    set([](Parts& parts) { parts.rest.weight_element_type = parts.rest.convolution.element_type; });
    set([](Parts& parts) {
      parts.rest.input_format = MemoryFormat::contiguous;
      parts.rest.environment.predicted_channels_last = false;
    });
    set([](Parts& parts) { parts.rest.input_format = MemoryFormat::contiguous; });
    set([](Parts& parts) { parts.rest.input_packed = true; });
    if (parts_.rest.backward) {
      for (std::size_t wanted = 0; wanted < parts_.rest.output_mask.size(); ++wanted) {
        set([&](Parts& parts) { parts.rest.output_mask[wanted] = false; });
      }
      set([](Parts& parts) { parts.rest.bias_sizes = false; });
    }
    return progress;
  }

  // Each setting to what it is by default.
  bool plainer_environment() {
    bool progress = false;
    const AtenEnvironment plain;
    const auto set = [&](auto AtenEnvironment::* setting) {
      progress = attempt([&](Parts& parts) { parts.rest.environment.*setting = plain.*setting; }) ||
                 progress;
    };
    progress = attempt([&](Parts& parts) {  // a device with what only it has
                 AtenEnvironment& to = parts.rest.environment;
                 to.device = plain.device;
                 to.cpu_triton = plain.cpu_triton;
                 to.shared_memory = plain.shared_memory;
               }) ||
               progress;
    progress = attempt([&](Parts& parts) {
                 parts.rest.environment.hip = plain.hip;
                 parts.rest.environment.ck_usable = plain.ck_usable;
               }) ||
               progress;
    if (parts_.rest.environment.device == plain.device) set(&AtenEnvironment::shared_memory);
    for (bool AtenEnvironment::* const setting :
         {&AtenEnvironment::autotune, &AtenEnvironment::conv_aten, &AtenEnvironment::conv_triton,
          &AtenEnvironment::conv_ck, &AtenEnvironment::gemm_triton, &AtenEnvironment::weight_aten,
          &AtenEnvironment::weight_triton, &AtenEnvironment::input_aten,
          &AtenEnvironment::input_triton, &AtenEnvironment::conv_1x1_as_mm,
          &AtenEnvironment::layout_optimization, &AtenEnvironment::predicted_channels_last,
          &AtenEnvironment::big_gpu, &AtenEnvironment::cpu_triton, &AtenEnvironment::ck_usable}) {
      set(setting);
    }
    return progress;
  }

  Parts parts_;
  const std::function<bool(const AtenCall&)>& interesting_;
};

}  // namespace

AtenCall shrink_aten_call(const AtenCall& call,
                          const std::function<bool(const AtenCall&)>& interesting) {
  const auto parts = take_apart(call);
  if (!parts) return call;
  Shrinker shrinker(*parts, interesting);
  return shrinker.accepts() ? shrinker.run() : call;
}

}  // namespace convproof::oracle
