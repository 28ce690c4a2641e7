#include "selector/registry/aten_rewrites.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace convproof {
namespace {

template <std::size_t capacity>
void insert_at(FixedVector<std::int64_t, capacity>& values, std::size_t place, std::int64_t value) {
  if (values.size() == capacity) return;
  values.push_back(value);
  std::rotate(values.begin() + place, values.end() - 1, values.end());
}

void add_batch(AtenCall& call) { insert_at(call.convolution.input, 0, 1); }

// The new axis has kernel extent 1, stride 1, no padding: exact for every group count and for
// transposed calls.
void conv1d_as_conv2d(AtenCall& call) {
  AtenConvolution& convolution = call.convolution;
  insert_at(convolution.input, 2, 1);
  insert_at(convolution.weight, 2, 1);
  insert_at(convolution.stride, 0, 1);
  insert_at(convolution.padding, 0, 0);
  insert_at(convolution.dilation, 0, 1);
  insert_at(convolution.output_padding, 0, 0);
}

void broadcast_lists(AtenCall& call) {
  AtenConvolution& convolution = call.convolution;
  const std::size_t dims = convolution.weight.size() < 2 ? 0 : convolution.weight.size() - 2;
  for (SpatialList* list : {&convolution.stride, &convolution.padding, &convolution.dilation,
                            &convolution.output_padding}) {
    if (list->size() == 1) *list = SpatialList::filled(dims, (*list)[0]);
  }
}

void drop_bias(AtenCall& call) { call.convolution.bias.reset(); }

constexpr std::array rewrites{
    AtenRewrite{"add_batch", add_batch, "its axis 0 is dropped"},
    AtenRewrite{"conv1d_as_conv2d", conv1d_as_conv2d, "its axis 2 is dropped"},
    AtenRewrite{"broadcast_lists", broadcast_lists, "it stays as it is"},
    AtenRewrite{"drop_bias", drop_bias, "it stays as it is, without a bias"},
    AtenRewrite{"peel_bias", drop_bias, "the bias is added to it"},
};

}  // namespace

std::span<const AtenRewrite> aten_rewrites() { return rewrites; }

const AtenRewrite* find_aten_rewrite(std::string_view name) {
  const auto* const found = std::ranges::find(rewrites, name, &AtenRewrite::name);
  return found == rewrites.end() ? nullptr : &*found;
}

}  // namespace convproof
