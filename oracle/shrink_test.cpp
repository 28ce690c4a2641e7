#include "oracle/shrink.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "oracle/arbitrary_conv_op.h"
#include "oracle/draw.h"
#include "oracle/shrink_parts.h"
#include "selector/op/conv_op.h"
#include "selector/op/perm.h"
#include "selector/op/tensor.h"
#include "selector/registry/conv_subject.h"

namespace convproof::oracle {
namespace {

// What a witness may have to keep; each holds for many generated convolutions.
struct Property {
  std::string_view name{};
  bool (*holds)(const ConvOp&) = nullptr;
};
constexpr std::array properties{
    Property{"any", [](const ConvOp&) { return true; }},
    Property{"strided", [](const ConvOp& op) { return op.window[0].stride > 1; }},
    Property{"grouped", [](const ConvOp& op) { return op.feature_group_count > 1; }},
    Property{"batch grouped", [](const ConvOp& op) { return op.batch_group_count > 1; }},
    Property{"reversed", [](const ConvOp& op) { return op.window[0].reversal; }},
    Property{"cropped", [](const ConvOp& op) { return op.window[0].pad_low < 0; }},
    Property{"large kernel", [](const ConvOp& op) { return element_count(op.kern_shape) >= 24; }},
    Property{"odd image", [](const ConvOp& op) { return element_count(op.in_shape) % 2 == 1; }},
    Property{"stored otherwise", [](const ConvOp& op) { return !is_identity(op.in_perm); }},
    Property{"narrow type", [](const ConvOp& op) { return op.element_type != ElementType::f32; }},
    Property{"result of some pixels",
             [](const ConvOp& op) { return element_count(op.res_shape) >= 7; }},
};

// Calls `law` for many convolutions with a property, and what they shrink to.
template <class Law>
void for_each_shrunk(Law law) {
  for (const Property& property : properties) {
    SplitMixDraw draw(7);
    int found = 0;
    for (int i = 0; i < 4000 && found < 25; ++i) {
      const ConvOp op = arbitrary_conv_op(draw);
      if (!property.holds(op)) continue;
      ++found;
      SCOPED_TRACE(property.name);
      const auto interesting = [&](const ConvOp& candidate) {
        return validate(candidate) && property.holds(candidate);
      };
      law(op, interesting, shrink(op, interesting));
    }
    EXPECT_GT(found, 0) << property.name;
  }
}

using Interesting = std::function<bool(const ConvOp&)>;

TEST(Shrink, a_small_convolution_keeps_the_property_and_is_well_formed) {
  for_each_shrunk([](const ConvOp&, const Interesting& interesting, const ConvOp& small) {
    EXPECT_TRUE(validate(small)) << to_string(small);
    EXPECT_TRUE(interesting(small)) << to_string(small);
  });
}

TEST(Shrink, no_tensor_grows) {
  for_each_shrunk([](const ConvOp& op, const Interesting&, const ConvOp& small) {
    if (small.element_type != op.element_type) return;  // a limit in bytes may need more elements
    EXPECT_LE(element_count(small.in_shape), element_count(op.in_shape)) << to_string(op);
    EXPECT_LE(element_count(small.kern_shape), element_count(op.kern_shape)) << to_string(op);
    EXPECT_LE(small.window.size(), op.window.size());
  });
}

TEST(Shrink, no_number_can_be_made_smaller_by_itself) {
  for_each_shrunk([](const ConvOp&, const Interesting& interesting, const ConvOp& small) {
    auto parts = take_apart(small);
    ASSERT_TRUE(parts);
    for (const Number& number : numbers_of(*parts)) {
      const std::int64_t now = *number.at;
      const std::int64_t step = number.distance() > 0 ? -1 : 1;
      if (number.distance() == 0) continue;
      for (const std::int64_t smaller : {now + step, number.plain}) {
        *number.at = smaller;
        EXPECT_FALSE(interesting(put_together(*parts)))
            << to_string(small) << " to " << to_string(put_together(*parts));
      }
      *number.at = now;
    }
  });
}

TEST(Shrink, no_flag_or_layout_can_be_made_plainer_by_itself) {
  for_each_shrunk([](const ConvOp&, const Interesting& interesting, const ConvOp& small) {
    for (std::size_t axis = 0; axis < small.window.size(); ++axis) {
      ConvOp plainer = small;
      plainer.window[axis].reversal = false;
      EXPECT_TRUE(plainer == small || !interesting(plainer)) << to_string(small);
    }
    auto parts = take_apart(small);
    ASSERT_TRUE(parts);
    parts->rest.in_perm = identity_perm(small.in_perm.size());
    const ConvOp plainer = put_together(*parts);
    EXPECT_TRUE(plainer == small || !interesting(plainer)) << to_string(small);
  });
}

TEST(Shrink, the_same_convolution_and_property_give_the_same_result) {
  for_each_shrunk([](const ConvOp& op, const Interesting& interesting, const ConvOp& small) {
    EXPECT_EQ(shrink(op, interesting), small);
    EXPECT_EQ(shrink(small, interesting), small);  // nothing is left to do
  });
}

TEST(Shrink, a_convolution_without_the_property_stays_as_it_is) {
  SplitMixDraw draw(3);
  const ConvOp op = arbitrary_conv_op(draw);
  EXPECT_EQ(shrink(op, [](const ConvOp&) { return false; }), op);
}

TEST(Shrink, a_product_is_split_so_that_the_extents_add_up_to_the_least) {
  ConvOp op;
  SplitMixDraw draw(5);
  const auto interesting = [](const ConvOp& candidate) {
    const LogicalSizes sizes = logical_sizes(candidate);
    return candidate.window.size() == 2 && validate(candidate) &&
           sizes.input[0] * sizes.input[1] > 128;
  };
  do {
    op = arbitrary_conv_op(draw, {.size = 2});
  } while (!interesting(op));
  const LogicalSizes sizes = logical_sizes(shrink(op, interesting));
  EXPECT_EQ(sizes.input[0] + sizes.input[1], 23);  // 11 x 12; 129 x 1 adds up to 130
}

TEST(Neighbours, differ_from_the_convolution_and_come_in_the_same_order) {
  SplitMixDraw draw(11);
  const ConvOp op = arbitrary_conv_op(draw);
  std::vector<ConvOp> first;
  visit_neighbours(op, [&](const ConvOp& near) {
    EXPECT_NE(near, op);
    first.push_back(near);
    return false;
  });
  EXPECT_GT(first.size(), 100U);
  std::size_t at = 0;
  visit_neighbours(op, [&](const ConvOp& near) { return near != first[at++] || at == 20; });
  EXPECT_EQ(at, 20U);
}

}  // namespace
}  // namespace convproof::oracle
