#include "oracle/arbitrary_conv_op.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "selector/op/dim_labels.h"
#include "selector/op/tensor.h"

namespace convproof::oracle {
namespace {

constexpr std::uint64_t samples = 4000;

void for_each_sample(const GeneratorOptions& options,
                     const std::function<void(const ConvOp&)>& visit) {
  for (std::uint64_t seed = 0; seed < samples; ++seed) {
    SplitMixDraw draw(seed);
    visit(arbitrary_conv_op(draw, options));
  }
}

// Design sheet of the Neuron table, section A.1, well-formedness.
void expect_well_formed(const ConvOp& op) {
  const auto structure = check_structure(op);
  ASSERT_TRUE(structure) << op << ": " << to_string(structure.error());
  EXPECT_EQ(op.res_shape, infer_result_shape(op)) << op;
  const LogicalSizes sizes = logical_sizes(op);
  EXPECT_EQ(sizes.input_features, sizes.kernel_features * op.feature_group_count) << op;
  EXPECT_TRUE(op.feature_group_count == 1 || op.batch_group_count == 1) << op;
  EXPECT_EQ(sizes.batch % op.batch_group_count, 0) << op;
  EXPECT_EQ(sizes.output_features % op.batch_group_count, 0) << op;
  EXPECT_EQ(sizes.output_features % op.feature_group_count, 0) << op;
  EXPECT_EQ(sizes.result_features, sizes.output_features) << op;
  EXPECT_EQ(sizes.result_batch, sizes.batch / op.batch_group_count) << op;
}

TEST(ArbitraryConvOp, is_well_formed_and_never_empty) {
  for_each_sample({}, [](const ConvOp& op) {
    expect_well_formed(op);
    EXPECT_GT(element_count(op.res_shape), 0) << op;
    EXPECT_GT(multiply_adds(op), 0) << op;
  });
}

TEST(ArbitraryConvOp, stays_within_its_budget_and_is_mostly_small) {
  std::int64_t below_thousand = 0;
  for_each_sample({}, [&](const ConvOp& op) {
    EXPECT_LE(multiply_adds(op), GeneratorOptions{}.max_multiply_adds) << op;
    below_thousand += multiply_adds(op) < 1000 ? 1 : 0;
  });
  EXPECT_GT(below_thousand, static_cast<std::int64_t>(samples) * 3 / 4);
}

TEST(ArbitraryConvOp, one_seed_is_one_op) {
  SplitMixDraw first(7);
  SplitMixDraw second(7);
  EXPECT_EQ(arbitrary_conv_op(first), arbitrary_conv_op(second));
}

struct LowestDraw {
  std::int64_t between(std::int64_t low, std::int64_t) const { return low; }
};

TEST(ArbitraryConvOp, the_lowest_draws_give_the_plainest_op) {
  LowestDraw draw;
  EXPECT_EQ(to_string(arbitrary_conv_op(draw)),
            "f32[1,1,1,1] x f32[1,1,1,1] -> f32[1,1,1,1], bf01_oi01->bf01");
}

// What the generator promises to reach, each with how often in a thousand it must at least.
struct Corner {
  std::string_view name{};
  std::int64_t per_mille = 10;
  bool (*holds)(const ConvOp&, const LogicalSizes&){};
};

template <class Predicate>
bool any_axis(const ConvOp& op, Predicate predicate) {
  return std::any_of(op.window.begin(), op.window.end(), predicate);
}

constexpr Corner corners[]{
    {"an extent of 1", 100, [](auto&, auto& s) { return s.input[0] == 1; }},
    {"a stride that does not divide", 50,
     [](auto& op, auto& s) {
       const WindowDim& w = op.window[0];
       return (padded_extent(s.input[0], w) - dilated_extent(s.kernel[0], w.rhs_dilation)) %
                  w.stride !=
              0;
     }},
    {"a kernel wider than its input", 50, [](auto&, auto& s) { return s.kernel[0] > s.input[0]; }},
    {"padding of mixed sign", 30,
     [](auto& op, auto&) {
       return any_axis(op, [](const WindowDim& w) { return w.pad_low * w.pad_high < 0; });
     }},
    {"lhs dilation with padding", 30,
     [](auto& op, auto&) {
       return any_axis(op, [](const WindowDim& w) { return w.lhs_dilation > 1 && w.pad_low != 0; });
     }},
    {"rhs dilation with padding", 100,
     [](auto& op, auto&) {
       return any_axis(op, [](const WindowDim& w) { return w.rhs_dilation > 1 && w.pad_low != 0; });
     }},
    {"a reversed axis", 100,
     [](auto& op, auto&) { return any_axis(op, [](const WindowDim& w) { return w.reversal; }); }},
    {"depthwise", 100,
     [](auto& op, auto& s) {
       return op.feature_group_count > 1 && s.kernel_features == 1 &&
              s.output_features == s.input_features;
     }},
    {"feature groups in between", 20,
     [](auto& op, auto& s) { return op.feature_group_count > 1 && s.kernel_features > 1; }},
    {"batch groups at the end", 50,
     [](auto& op, auto& s) {
       return op.batch_group_count > 1 && op.batch_group_count == s.batch &&
              op.batch_group_count == s.output_features;
     }},
    {"batch groups in between", 20,
     [](auto& op, auto& s) { return op.batch_group_count > 1 && s.batch > op.batch_group_count; }},
    {"one spatial dimension", 20, [](auto& op, auto&) { return op.window.size() == 1; }},
    {"three spatial dimensions", 20, [](auto& op, auto&) { return op.window.size() == 3; }},
    {"an intermediate image", 100, [](auto& op, auto&) { return !op.input_is_graph_input; }},
    {"an intermediate kernel", 50, [](auto& op, auto&) { return !op.kernel_is_graph_input; }},
    {"a wider result type", 5,
     [](auto& op, auto&) { return op.result_element_type != op.element_type; }},
};

TEST(ArbitraryConvOp, reaches_every_corner_often) {
  std::map<std::string_view, std::int64_t> seen;
  std::set<std::string> image_labels;
  std::set<std::string> kernel_labels;
  std::set<std::string> result_labels;
  std::set<ElementType> types;
  for_each_sample({}, [&](const ConvOp& op) {
    const LogicalSizes sizes = logical_sizes(op);
    for (const Corner& corner : corners) seen[corner.name] += corner.holds(op, sizes) ? 1 : 0;
    types.insert(op.element_type);
    if (op.window.size() != 2) return;
    image_labels.insert(format_labels(op.in_perm, LabelRole::image));
    kernel_labels.insert(format_labels(op.kern_perm, LabelRole::kernel));
    result_labels.insert(format_labels(op.out_perm, LabelRole::image));
  });
  for (const Corner& corner : corners) {
    EXPECT_GE(seen[corner.name] * 1000, corner.per_mille * static_cast<std::int64_t>(samples))
        << corner.name << ": " << seen[corner.name];
  }
  EXPECT_EQ(image_labels.size(), 24U);  // all permutations of four axes
  EXPECT_EQ(kernel_labels.size(), 24U);
  EXPECT_EQ(result_labels.size(), 24U);
  EXPECT_EQ(types.size(), element_types.size());
}

bool labelled_as(const Perm& perm, LabelRole role, std::initializer_list<std::string_view> set) {
  return std::find(set.begin(), set.end(), format_labels(perm, role)) != set.end();
}

// The first row of the Neuron table whose documented predicate holds, 0 where none does.
// Source: design sheet of the Neuron table, section D; clauses that well-formed small ops cannot
// break are left out.
int neuron_row(const ConvOp& op) {
  if (op.window.size() != 2) return 0;
  const LogicalSizes s = logical_sizes(op);
  const auto all = [&](auto predicate) {
    return std::all_of(op.window.begin(), op.window.end(), predicate);
  };
  if (!all([](const WindowDim& w) { return w.lhs_dilation == 1; })) {
    return labelled_as(op.in_perm, LabelRole::image, {"f01b"}) &&
                   labelled_as(op.kern_perm, LabelRole::kernel, {"i01o", "io01", "oi01", "o01i"}) &&
                   labelled_as(op.out_perm, LabelRole::image, {"bf01", "f01b"})
               ? 10
               : 0;
  }
  const bool one_group = op.feature_group_count == 1 && op.batch_group_count == 1;
  const bool forward = all([](const WindowDim& w) { return !w.reversal; });
  if (one_group && forward &&
      labelled_as(op.in_perm, LabelRole::image, {"bf01", "fb01", "f01b", "b01f"}) &&
      labelled_as(op.kern_perm, LabelRole::kernel, {"oi01", "io01", "o01i", "io10"}) &&
      labelled_as(op.out_perm, LabelRole::image, {"bf01", "01bf", "f01b"})) {
    return 1;
  }
  if (op.batch_group_count > 1 && op.batch_group_count == s.batch &&
      op.batch_group_count == s.output_features) {
    if (labelled_as(op.kern_perm, LabelRole::kernel, {"io01"})) return 2;
    if (labelled_as(op.kern_perm, LabelRole::kernel, {"io10"})) return 4;
  }
  if (op.feature_group_count == s.input_features && op.batch_group_count == 1 && forward &&
      s.kernel_features == 1 && s.output_features == s.input_features && s.input[0] == 1 &&
      s.kernel[0] == 1 && s.result[0] == 1 && op.window[0].pad_low == 0 &&
      op.window[0].pad_high == 0 && op.window[1].pad_low >= 0 && op.window[1].pad_high >= 0 &&
      all([](const WindowDim& w) { return w.stride == 1 && w.rhs_dilation == 1; })) {
    return 3;
  }
  if (op.batch_group_count == 1 && s.input_features == s.output_features) return 5;
  if (one_group && op.kernel_is_graph_input && !op.input_is_graph_input &&
      dilated_extent(s.kernel[0], op.window[0].rhs_dilation) >= 2) {
    return 9;
  }
  return labelled_as(op.in_perm, LabelRole::image, {"f01b"}) &&
                 labelled_as(op.kern_perm, LabelRole::kernel, {"i01o", "io01", "oi01", "o01i"}) &&
                 labelled_as(op.out_perm, LabelRole::image, {"bf01", "f01b"})
             ? 10
             : 0;
}

TEST(ArbitraryConvOp, most_ops_reach_a_row_of_the_neuron_table_and_every_live_row_is_reached) {
  std::map<int, std::int64_t> rows;
  for_each_sample({}, [&](const ConvOp& op) { ++rows[neuron_row(op)]; });
  EXPECT_LT(rows[0], static_cast<std::int64_t>(samples) / 2);
  EXPECT_GT(rows[0], static_cast<std::int64_t>(samples) / 20);
  for (const int row : {1, 2, 3, 4, 5, 9, 10}) {
    EXPECT_GT(rows[row], static_cast<std::int64_t>(samples) / 100) << "row " << row;
    RecordProperty("row_" + std::to_string(row), std::to_string(rows[row]));
  }
}

TEST(ArbitraryConvOp, the_size_knob_reaches_the_tile_edges) {
  std::map<std::int64_t, std::int64_t> reached;
  for_each_sample({.size = 2}, [&](const ConvOp& op) {
    expect_well_formed(op);
    EXPECT_LE(multiply_adds(op), GeneratorOptions{}.max_multiply_adds) << op;
    for (const Shape& shape : {op.in_shape, op.kern_shape}) {
      for (const std::int64_t extent : shape) ++reached[extent];
    }
  });
  for (const std::int64_t edge : {127, 128, 129, 511, 512, 513}) EXPECT_GT(reached[edge], 20);
}

TEST(ArbitraryConvOp, empty_results_are_rare_and_only_on_request) {
  std::int64_t empty = 0;
  for_each_sample({.empty_results = true}, [&](const ConvOp& op) {
    expect_well_formed(op);
    empty += element_count(op.res_shape) == 0 ? 1 : 0;
  });
  EXPECT_GT(empty, 0);
  EXPECT_LT(empty, static_cast<std::int64_t>(samples) / 10);
}

TEST(ArbitraryConvOp, options_are_obeyed) {
  for_each_sample(
      {.spatial_dims = 3, .element_type = ElementType::bf16, .input_is_graph_input = false},
      [](const ConvOp& op) {
        EXPECT_EQ(op.window.size(), 3U);
        EXPECT_EQ(op.element_type, ElementType::bf16);
        EXPECT_FALSE(op.input_is_graph_input);
      });
}

TEST(ArbitraryPerm, is_a_permutation_of_any_rank) {
  std::set<std::string> seen;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    SplitMixDraw draw(seed);
    const Perm perm = arbitrary_perm(draw, 3);
    EXPECT_TRUE(is_permutation(perm));
    seen.insert(to_string(perm));
  }
  EXPECT_EQ(seen.size(), 6U);
}

}  // namespace
}  // namespace convproof::oracle
