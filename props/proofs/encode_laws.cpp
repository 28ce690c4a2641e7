// The encoding agrees with the evaluator of the language, raises included.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include "oracle/arbitrary_conv_op.h"
#include "oracle/draw.h"
#include "props/proofs/encode.h"
#include "props/proofs/solve.h"
#include "selector/registry/conv_subject.h"
#include "selector/rules/predicate.h"
#include "selector/rules/random_expression.h"
#include "selector/rules/reference.h"
#include "selector/rules/schema.h"
#include "selector/rules/test_schema.h"

namespace convproof::proofs {
namespace {

constexpr std::uint32_t depth = 3;

std::uint32_t drawn(std::uint32_t below) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint32_t>(0, below));
}

const Schema& test_schema() {
  static const Schema schema = *load_schema(test_schema_text, "test.schema.json");
  return schema;
}

struct Sample {
  Expression condition{};
  std::vector<std::int64_t> record{};
  RecordShape shape{};
};

// What the evaluator says and what the formulas say of the same record.
void compare(const Schema& schema, const Sample& sample) {
  Encoder encoder(schema, sample.shape);
  const SymbolicOutcome outcome = encoder.expression(sample.condition);
  const std::vector<std::int64_t> variables = encoder.variables(sample.record);
  RC_ASSERT(encoder.fits(sample.record));
  RC_ASSERT(encoder.variables(encoder.record(variables)) == variables);
  const std::vector<Wide> values = encoder.graph().evaluate(variables);
  const auto expected = evaluate(sample.condition, schema, sample.record);
  RC_LOG() << to_string(sample.condition) << '\n';
  RC_ASSERT((values[outcome.raises] != 0) == !expected.has_value());
  if (!expected) return;
  RC_ASSERT(values[outcome.value.scalar] == Wide{expected->number});
}

// The same through the solver: with every variable given, it must find the outcome and no other.
void compare_solved(const Schema& schema, const Sample& sample) {
  Encoder encoder(schema, sample.shape);
  const SymbolicOutcome outcome = encoder.expression(sample.condition);
  const std::vector<std::int64_t> variables = encoder.variables(sample.record);
  const auto expected = evaluate(sample.condition, schema, sample.record);
  Graph& graph = encoder.graph();
  const Node same =
      expected
          ? graph.conjunction(graph.negation(outcome.raises),
                              graph.equal(outcome.value.scalar, graph.truth(expected->number != 0)))
          : outcome.raises;
  std::vector<Node> given;
  for (Node node = 0; node < graph.size(); ++node) {
    if (graph[node].kind != NodeKind::variable) continue;
    const std::int64_t value = variables[static_cast<std::size_t>(graph[node].value)];
    given.push_back(
        graph.equal(node, graph[node].boolean ? graph.truth(value != 0) : graph.constant(value)));
  }
  const Node different = graph.negation(same);
  RC_LOG() << to_string(sample.condition) << '\n';
  Solver solver(graph, {}, variables, {});
  given.push_back(same);
  RC_ASSERT(solver.check(given).status == SolverAnswer::Status::satisfiable);
  given.back() = different;
  RC_ASSERT(solver.check(given).status == SolverAnswer::Status::unsatisfiable);
}

Expression drawn_condition(RandomExpression& random, const Schema& schema) {
  const auto condition = parse_condition(random.condition(depth), schema, {}, "law");
  RC_PRE(condition.has_value());
  return *condition;
}

// A condition over a schema with lists of every length, on any record.
Sample any_sample() {
  const Schema& schema = test_schema();
  RandomExpression random(schema, drawn);
  Sample sample;
  sample.condition = drawn_condition(random, schema);
  sample.record = random.record();
  return sample;
}

// A condition over convolutions, on a well-formed one, in the shape that holds it.
Sample convolution_sample() {
  const Schema& schema = convolution_schema();
  RandomExpression random(schema, drawn);
  Sample sample;
  sample.condition = drawn_condition(random, schema);
  oracle::SplitMixDraw draw(
      *rc::gen::resize(rc::kNominalSize, rc::gen::inRange<std::uint64_t>(0, 1'000'000)));
  const ConvOp op = oracle::arbitrary_conv_op(draw);
  sample.record.assign(schema.record_size, 0);
  fill_record(op, convolution_binding(), sample.record);
  static const std::vector<RecordShape> shapes = record_shapes(schema, {});
  for (const RecordShape& shape : shapes) {
    bool fits = true;
    for (const auto& [slot, value] : shape.fixed) fits = fits && sample.record[slot] == value;
    if (fits) sample.shape = shape;
  }
  return sample;
}

TEST(RecordShapes,
     a_convolution_has_one_for_each_number_of_spatial_dims_and_reads_through_its_perms) {
  const std::vector<RecordShape> shapes = record_shapes(convolution_schema(), {});
  ASSERT_EQ(shapes.size(), 3U);
  for (const RecordShape& shape : shapes) {
    EXPECT_EQ(shape.permuted.size(), 3U);
    EXPECT_EQ(shape.fixed.size(), 12U);  // spatial_dims and the lengths of eleven lists
  }
}

RC_GTEST_PROP(Encoding, agrees_with_the_evaluator_on_any_record, ()) {
  for (int i = 0; i < 40; ++i) compare(test_schema(), any_sample());
}

RC_GTEST_PROP(Encoding, agrees_with_the_evaluator_on_convolutions, ()) {
  for (int i = 0; i < 40; ++i) compare(convolution_schema(), convolution_sample());
}

RC_GTEST_PROP(Encoding, solved_agrees_with_the_evaluator_on_any_record, ()) {
  for (int i = 0; i < 8; ++i) compare_solved(test_schema(), any_sample());
}

RC_GTEST_PROP(Encoding, solved_agrees_with_the_evaluator_on_convolutions, ()) {
  for (int i = 0; i < 8; ++i) compare_solved(convolution_schema(), convolution_sample());
}

}  // namespace
}  // namespace convproof::proofs
