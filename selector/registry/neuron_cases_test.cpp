// Section J of the Neuron table's design sheet, both profiles, row by row.
#include "selector/registry/neuron_cases.h"

#include <cstddef>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "selector/registry/conv_subject.h"
#include "selector/registry/matcher.h"
#include "selector/registry/registry.h"

namespace convproof {
namespace {

Registry table(const std::string& name, std::vector<OptionValue> options = {}) {
  auto registry = find_registry(name, options);
  if (!registry) ADD_FAILURE() << to_string(registry.error());
  return registry ? *registry : Registry{};
}

// The row that takes the op, empty for none, `raises` where a predicate does.
std::string selected(Matcher& matcher, const ConvOp& op) {
  const Selection selection = matcher.select(op);
  switch (selection.status) {
    case Selection::Status::matched:
      return matcher.registry().rows[selection.row].id;
    case Selection::Status::raised:
      return "raises";
    case Selection::Status::unmatched:
    case Selection::Status::gated:
      break;
  }
  return {};
}

// "1, 5!": every functional row whose predicate holds, `!` where its kernel's contract is broken.
std::string true_rows(Matcher& matcher, const ConvOp& op) {
  const Registry& registry = matcher.registry();
  std::vector<PredicateOutcome> outcomes;
  matcher.outcomes(op, outcomes);
  std::string text;
  for (std::size_t row = 0; row < outcomes.size(); ++row) {
    if (outcomes[row].kind != PredicateOutcome::Kind::matched) continue;
    std::vector<std::size_t> broken;
    matcher.broken_clauses(*registry.kernels.find(registry.rows[row].kernel), op, broken);
    text += fmt::format("{}{}{}", text.empty() ? "" : ", ", registry.rows[row].number,
                        broken.empty() ? "" : "!");
  }
  return text;
}

class SectionJ : public testing::TestWithParam<NeuronCase> {};

TEST_P(SectionJ, is_selected_as_the_sheet_says) {
  const NeuronCase& example = GetParam();
  const Registry documented = table("neuron");
  const Registry repaired = table("neuron-repaired");
  auto documented_matcher = Matcher::compile(documented);
  auto repaired_matcher = Matcher::compile(repaired);
  ASSERT_TRUE(documented_matcher) << to_string(documented_matcher.error());
  ASSERT_TRUE(repaired_matcher) << to_string(repaired_matcher.error());
  EXPECT_EQ(true_rows(*documented_matcher, example.op), example.true_rows) << to_string(example.op);
  EXPECT_EQ(selected(*documented_matcher, example.op),
            example.raises ? "raises" : example.documented)
      << to_string(example.op);
  EXPECT_EQ(selected(*repaired_matcher, example.op), example.raises ? "raises" : example.repaired)
      << to_string(example.op);
}

INSTANTIATE_TEST_SUITE_P(Neuron, SectionJ, testing::ValuesIn(neuron_cases()), [](const auto& info) {
  return fmt::format("case_{}", info.param.number);
});

TEST(SectionJ, holds_every_two_dimensional_case) { EXPECT_EQ(neuron_cases().size(), 64U); }

// Only the three malformed cases are no well-formed convolutions.
TEST(SectionJ, is_well_formed_but_for_the_asserting_cases) {
  for (const NeuronCase& example : neuron_cases()) {
    EXPECT_EQ(validate(example.op).has_value(), !example.raises) << example.number;
  }
}

// Case 63.
TEST(SectionJ, other_ranks_are_gated) {
  const Registry registry = table("neuron");
  auto matcher = Matcher::compile(registry);
  ASSERT_TRUE(matcher);
  ConvOp op{.in_shape = {1, 4, 8},
            .kern_shape = {4, 4, 3},
            .in_perm = {0, 1, 2},
            .kern_perm = {0, 1, 2},
            .out_perm = {0, 1, 2},
            .window = {{}}};
  op.res_shape = infer_result_shape(op);
  EXPECT_EQ(matcher->select(op).status, Selection::Status::gated);
  op = {.in_shape = {1, 4, 8, 8, 8},
        .kern_shape = {4, 4, 3, 3, 3},
        .in_perm = identity_perm(5),
        .kern_perm = identity_perm(5),
        .out_perm = identity_perm(5),
        .window = {{}, {}, {}}};
  op.res_shape = infer_result_shape(op);
  EXPECT_EQ(matcher->select(op).status, Selection::Status::gated);
}

// Case 10's remark, and the switches that the sheet leaves as data.
TEST(NeuronOptions, change_what_the_rows_take) {
  const Registry without_alt = table("neuron", {{"alt_shape", 0}});
  auto matcher = Matcher::compile(without_alt);
  EXPECT_EQ(selected(*matcher, neuron_case(48)), "");
  EXPECT_EQ(selected(*matcher, neuron_case(49)), "conv2d-dense");
}

// Decisions, item 3: with the low-channel assertions in row 2, depthwise gradients abort the
// compile.
TEST(NeuronRow2LowChannel, aborts_on_depthwise_gradients) {
  const Registry registry = table("neuron-row2-lowchannel");
  auto matcher = Matcher::compile(registry);
  ASSERT_TRUE(matcher) << to_string(matcher.error());
  const Selection selection = matcher->select(neuron_case(38));
  EXPECT_EQ(selection.status, Selection::Status::raised);
  EXPECT_EQ(raise_text(registry, selection),
            "row depthwise-backward, clause 6 `assert NR == N` raises: Convolution output batch "
            "must match input batch");
  EXPECT_EQ(selected(*matcher, neuron_case(40)),
            "depthwise-backward-io10");  // row 4 does not call the helper
}

// The source's three messages, in its order (cases 60 to 62).
TEST(Neuron, raises_the_documented_messages) {
  const Registry registry = table("neuron");
  auto matcher = Matcher::compile(registry);
  const auto message = [&](int number) {
    return raise_text(registry, matcher->select(neuron_case(number)));
  };
  EXPECT_EQ(message(60),
            "row replication, clause 5 `assert NR == N` raises: Convolution output batch must "
            "match input batch");
  EXPECT_EQ(message(61),
            "row replication, clause 6 `assert C == I` raises: Convolution input channels must "
            "match kernel input channels");
  EXPECT_EQ(message(62),
            "row replication, clause 7 `assert CR == O` raises: Convolution output channels must "
            "match kernel output channels");
}

TEST(Neuron, emits_exactly_the_eight_names) {
  const std::vector<std::string> eight{
      "Conv2d_dw_fb01_io01_01bf_rep_nhwc_Pcinh",  "conv2d_column_packing",
      "Conv1d_depthwise_bf01_oi01_bf01",          "conv2d_column_packing_io10",
      "conv2d_depthwise_f01b_o01i_bf01",          "conv2d_column_packing_1",
      "Conv2d_pbp_0f1b_0i1o_01fb_experimental_1", "Conv2d_pbp_fb01_io01_01bf_experimental_1"};
  EXPECT_EQ(table("neuron").kernel_names(), eight);
  EXPECT_EQ(table("neuron-repaired").kernel_names(), eight);
}

}  // namespace
}  // namespace convproof
