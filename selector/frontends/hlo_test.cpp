#include <cstddef>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "selector/frontends/document.h"

namespace convproof {
namespace {

Document read(std::string_view text) {
  auto document = read_hlo(text, "m.hlo");
  EXPECT_TRUE(document);
  return document ? *document : Document{};
}

// The text of the first operation, or of the error that stands for it.
std::string first(const Document& document) {
  if (document.ops.empty()) return "none";
  const FoundOp& found = document.ops.front();
  return found.op ? to_string(*found.op) : to_string(found.op.error());
}

// One convolution of an image [1,8,8,4] and a kernel [3,3,4,16].
std::string module_with(std::string_view result, std::string_view attributes) {
  return "HloModule m\nENTRY e {\n  a = f32[1,8,8,4] parameter(0)\n"
         "  k = f32[3,3,4,16] parameter(1)\n  ROOT c = " +
         std::string(result) + " convolution(a, k), " + std::string(attributes) + "\n}\n";
}

TEST(Hlo, a_whole_module_gives_its_convolutions_in_order) {
  const Document document = read(
      R"(HloModule m, is_scheduled=true, entry_computation_layout={(f32[1,8,8,4]{3,2,1,0})->f32[1,8,8,4]{3,2,1,0}}, frontend_attributes={note="a } b"}

%fused (p0: f32[1,8,8,4], p1: f32[1,1,4,4]) -> f32[1,8,8,4] {
  %p0 = f32[1,8,8,4]{3,2,1,0} parameter(0)
  %p1 = f32[1,1,4,4]{3,2,1,0} parameter(1)
  ROOT %c.1 = f32[1,8,8,4]{3,2,1,0} convolution(%p0, %p1), window={size=1x1}, dim_labels=b01f_01io->b01f
}, execution_thread="host"

ENTRY %main (x: f32[1,8,8,4]) -> (f32[1,8,8,4], /*index=1*/f32[]) {
  %x = f32[1,8,8,4]{3,2,1,0} parameter(0), metadata={op_type="a" op_name="b(\"q\" {"}
  %k = f32[1,1,4,4]{3,2,1,0} constant({ { { {1,2,3,4}, /*i0=1*/ {5,6,7,8} } } })
  %f = f32[1,8,8,4]{3,2,1,0} fusion(%x, %k), kind=kOutput, calls=%fused, backend_config={"a":{"b":["}"]}}
  // a remark with convolution(
  %c.2 = f32[1,8,8,4]{3,2,1,0} convolution(f32[1,8,8,4]{3,2,1,0} %x, /* kernel */ f32[1,1,4,4]{3,2,1,0} %k),
      dim_labels=b01f_01io->b01f, metadata={op_name="x" source_line=7},
      window={size=1x1}, backend_config="{\"w\":1}"
  %z = f32[] constant(0)
  ROOT %t = (f32[1,8,8,4]{3,2,1,0}, /*index=1*/f32[]) tuple(%c.2, %z)
}
)");
  EXPECT_TRUE(document.errors.empty());
  ASSERT_EQ(document.ops.size(), 2U);
  EXPECT_EQ(document.ops[0].name, "%c.1");
  EXPECT_EQ(to_string(document.ops[0].place), "m.hlo:6:8");
  ASSERT_TRUE(document.ops[0].op);
  EXPECT_FALSE(document.ops[0].op->input_is_graph_input);  // a fusion's parameter
  ASSERT_TRUE(document.ops[1].op);
  EXPECT_TRUE(document.ops[1].op->input_is_graph_input);
  EXPECT_FALSE(document.ops[1].op->kernel_is_graph_input);  // a constant
}

TEST(Hlo, every_part_of_the_window_is_read) {
  EXPECT_EQ(first(read(module_with(
                "f32[1,9,10,16]",
                "window={rhs_reversal=1x0 pad=-1_2x0_-3 lhs_dilate=1x2 size=3x3 rhs_dilate=1x1 "
                "stride=1x1}, dim_labels=b01f_01io->b01f"))),
            "m.hlo:5:8 = res_shape = [1, 9, 10, 16]: must be [1, 7, 10, 16], which operands, "
            "window and group counts imply");
  EXPECT_EQ(first(read(module_with(
                "f32[1,7,10,16]",
                "window={rhs_reversal=1x0 pad=-1_2x0_-3 lhs_dilate=1x2 size=3x3 rhs_dilate=1x1 "
                "stride=1x1}, dim_labels=b01f_01io->b01f"))),
            "f32[1,8,8,4] x f32[3,3,4,16] -> f32[1,7,10,16], b01f_01io->b01f, pad=-1_2x0_-3, "
            "lhs_dilate=1x2, rhs_reversal=1x0");
  EXPECT_EQ(
      first(read(module_with("f32[1,2,2,16]",
                             "window={size=3x3 stride=3x3 rhs_dilate=2x2}, "
                             "dim_labels=b01f_01io->b01f, operand_precision={highest,high}"))),
      "f32[1,8,8,4] x f32[3,3,4,16] -> f32[1,2,2,16], b01f_01io->b01f, stride=3x3, "
      "rhs_dilate=2x2");
}

TEST(Hlo, group_counts_are_read) {
  EXPECT_EQ(first(read(R"(HloModule m
ENTRY e {
  a = bf16[4,9,6] parameter(0)
  k = bf16[3,2,8] parameter(1)
  ROOT c = bf16[2,7,8] convolution(a, k), batch_group_count=2, window={size=3}, dim_labels=b0f_0io->b0f, feature_group_count=3
})")),
            "bf16[4,9,6] x bf16[3,2,8] -> bf16[2,7,8], b0f_0io->b0f, feature_group_count=3, "
            "batch_group_count=2");
}

TEST(Hlo, without_spatial_dimensions_no_window_is_needed) {
  EXPECT_EQ(first(read("ENTRY e {\n a = f32[5,7] parameter(0)\n k = f32[7,2] parameter(1)\n"
                       " ROOT c = f32[5,2] convolution(a, k), dim_labels=bf_io->bf\n}")),
            "f32[5,7] x f32[7,2] -> f32[5,2], bf_io->bf");
}

// f32[2,3,4,5]{0,3,2,1}: the axis of extent 2 varies fastest, so storage is 3,4,5,2.
TEST(Hlo, a_layout_folds_into_the_perms) {
  const Document document = read(R"(HloModule m
ENTRY e {
  a = f32[2,4,5,3]{0,3,2,1} parameter(0)
  k = f32[2,2,3,6]{2,3,1,0:T(8,128)(2,1)S(1)} parameter(1)
  ROOT c = f32[2,3,4,6]{3,2,1,0:T(8,128)} convolution(a, k), window={size=2x2}, dim_labels=b01f_01io->b01f
})");
  EXPECT_EQ(first(document), "f32[4,5,3,2] x f32[2,2,6,3] -> f32[2,3,4,6], 01fb_01oi->b01f");
  ASSERT_TRUE(document.ops[0].op);
  const LogicalSizes sizes = logical_sizes(*document.ops[0].op);
  EXPECT_EQ(sizes.batch, 2);
  EXPECT_EQ(sizes.input_features, 3);
  EXPECT_EQ(sizes.input[0], 4);
  EXPECT_EQ(sizes.output_features, 6);
  EXPECT_EQ(sizes.kernel_features, 3);
}

TEST(Hlo, an_operand_typed_without_layout_takes_that_of_its_definition) {
  EXPECT_EQ(first(read(R"(ENTRY e {
  a = f32[2,4]{0,1} parameter(0)
  k = f32[4,6] parameter(1)
  ROOT c = f32[2,6] convolution(f32[2,4] a, f32[4,6] k), dim_labels=bf_io->bf
})")),
            "f32[4,2] x f32[4,6] -> f32[2,6], fb_io->bf");
}

TEST(Hlo, a_typed_operand_needs_no_definition_and_a_bare_instruction_no_computation) {
  EXPECT_EQ(
      first(read("%c = f16[2,6] convolution(f16[2,4] %a, f16[4,6] %k), dim_labels=bf_io->bf")),
      "f16[2,4] x f16[4,6] -> f16[2,6], bf_io->bf, kernel=intermediate, "
      "image=intermediate");
}

TEST(Hlo, operands_may_be_defined_below_their_use) {
  const Document document = read(R"(ENTRY e {
  c = f32[2,6] convolution(a, k), dim_labels=bf_io->bf
  a = f32[2,4] parameter(0)
  k = f32[4,6] copy(a)
})");
  EXPECT_EQ(first(document), "f32[2,4] x f32[4,6] -> f32[2,6], bf_io->bf, kernel=intermediate");
}

TEST(Hlo, without_an_entry_the_last_computation_is_it_and_each_module_has_its_own) {
  const std::string text = R"(HloModule one
f {
  a = f32[2,4] parameter(0)
  k = f32[4,6] parameter(1)
  ROOT c = f32[2,6] convolution(a, k), dim_labels=bf_io->bf
}
)";
  const Document document = read(text + "g {\n z = f32[] constant(0)\n}\n" + text);
  ASSERT_EQ(document.ops.size(), 2U);
  EXPECT_FALSE(document.ops[0].op->input_is_graph_input);
  EXPECT_TRUE(document.ops[1].op->input_is_graph_input);
}

TEST(Hlo, tables_of_source_locations_are_passed_over) {
  const Document document = read(R"(HloModule m
FileNames
1 "a.py"
FunctionNames
1 "main"
FileLocations
1 {file_name_id=1 function_name_id=1 line=4 end_line=4 column=2 end_column=9}
StackFrames
1 {file_location_id=1 parent_frame_id=1}

ENTRY e {
  a = f32[2,4] parameter(0)
  k = f32[4,6] parameter(1)
  ROOT c = f32[2,6] convolution(a, k), dim_labels=bf_io->bf, metadata={stack_frame_id=1}
})");
  EXPECT_TRUE(document.errors.empty());
  EXPECT_EQ(document.ops.size(), 1U);
}

struct Refused {
  std::string result;
  std::string attributes;
  std::string error;
};

TEST(Hlo, a_bad_convolution_names_place_value_and_rule) {
  const std::string good = "window={size=3x3}, dim_labels=b01f_01io->b01f";
  const Refused cases[] = {
      {"f32[1,6,6,16]", "window={size=3x3}", "m.hlo:5:8 = dim_labels: must be given"},
      {"f32[1,6,6,16]", "dim_labels=b01f_01io->b01f", "m.hlo:5:8 = window: must be given"},
      {"f32[1,6,6,16]", "window={size=3x3 step=2x2}, dim_labels=b01f_01io->b01f",
       "m.hlo:5:62 = step=2x2: must be one of size, stride, pad, lhs_dilate, rhs_dilate, "
       "rhs_reversal"},
      {"f32[1,6,6,16]", "window={size=3x3 size=3x3}, dim_labels=b01f_01io->b01f",
       "m.hlo:5:62 = size: must occur once"},
      {"f32[1,6,6,16]", "window={size=3x2}, dim_labels=b01f_01io->b01f",
       "m.hlo:5:53 = size=3x2: part 1 must be the kernel's extent 3"},
      {"f32[1,6,6,16]", "window={size=3}, dim_labels=b01f_01io->b01f",
       "m.hlo:5:53 = size=3: must have 2 parts, one for each spatial dimension"},
      {"f32[1,6,6,16]", "window={size=3x3 pad=1x1}, dim_labels=b01f_01io->b01f",
       "m.hlo:5:62 = pad=1x1: must be pairs as 0_1 joined by 'x'"},
      {"f32[1,6,6,16]", "window={stride=1x1}, dim_labels=b01f_01io->b01f",
       "m.hlo:5:45 = {stride=1x1}: must have a size"},
      {"f32[1,6,6,16]", "window={size=3x3 stride=0x1}, dim_labels=b01f_01io->b01f",
       "m.hlo:5:8 = window[0].stride = 0: must be between 1 and 2147483647"},
      {"f32[1,6,6,16]", "window={size=3x3}, dim_labels=b01f_01bo->b01f",
       "m.hlo:5:75 = dim_labels = 01bo: 'b' is not one of o, i and the spatial dimensions 0 to 1"},
      {"f32[1,6,6,16]", "window={size=3}, dim_labels=b0f_0io->b0f",
       "m.hlo:5:73 = dim_labels = b0f_0io->b0f: must name the 4 dimensions of f32[1,8,8,4]"},
      {"f32[1,6,6,16]", good + ", feature_group_count=0",
       "m.hlo:5:92 = feature_group_count=0: must be an integer of at least 1"},
      {"q7[1,6,6,16]", good,
       "m.hlo:5:12 = q7: is not a known element type (f64, f32, bf16, f16, f8e4m3fn, f8e5m2, s8, "
       "u8, s16, s32, s64)"},
      {"f32[1,<=6,6,16]", good, "m.hlo:5:12 = f32[1,<=6,6,16]: extents must be static"},
      {"f32[1,6,6,16]{3,2,1}", good,
       "m.hlo:5:12 = f32[1,6,6,16]{3,2,1}: layout must be a permutation of the 4 dimensions"},
      {"f32[1,6,6,16,1,1]", good,
       "m.hlo:5:12 = f32[1,6,6,16,1,1]: must have at most 5 dimensions, 3 of them spatial"},
      {"(f32[1,6,6,16])", good, "m.hlo:5:12 = a tuple: must be an array"},
      {"f32[1,6,6,17]", good,
       "m.hlo:5:8 = res_shape = [1, 6, 6, 17]: must be [1, 6, 6, 16], which operands, window and "
       "group counts imply"},
  };
  for (const Refused& one : cases) {
    const Document document = read(module_with(one.result, one.attributes));
    EXPECT_EQ(first(document), one.error);
    EXPECT_TRUE(document.errors.empty());
  }
}

TEST(Hlo, bad_operands_name_place_value_and_rule) {
  const auto refused = [](const std::string& operands) {
    return first(
        read("ENTRY e {\na = f32[2,4] parameter(0)\nh = f16[4,6] parameter(1)\nc = "
             "f32[2,6] convolution(" +
             operands + "), dim_labels=bf_io->bf\n}"));
  };
  EXPECT_EQ(refused("a, b"), "m.hlo:4:29 = b: has no shape: it is not defined in this computation");
  EXPECT_EQ(refused("a, h"), "m.hlo:4:26 = f16[4,6]: must have the image's element type f32");
  EXPECT_EQ(refused("a"), "m.hlo:4:26 = a: must be two operands");
  EXPECT_EQ(refused("a, a, a"), "m.hlo:4:26 = a, a, a: must be two operands");
  EXPECT_EQ(refused("f32[4,2] a, a"), "m.hlo:4:26 = f32[4,2]: must be f32[2,4], as a is defined");
}

TEST(Hlo, a_bad_line_does_not_stop_the_rest) {
  const Document document = read(R"(ENTRY e {
  a = f32[2,4] parameter(0)
  ? what is this
  k = f32[4,6] parameter(1)
  ROOT c = f32[2,6] convolution(a, k), dim_labels=bf_io->bf
})");
  ASSERT_EQ(document.errors.size(), 1U);
  EXPECT_EQ(to_string(document.errors[0]),
            "m.hlo:3:3 = ? what is this: must be an instruction: NAME = SHAPE OPCODE(OPERANDS)");
  ASSERT_EQ(document.ops.size(), 1U);
  EXPECT_TRUE(document.ops[0].op);
}

TEST(Hlo, a_module_that_is_cut_keeps_what_came_before) {
  const std::string text =
      module_with("f32[1,6,6,16]", "window={size=3x3}, dim_labels=b01f_01io->b01f");
  const std::string whole = text.substr(0, text.size() - 2);
  Document document = read(whole);
  ASSERT_EQ(document.ops.size(), 1U);
  EXPECT_TRUE(document.ops[0].op);
  ASSERT_EQ(document.errors.size(), 1U);
  EXPECT_EQ(to_string(document.errors[0]), "m.hlo:2:1 = e: is a computation that is never closed");

  document = read(whole.substr(0, whole.find("size=3x3") + 4));
  EXPECT_TRUE(document.ops.empty());
  ASSERT_EQ(document.errors.size(), 1U);
  EXPECT_EQ(to_string(document.errors[0]), "m.hlo:5:52 = {: is never closed");
}

TEST(Hlo, every_prefix_and_every_damaged_byte_is_read_without_harm) {
  const std::string text =
      module_with("f32[1,6,6,16]{3,2,1,0:T(8,128)}",
                  "window={size=3x3}, /* c */ dim_labels=b01f_01io->b01f, metadata={a=\"b\"}");
  for (std::size_t length = 0; length <= text.size(); ++length)
    EXPECT_TRUE(read_hlo(std::string_view(text).substr(0, length), "m"));
  for (std::size_t at = 0; at < text.size(); ++at) {
    for (const char damage : {'(', '}', '"', '/', '\0', '9', '\n', ',', '=', '%', '\xff'}) {
      std::string damaged = text;
      damaged[at] = damage;
      EXPECT_TRUE(read_hlo(damaged, "m"));
    }
  }
}

TEST(Hlo, deep_nesting_and_endless_errors_stay_bounded) {
  const Document deep = read("a = f32[] b(" + std::string(1 << 20, '{'));
  EXPECT_EQ(deep.errors.size(), 1U);
  std::string many;
  for (int line = 0; line < 20000; ++line) many += "a = f32[] b({\n";
  EXPECT_LE(read(many).errors.size(), 9U);
  std::string garbage;
  for (int line = 0; line < 20000; ++line) garbage += "?\n";
  EXPECT_EQ(read(garbage).errors.size(), 101U);
}

}  // namespace
}  // namespace convproof
