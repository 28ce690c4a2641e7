#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "selector/frontends/aten.h"
#include "selector/frontends/direct_convolution.h"
#include "selector/frontends/document.h"

namespace convproof {
namespace {

constexpr std::string_view extra_cases = CONVPROOF_EXTRA_CASES;

class ExtraCases : public testing::Test {
 protected:
  void SetUp() override {
    if (extra_cases.empty()) GTEST_SKIP() << "CONVPROOF_EXTRA_CASES names no folder";
  }

  static Document read(const std::string& path) {
    auto document = read_document(std::string(extra_cases) + "/" + path);
    EXPECT_TRUE(document) << to_string(document.error());
    return document ? *document : Document{};
  }
  static std::vector<std::string> files(const std::string& folder) {
    std::vector<std::string> names;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(extra_cases) + "/" + folder))
      names.push_back(folder + "/" + entry.path().filename().string());
    std::ranges::sort(names);
    return names;
  }
};

double tolerance(ElementType type) {
  switch (type) {
    case ElementType::f16:
      return 2e-2;
    case ElementType::bf16:
      return 6e-2;
    case ElementType::f32:
    case ElementType::f64:
      return 1e-4;
    default:
      return 0;
  }
}

// The stated result follows from the stated operands, in the parsed operation's own layout.
void expect_golden(const std::string& file, const FoundOp& found) {
  ASSERT_TRUE(found.op) << file << ": " << to_string(found.op.error());
  ASSERT_TRUE(found.golden) << file << " " << found.name << ": " << found.note;
  const Golden& golden = *found.golden;
  const auto result = direct_convolution(*found.op, golden.image.elements, golden.kernel.elements);
  ASSERT_EQ(result.size(), golden.expected.elements.size());
  double largest = 1;
  for (const double value : golden.expected.elements) largest = std::max(largest, std::fabs(value));
  const double allowed = tolerance(found.op->element_type) * largest;
  for (std::size_t i = 0; i < result.size(); ++i)
    ASSERT_LE(std::fabs(result[i] - golden.expected.elements[i]), allowed) << file << " at " << i;
}

TEST_F(ExtraCases, hlo_modules_have_their_convolutions) {
  std::size_t modules = 0;
  for (const std::string& file : files("files/hlo")) {
    const Document document = read(file);
    ++modules;
    EXPECT_TRUE(document.errors.empty()) << file;
    EXPECT_EQ(document.ops.size(), file.ends_with("ssd_mobilenet_stem_excerpt.hlo") ? 3U : 1U)
        << file;
    for (const FoundOp& found : document.ops) {
      if (file.ends_with("conv4d_reducible_to_2d.hlo")) {
        ASSERT_FALSE(found.op);
        EXPECT_EQ(found.op.error().rule, "must have at most 5 dimensions, 3 of them spatial");
        continue;
      }
      EXPECT_TRUE(found.op) << to_string(found.op.error());
    }
  }
  EXPECT_EQ(modules, 19U);
}

TEST_F(ExtraCases, stablehlo_data_files_agree_with_their_values) {
  std::size_t data_files = 0;
  for (const std::string& file : files("files/stablehlo")) {
    if (file.ends_with("verify_convolution.mlir")) continue;
    const Document document = read(file);
    EXPECT_TRUE(document.errors.empty()) << file;
    if (file.ends_with("interpret_convolution.mlir")) {
      EXPECT_EQ(document.ops.size(), 5U);
    } else {
      EXPECT_EQ(document.ops.size(), 1U) << file;
      ++data_files;
    }
    for (const FoundOp& found : document.ops) expect_golden(file, found);
  }
  EXPECT_EQ(data_files, 27U);
}

TEST_F(ExtraCases, the_iree_suite_agrees_with_its_values) {
  const std::string file = "files/iree/stablehlo_ops_convolution.mlir";
  const Document document = read(file);
  EXPECT_TRUE(document.errors.empty());
  EXPECT_EQ(document.ops.size(), 10U);
  for (const FoundOp& found : document.ops) expect_golden(file, found);
}

TEST_F(ExtraCases, the_verifier_suite_is_judged_as_its_comments_say) {
  const Document document = read("files/stablehlo/verify_convolution.mlir");
  std::map<std::string, int> accepted;
  for (const FoundOp& found : document.ops) {
    if (found.op) {
      ++accepted[found.name];
      continue;
    }
    EXPECT_TRUE(found.op.error().place.find("verify_convolution.mlir:") != std::string::npos);
    EXPECT_FALSE(found.op.error().value.empty());
    EXPECT_FALSE(found.op.error().rule.empty());
  }
  EXPECT_EQ(document.ops.size(), 42U);
  const std::map<std::string, int> expected{{"@convolution:%result", 1},
                                            {"@convolution_empty_spatial_dimensions:%0", 1},
                                            {"@convolution_upcast:%result", 1}};
  EXPECT_EQ(accepted, expected);
  // The module attributes with dimension numbers that do not parse.
  EXPECT_EQ(document.errors.size(), 9U);
}

// Every problem of every list, with the output that it states; three are larger than any tensor
// here.
TEST_F(ExtraCases, benchdnn_lists_have_shapes_that_agree) {
  std::size_t lists = 0;
  std::size_t problems = 0;
  std::size_t calls = 0;
  std::size_t refused = 0;
  for (const std::string folder : {"files/benchdnn/conv", "files/benchdnn/deconv"}) {
    for (const std::string& file : files(folder)) {
      const Document document = read(file);
      ++lists;
      EXPECT_TRUE(document.errors.empty()) << file;
      for (const FoundOp& found : document.ops) {
        ++problems;
        calls += found.aten ? 1 : 0;
        if (!found.op) {
          ++refused;
          EXPECT_EQ(found.op.error().rule, "must be a number up to 2147483647");
          EXPECT_TRUE(file.ends_with("shapes_large_conv"));
          continue;
        }
        EXPECT_EQ(infer_result_shape(*found.op), found.op->res_shape) << found.name;
        if (!found.aten) continue;
        const auto op = aten_operation(*found.aten);
        ASSERT_TRUE(op) << found.name << ": " << to_string(op.error());
        EXPECT_EQ(op->res_shape, found.op->res_shape) << found.name;
      }
    }
  }
  EXPECT_EQ(lists, 23U);
  EXPECT_EQ(problems, 1161U);
  EXPECT_EQ(calls, 791U);
  EXPECT_EQ(refused, 3U);
}

TEST_F(ExtraCases, torch_mlir_text_has_its_convolutions) {
  const std::string file = "files/torch-mlir/torch_aten_convolution.mlir";
  const Document document = read(file);
  EXPECT_TRUE(document.errors.empty());
  EXPECT_EQ(document.ops.size(), 8U);
  std::size_t noted = 0;
  for (const FoundOp& found : document.ops) {
    if (found.name == "@q_conv_test:%9") {  // quantised, of unknown extents
      EXPECT_FALSE(found.op);
      continue;
    }
    ASSERT_TRUE(found.op) << to_string(found.op.error());
    EXPECT_TRUE(found.aten);
    // Two of the suite's functions declare less than strides and kernel make.
    noted += found.note.starts_with("declared as !torch.vtensor<[1,4,10,14],f32>") ? 1 : 0;
  }
  EXPECT_EQ(noted, 2U);
}

TEST_F(ExtraCases, the_reported_bugs_meet_their_expectations) {
  const Document document = read("bugs.json");
  EXPECT_TRUE(document.errors.empty());
  EXPECT_EQ(document.ops.size(), 27U);
  std::size_t refused = 0;
  for (const FoundOp& found : document.ops) {
    ASSERT_TRUE(found.expectation) << found.name;
    if (found.expectation->error) {
      EXPECT_FALSE(found.op) << found.name;
      ++refused;
      continue;
    }
    ASSERT_TRUE(found.op) << found.name << ": " << to_string(found.op.error());
    EXPECT_EQ(found.op->res_shape, found.expectation->out_shape) << found.name;
    EXPECT_EQ(infer_result_shape(*found.op), found.expectation->out_shape) << found.name;
  }
  EXPECT_EQ(refused, 3U);
}

}  // namespace
}  // namespace convproof
