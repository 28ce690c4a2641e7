#include <array>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "selector/frontends/benchdnn_problem.h"
#include "selector/frontends/document.h"
#include "selector/frontends/read_benchdnn.h"

namespace convproof {
namespace {

Document read(std::string_view text, BenchdnnDriver driver = BenchdnnDriver::conv) {
  auto document = read_benchdnn(text, "list", driver);
  EXPECT_TRUE(document) << to_string(document.error());
  return document ? *document : Document{};
}

std::string text_of(const FoundOp& found) {
  return found.op ? to_string(*found.op) : to_string(found.op.error());
}

std::string problem(std::string_view text, BenchdnnDriver driver = BenchdnnDriver::conv) {
  const Document document = read(text, driver);
  EXPECT_TRUE(document.errors.empty());
  return document.ops.size() == 1 ? text_of(document.ops[0]) : "not one problem";
}

TEST(Benchdnn, every_field_of_a_problem_is_read) {
  EXPECT_EQ(problem("mb3_g2ic8oc6_id5od3kd2sd2dd1pd1_ih6oh4kh3sh1dh0ph0_iw9ow4kw4sw2pw1n\"x y\""),
            "f32[3,8,5,6,9] x f32[6,4,2,3,4] -> f32[3,6,3,4,4], bf012_oi012->bf012, "
            "stride=2x1x2, pad=1_1x0_0x1_0, rhs_dilate=2x1x1, feature_group_count=2");
}

TEST(Benchdnn, missing_axes_are_copies_and_leading_ones_do_not_exist) {
  EXPECT_EQ(problem("ic3ih7oc4oh7kh5ph2"),
            "f32[2,3,7,7] x f32[4,3,5,5] -> f32[2,4,7,7], bf01_oi01->bf01, pad=2_2x2_2");
  EXPECT_EQ(problem("ic3iw7oc4kw3"), "f32[2,3,7] x f32[4,3,3] -> f32[2,4,5], bf0_oi0->bf0");
  EXPECT_EQ(problem("ic3id4oc4kd3"),
            "f32[2,3,4,4,4] x f32[4,3,3,3,3] -> f32[2,4,2,2,2], bf012_oi012->bf012");
  EXPECT_EQ(problem("ic3oc4id4kd3iw4kw3"), "list:1:1 = ih: must be given beside iw");
}

TEST(Benchdnn, a_missing_output_or_padding_follows_from_the_rest) {
  EXPECT_EQ(problem("ic1iw8oc1kw3sw2"),
            "f32[2,1,8] x f32[1,1,3] -> f32[2,1,3], bf0_oi0->bf0, "
            "stride=2, pad=0_-1");
  // Three more elements than there are: one at the near side.
  EXPECT_EQ(problem("ic1iw4oc1ow5kw3"),
            "f32[2,1,4] x f32[1,1,3] -> f32[2,1,5], bf0_oi0->bf0, pad=1_2");
  // One element less than there is, halved towards 0.
  EXPECT_EQ(problem("ic1iw4oc1ow3kw1"),
            "f32[2,1,4] x f32[1,1,1] -> f32[2,1,3], bf0_oi0->bf0, pad=0_-1");
}

TEST(Benchdnn, transposed_the_input_is_the_side_with_the_strides) {
  EXPECT_EQ(problem("g2ic4oc6iw3ow7kw3sw2", BenchdnnDriver::deconv),
            "f32[2,4,3] x f32[2,6,3] -> f32[2,6,7], bf0_io0->bf0, pad=2_2, lhs_dilate=2, "
            "rhs_reversal=1, feature_group_count=2");
  EXPECT_EQ(problem("--deconv ic4oc6iw3kw3sw2"),
            problem("ic4oc6iw3ow7kw3sw2pw0", BenchdnnDriver::deconv));
  EXPECT_EQ(benchdnn_driver_of("inputs/deconv/shapes_2d"), BenchdnnDriver::deconv);
  EXPECT_EQ(benchdnn_driver_of("inputs/conv/deconv"), BenchdnnDriver::conv);
}

TEST(Benchdnn, options_hold_for_the_problems_after_them) {
  const Document document = read(
      "# a remark\n"
      "--dir=BWD_D,bwd_w --dt=bf16:bf16:f32 ic1iw4oc2kw2n\"a\" # another\n"
      "--reset --mb=5 --stag=axb ic1iw4oc2kw2n\"b\"\n"
      "--cfg=u8s8s32 --dir=FWD_D ic1iw4oc2kw2\n");
  EXPECT_TRUE(document.errors.empty());
  ASSERT_EQ(document.ops.size(), 4U);
  EXPECT_EQ(document.ops[0].name, "a BWD_D");
  EXPECT_EQ(to_string(document.ops[0].place), "list:2:38");
  EXPECT_EQ(text_of(document.ops[0]),
            "f32[2,2,3] x f32[2,1,2] -> bf16[2,1,4], bf0_io0->bf0, pad=1_1, rhs_reversal=1");
}

TEST(Benchdnn, operands_of_two_types_have_one_that_holds_both) {
  const Document document = read("--dir=FWD_D --dt=u8:s8:u8,f16:f16:f32 ic1iw4oc2kw2");
  ASSERT_EQ(document.ops.size(), 2U);
  EXPECT_EQ(text_of(document.ops[0]), "s16[2,1,4] x s16[2,1,2] -> s32[2,2,3], bf0_oi0->bf0");
  EXPECT_EQ(document.ops[0].note, "operands of u8 and s8 are read as s16, which holds both");
  ASSERT_TRUE(document.ops[0].aten);
  EXPECT_EQ(document.ops[0].aten->convolution.element_type, ElementType::u8);
  EXPECT_EQ(document.ops[0].aten->weight_element_type, ElementType::s8);
  EXPECT_EQ(text_of(document.ops[1]), "f16[2,1,4] x f16[2,1,2] -> f32[2,2,3], bf0_oi0->bf0");
}

TEST(Benchdnn, a_direction_says_which_call_of_aten_it_is) {
  const Document document =
      read("--dir=FWD_B,FWD_D,BWD_D,BWD_W,BWD_WB ic4iw9oc6kw3sw2pw1 ic4iw8ow4oc6kw1");
  ASSERT_EQ(document.ops.size(), 10U);
  for (std::size_t index : {0U, 1U, 2U, 3U, 4U}) {
    ASSERT_TRUE(document.ops[index].aten);
    EXPECT_EQ(document.ops[index].aten->convolution.padding, (SpatialList{1}));
    EXPECT_EQ(document.ops[index].aten->backward, index > 1);
  }
  EXPECT_EQ(document.ops[0].aten->convolution.bias, 6);
  EXPECT_EQ(document.ops[1].aten->convolution.bias, std::nullopt);
  EXPECT_EQ(document.ops[2].aten->output_mask, (std::array{true, false, false}));
  EXPECT_EQ(document.ops[3].aten->output_mask, (std::array{false, true, false}));
  EXPECT_EQ(document.ops[4].aten->output_mask, (std::array{false, true, true}));
  EXPECT_TRUE(document.ops[4].aten->bias_sizes);
  EXPECT_EQ(document.ops[2].op->res_shape, (Shape{2, 4, 9}));
  EXPECT_EQ(document.ops[3].op->res_shape, (Shape{6, 4, 3}));
  // Four elements of the input cropped: nothing that symmetric padding could say.
  EXPECT_FALSE(document.ops[5].aten);
  EXPECT_TRUE(document.ops[5].op);
}

TEST(Benchdnn, what_is_wrong_with_a_problem_is_named_with_its_place) {
  EXPECT_EQ(problem("ic3iw7oc4kx3"), "list:1:1 = offset 9 = kx: is not a field of a problem");
  EXPECT_EQ(problem("ic3iw7ockw3"), "list:1:1 = offset 6 = ockw: is not a field of a problem");
  EXPECT_EQ(problem("ic3iw7oc_kw3"), "list:1:1 = oc: must be a number up to 2147483647");
  EXPECT_EQ(problem("ic99999999999999999999iw7oc1kw3"),
            "list:1:1 = ic = 99999999999999999999: must be a number up to 2147483647");
  EXPECT_EQ(problem("ic3iw7kw3"), "list:1:1 = oc: must be given");
  EXPECT_EQ(problem("ic3oc4"), "list:1:1 = problem: must have a spatial axis");
  EXPECT_EQ(problem("ic3iw7oc4"), "list:1:1 = kw: must be given");
  EXPECT_EQ(problem("g2ic3iw7oc4kw3"), "list:1:1 = ic = 3: must be a multiple of the 2 groups");
  EXPECT_EQ(problem("ic3iw7oc4kw3sw0"), "list:1:1 = sw = 0: must be at least 1");
  EXPECT_EQ(problem("ic3iw2oc4kw3"),
            "list:1:1 = ow = 0: must be at least 1 where it follows from the padding");
  EXPECT_EQ(problem("ic3iw7oc4kw3iw8"), "list:1:1 = iw = 8: was given before as 7");
}

TEST(Benchdnn, what_is_wrong_with_an_option_leaves_out_its_problems) {
  const Document document = read("--dir=FWD_X,BWD_D ic1iw4oc2kw2\n--dt=f33 ic1iw4oc2kw2\n'a");
  ASSERT_EQ(document.ops.size(), 1U);
  ASSERT_EQ(document.errors.size(), 3U);
  EXPECT_EQ(to_string(document.errors[0]),
            "list:1:1 = --dir=FWD_X,BWD_D: must be FWD_D, FWD_I, FWD_B, BWD_D, BWD_W or BWD_WB; "
            "problems with it are left out");
  EXPECT_EQ(document.errors[1].place, "list:2:1");
  EXPECT_EQ(to_string(document.errors[2]), "list:3:1 = 'a: has an open quote");
}

// A folder of lists of the test's own, removed with it.
class Lists {
 public:
  Lists() { std::filesystem::create_directories(folder_); }
  Lists(const Lists&) = delete;
  Lists& operator=(const Lists&) = delete;
  ~Lists() { std::filesystem::remove_all(folder_); }
  [[nodiscard]] std::string write(const std::string& name, std::string_view text) const {
    std::ofstream(folder_ / name) << text;
    return (folder_ / name).string();
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / "convproof_benchdnn_lists";
};

TEST(Benchdnn, a_batch_file_is_read_from_the_defaults_beside_its_list) {
  const Lists lists;
  const std::string shapes = lists.write("shapes", "ic1iw4oc2kw2n\"inner\"\n");
  const std::string list =
      lists.write("list", "--dir=BWD_D --batch=shapes ic1iw4oc2kw2n\"outer\" --batch=none\n");
  const auto document = read_document(list);
  ASSERT_TRUE(document) << to_string(document.error());
  ASSERT_EQ(document->ops.size(), 2U);
  EXPECT_EQ(document->ops[0].name, "inner");
  EXPECT_EQ(document->ops[0].place.file, shapes);
  EXPECT_EQ(document->ops[1].name, "outer BWD_D");
  ASSERT_EQ(document->errors.size(), 1U);
  EXPECT_EQ(document->errors[0].rule, "is not a file");
}

TEST(Benchdnn, a_list_that_holds_itself_ends) {
  const Lists lists;
  const auto document = read_document(lists.write("own", "--batch=own --batch=own ic1iw4oc2kw2\n"));
  ASSERT_TRUE(document);
  EXPECT_FALSE(document->errors.empty());
  EXPECT_EQ(document->errors[0].rule, "lists nest at most 8 deep");
}

TEST(Benchdnn, the_number_of_problems_is_bounded) {
  std::string text = "--mb=1";
  for (int i = 0; i < 60; ++i) text += ",1";
  text += " --dir=FWD_D";
  for (int i = 0; i < 60; ++i) text += ",FWD_D";
  for (int i = 0; i < 100; ++i) text += " ic1iw4oc2kw2";
  const Document document = read(text);
  EXPECT_EQ(document.ops.size(), 65536U);
  ASSERT_EQ(document.errors.size(), 1U);
  EXPECT_EQ(document.errors[0].rule, "more than 65536 problems: further ones are not read");
}

TEST(Benchdnn, only_lists_look_like_lists) {
  EXPECT_TRUE(looks_like_benchdnn("# x\n\n--reset\n"));
  EXPECT_TRUE(looks_like_benchdnn("mb1_ic3oc4ih5kh1"));
  EXPECT_TRUE(looks_like_benchdnn("ic3oc4iw5n"));
  EXPECT_FALSE(looks_like_benchdnn(""));
  EXPECT_FALSE(looks_like_benchdnn("name"));
  EXPECT_FALSE(looks_like_benchdnn("-- x"));
  EXPECT_FALSE(looks_like_benchdnn("#loc = loc(\"x\")\nmodule {}"));
}

}  // namespace
}  // namespace convproof
