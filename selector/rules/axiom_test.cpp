#include "selector/rules/axiom.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "selector/registries/embedded.h"
#include "selector/rules/outcome.h"
#include "selector/rules/predicate.h"
#include "selector/rules/program.h"
#include "selector/rules/reference.h"
#include "selector/rules/schema.h"

namespace convproof {
namespace {

const Schema& schema() {
  static const Schema instance =
      load_schema(embedded_file("convolution.schema.json").value_or(""), "convolution.schema.json")
          .value();
  return instance;
}

class Record {
 public:
  // f32 image [2,8,10,12], kernel [16,4,3,3], two feature groups, result [2,16,8,10].
  Record() : slots_(schema().record_size, 0) {
    scalar("spatial_dims", 2);
    list("in_shape", {2, 8, 10, 12});
    list("kern_shape", {16, 4, 3, 3});
    list("res_shape", {2, 16, 8, 10});
    for (const char* perm : {"in_perm", "kern_perm", "out_perm"}) list(perm, {0, 1, 2, 3});
    for (const char* steps : {"stride", "lhs_dilation", "rhs_dilation"}) list(steps, {1, 1});
    list("padding", {0, 0, 0, 0}, 2);
    list("rhs_reversal", {0, 0});
    scalar("feature_group_count", 2);
    scalar("batch_group_count", 1);
    scalar("element_type", 1);
    scalar("result_element_type", 1);
    scalar("element_bytes", 4);
  }

  void scalar(std::string_view name, std::int64_t value) {
    slots_[schema().find_attribute(name)->slot] = value;
  }
  void list(std::string_view name, const std::vector<std::int64_t>& cells) {
    list(name, cells, static_cast<std::int64_t>(cells.size()));
  }
  void list(std::string_view name, const std::vector<std::int64_t>& cells, std::int64_t length) {
    const std::size_t at = schema().find_attribute(name)->slot;
    slots_[at] = length;
    std::ranges::copy(cells, slots_.begin() + static_cast<std::ptrdiff_t>(at) + 1);
  }
  [[nodiscard]] const std::vector<std::int64_t>& slots() const { return slots_; }

 private:
  std::vector<std::int64_t> slots_;
};

struct Violation {
  std::string_view id;
  std::function<void(Record&)> break_it;
  std::string_view error;
};

const std::vector<Violation>& violations() {
  static const std::vector<Violation> instance{
      {"spatial-dims", [](Record& r) { r.scalar("spatial_dims", 4); },
       "spatial_dims = 4: must be 1 to 3"},
      {"in-rank", [](Record& r) { r.list("in_shape", {2, 8, 10}); },
       "in_shape = [2, 8, 10]: must have an extent for batch, feature and each of 2 spatial "
       "dimensions"},
      {"kern-rank", [](Record& r) { r.list("kern_shape", {16, 4, 3}); },
       "kern_shape = [16, 4, 3]: must have an extent for both features and each of 2 spatial "
       "dimensions"},
      {"res-rank", [](Record& r) { r.list("res_shape", {2, 16, 8}); },
       "res_shape = [2, 16, 8]: must have an extent for batch, feature and each of 2 spatial "
       "dimensions"},
      {"in-perm", [](Record& r) { r.list("in_perm", {0, 1, 2, 2}); },
       "in_perm = [0, 1, 2, 2]: must be a permutation of the storage axes"},
      {"kern-perm", [](Record& r) { r.list("kern_perm", {0, 1, 2, 4}); },
       "kern_perm = [0, 1, 2, 4]: must be a permutation of the storage axes"},
      {"out-perm", [](Record& r) { r.list("out_perm", {0, 1, 2}); },
       "out_perm = [0, 1, 2]: must be a permutation of the storage axes"},
      {"in-extents", [](Record& r) { r.list("in_shape", {2, 8, 0, 12}); },
       "in_shape = [2, 8, 0, 12]: extents must be at least 1"},
      {"kern-extents", [](Record& r) { r.list("kern_shape", {16, 4, 0, 3}); },
       "kern_shape = [16, 4, 0, 3]: extents must be at least 1"},
      {"res-extents", [](Record& r) { r.list("res_shape", {2, 16, -1, 10}); },
       "res_shape = [2, 16, -1, 10]: extents must not be negative"},
      {"stride", [](Record& r) { r.list("stride", {1, 0}); },
       "stride = [1, 0]: must be at least 1 in each spatial dimension"},
      {"lhs-dilation", [](Record& r) { r.list("lhs_dilation", {1}); },
       "lhs_dilation = [1]: must be at least 1 in each spatial dimension"},
      {"rhs-dilation", [](Record& r) { r.list("rhs_dilation", {-1, 1}); },
       "rhs_dilation = [-1, 1]: must be at least 1 in each spatial dimension"},
      {"padding", [](Record& r) { r.list("padding", {0, 0}, 1); },
       "padding = [[0, 0]]: must give low and high for each spatial dimension"},
      {"rhs-reversal", [](Record& r) { r.list("rhs_reversal", {}); },
       "rhs_reversal = []: must be given for each spatial dimension"},
      {"feature-group-count", [](Record& r) { r.scalar("feature_group_count", 0); },
       "feature_group_count = 0: must be at least 1"},
      {"batch-group-count", [](Record& r) { r.scalar("batch_group_count", 0); },
       "batch_group_count = 0: must be at least 1"},
      {"one-group-count", [](Record& r) { r.scalar("batch_group_count", 2); },
       "batch_group_count = 2: must be 1 where feature_group_count is 2"},
      {"input-features", [](Record& r) { r.scalar("feature_group_count", 3); },
       "feature_group_count = 3: must divide the input features (8)"},
      {"kernel-features", [](Record& r) { r.list("kern_shape", {16, 5, 3, 3}); },
       "kern_shape = [16, 5, 3, 3]: its input features (5) must be the image's (8) divided by "
       "feature_group_count (2)"},
      {"output-features", [](Record& r) { r.list("kern_shape", {15, 4, 3, 3}); },
       "feature_group_count = 2: must divide the output features (15)"},
      {"batch",
       [](Record& r) {
         r.scalar("feature_group_count", 1);
         r.scalar("batch_group_count", 4);
         r.list("kern_shape", {16, 8, 3, 3});
       },
       "batch_group_count = 4: must divide the input batch (2)"},
      {"batch-output-features",
       [](Record& r) {
         r.scalar("feature_group_count", 1);
         r.scalar("batch_group_count", 2);
         r.list("kern_shape", {15, 8, 3, 3});
       },
       "batch_group_count = 2: must divide the output features (15)"},
      {"result-features", [](Record& r) { r.list("res_shape", {2, 17, 8, 10}); },
       "res_shape = [2, 17, 8, 10]: its features (17) must be the kernel's output features (16)"},
      {"result-batch", [](Record& r) { r.list("res_shape", {1, 16, 8, 10}); },
       "res_shape = [1, 16, 8, 10]: its batch (1) must be the input batch (2) divided by "
       "batch_group_count (1)"},
      {"padded-extent", [](Record& r) { r.list("padding", {-5, -6, 0, 0}, 2); },
       "padding = [[-5, -6], [0, 0]]: must not crop more than the dilated input has"},
      {"result-extents", [](Record& r) { r.list("res_shape", {2, 16, 8, 11}); },
       "res_shape = [2, 16, 8, 11]: its spatial extents must be the number of window positions"},
      {"element-bytes", [](Record& r) { r.scalar("element_bytes", 2); },
       "element_bytes = 2: must be the size of \"f32\""},
  };
  return instance;
}

TEST(Axioms, hold_for_a_well_formed_record) {
  EXPECT_EQ(evaluate(axioms_predicate(schema()), schema(), Record().slots()), PredicateOutcome{});
}

TEST(Axioms, an_empty_result_is_well_formed) {
  Record record;
  record.list("padding", {-4, -4, 0, 0}, 2);
  record.list("res_shape", {2, 16, 0, 10});
  EXPECT_EQ(evaluate(axioms_predicate(schema()), schema(), record.slots()), PredicateOutcome{});
}

TEST(Axioms, each_violated_once_gives_exactly_its_error) {
  const Predicate axioms = axioms_predicate(schema());
  const auto compiled = compile_predicate(axioms, schema());
  ASSERT_TRUE(compiled);
  Workspace workspace = compiled->make_workspace();
  ASSERT_EQ(violations().size(), schema().axioms.size());
  for (const Violation& violation : violations()) {
    Record record;
    violation.break_it(record);
    const PredicateOutcome outcome = evaluate(axioms, schema(), record.slots());
    EXPECT_EQ(compiled->run_row(0, record.slots(), workspace), outcome) << violation.id;
    ASSERT_EQ(outcome.kind, PredicateOutcome::Kind::not_matched) << violation.id;
    const Axiom& axiom = schema().axioms[outcome.clause];
    EXPECT_EQ(axiom.id, violation.id);
    EXPECT_EQ(to_string(axiom_error(axiom, schema(), record.slots())), violation.error);
  }
}

// The largest i of a to 1 with i * b <= 128 and i % d == 0, else 1.
std::int64_t replication_by_search(std::int64_t a, std::int64_t b, std::int64_t d) {
  for (std::int64_t i = a; i >= 1; --i) {
    if (i * b <= 128 && i % d == 0) return i;
  }
  return 1;
}

std::int64_t replication_factor(std::int64_t a, std::int64_t b, std::int64_t d) {
  static const auto expression = parse_expression(
      "replication_factor(a, b, d)", schema(),
      std::vector<Parameter>{
          {"a", Type::integer(), 0}, {"b", Type::integer(), 0}, {"d", Type::integer(), 0}},
      "t");
  Expression call = *expression;
  call.operands[0].value = a;
  call.operands[1].value = b;
  call.operands[2].value = d;
  return evaluate(call, schema(), std::vector<std::int64_t>(schema().record_size, 0))->number;
}

TEST(ReplicationFactor, agrees_with_its_definition) {
  for (std::int64_t a = 1; a <= 140; ++a) {
    for (std::int64_t b = 1; b <= 140; b += b < 20 ? 1 : 7) {
      for (std::int64_t d = 1; d <= 9; ++d) {
        ASSERT_EQ(replication_factor(a, b, d), replication_by_search(a, b, d))
            << a << " " << b << " " << d;
      }
    }
  }
}

// Design sheet of the Neuron table, section H, the examples of its helpers.
TEST(ReplicationFactor, gives_the_worked_examples) {
  struct Example {
    std::int64_t a, b, d, expected;
  };
  for (const Example& e :
       {Example{3, 3, 1, 3}, {7, 3, 1, 7},    {5, 32, 1, 4},   {3, 64, 1, 2},    {3, 128, 1, 1},
        {3, 43, 1, 2},       {3, 42, 1, 3},   {7, 18, 1, 7},   {7, 19, 1, 6},    {255, 1, 2, 128},
        {63, 1, 2, 62},      {223, 16, 2, 8}, {255, 16, 2, 8}, {129, 1, 2, 128}, {511, 1, 2, 128},
        {5, 30, 2, 4},       {5, 30, 3, 3},   {5, 60, 2, 2},   {5, 65, 2, 1},    {9, 10, 4, 8},
        {13, 12, 5, 10},     {1, 5, 1, 1}}) {
    EXPECT_EQ(replication_factor(e.a, e.b, e.d), e.expected) << e.a << " " << e.b << " " << e.d;
  }
}

}  // namespace
}  // namespace convproof
