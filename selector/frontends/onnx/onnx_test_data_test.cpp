#include <algorithm>
#include <cmath>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "selector/frontends/direct_convolution.h"
#include "selector/frontends/onnx/onnx_model_for_tests.h"
#include "selector/frontends/onnx/read_onnx.h"

namespace convproof {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view extra_cases = CONVPROOF_EXTRA_CASES;

std::vector<double> magnitudes(std::vector<double> values) {
  for (double& value : values) value = std::fabs(value);
  return values;
}

// The stated result is that of the stated operands, within the bound on rounding that their number
// and magnitude imply in f32, and no constant.
void expect_golden(const std::string& file, const FoundOp& found) {
  ASSERT_TRUE(found.op) << file << ": " << to_string(found.op.error());
  ASSERT_TRUE(found.golden) << file << ": " << found.note;
  const ConvOp& op = *found.op;
  const Golden& golden = *found.golden;
  const auto result = direct_convolution(op, golden.image.elements, golden.kernel.elements);
  const auto sizes =
      direct_convolution(op, magnitudes(golden.image.elements), magnitudes(golden.kernel.elements));
  ASSERT_EQ(result.size(), golden.expected.elements.size());
  const LogicalSizes logical = logical_sizes(op);
  double terms = 1 + static_cast<double>(logical.kernel_features);
  for (const std::int64_t extent : logical.kernel) terms *= static_cast<double>(extent);
  const double roundoff = std::ldexp(1.0, -24);
  const auto position = static_cast<std::size_t>(element_count(op.res_shape)) /
                        static_cast<std::size_t>(op.res_shape[0] * op.res_shape[1]);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const double bias = golden.bias.empty()
                            ? 0
                            : golden.bias[i / position % static_cast<std::size_t>(op.res_shape[1])];
    const double allowed = (terms + 2) * roundoff * (sizes[i] + std::fabs(bias));
    ASSERT_LE(std::fabs(result[i] + bias - golden.expected.elements[i]), allowed)
        << file << " at " << i;
  }
}

std::vector<fs::path> directories(const std::string& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(fs::path(extra_cases) / "files" / folder))
    found.push_back(entry.path());
  std::ranges::sort(found);
  return found;
}

std::string content(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

class OnnxNodeTests : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (extra_cases.empty()) GTEST_SKIP() << "CONVPROOF_EXTRA_CASES names no folder";
  }
};

TEST_P(OnnxNodeTests, equal_their_golden_output) {
  std::size_t golden = 0;
  for (const fs::path& folder : directories(GetParam())) {
    const std::string file = (folder / "model.onnx").string();
    const auto document = read_document(file, {&onnx_format, 1});
    ASSERT_TRUE(document) << to_string(document.error());
    EXPECT_TRUE(document->errors.empty()) << file;
    ASSERT_EQ(document->ops.size(), 1U) << file;
    if (folder.filename() == "test_convinteger_with_padding") {
      EXPECT_FALSE(document->ops[0].op);
      continue;
    }
    expect_golden(file, document->ops[0]);
    ++golden;
  }
  EXPECT_EQ(golden, GetParam() == "onnx-node" ? 12U : 19U);
}

// Whatever is left of a model when it is cut is a model or an error, and nothing crashes.
TEST_P(OnnxNodeTests, cut_at_any_length_are_a_document_or_an_error) {
  std::size_t refused = 0;
  for (const fs::path& folder : directories(GetParam())) {
    const std::string bytes = content(folder / "model.onnx");
    for (std::size_t length = 0; length < bytes.size(); ++length) {
      const auto document = read_onnx(std::string_view(bytes).substr(0, length), "cut.onnx");
      if (!document) {
        ++refused;
        EXPECT_EQ(document.error().place, "cut.onnx");
        continue;
      }
      for (const FoundOp& found : document->ops) {
        EXPECT_TRUE(found.op ? check_structure(*found.op).has_value()
                             : found.op.error().place.starts_with("cut.onnx: node["));
      }
    }
  }
  EXPECT_GT(refused, 1000U);
}

// So is a model with any byte changed.
TEST_P(OnnxNodeTests, with_any_byte_changed_are_a_document_or_an_error) {
  std::size_t read = 0;
  for (const fs::path& folder : directories(GetParam())) {
    std::string bytes = content(folder / "model.onnx");
    for (std::size_t at = 0; at < bytes.size(); ++at) {
      for (const int flip : {0x01, 0x08, 0x80, 0xff}) {
        const char before = bytes[at];
        bytes[at] = static_cast<char>(before ^ flip);
        if (const auto document = read_onnx(bytes, "changed.onnx")) {
          for (const FoundOp& found : document->ops) {
            read += found.op ? 1 : 0;
            EXPECT_TRUE(!found.op || check_structure(*found.op).has_value());
          }
        }
        bytes[at] = before;
      }
    }
  }
  EXPECT_GT(read, 1000U);
}

INSTANTIATE_TEST_SUITE_P(All, OnnxNodeTests, testing::Values("onnx-node", "onnx-pytorch-converted"),
                         [](const auto& info) {
                           return info.param == "onnx-node" ? "node" : "pytorch";
                         });

// A model with test data of the test's own, removed with it.
class OnnxFolder {
 public:
  explicit OnnxFolder(const OnnxModelForTests& model)
      : path_(fs::path(testing::TempDir()) /
              (std::string("convproof_onnx_") +
               testing::UnitTest::GetInstance()->current_test_info()->name())) {
    write("model.onnx", model.bytes());
  }
  OnnxFolder(const OnnxFolder&) = delete;
  OnnxFolder& operator=(const OnnxFolder&) = delete;
  ~OnnxFolder() { fs::remove_all(path_); }

  void write(const std::string& name, const std::string& bytes) const {
    fs::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << bytes;
  }
  [[nodiscard]] Document read() const {
    auto document = read_onnx_file((path_ / "model.onnx").string());
    EXPECT_TRUE(document) << to_string(document.error());
    return document ? *document : Document{};
  }
  [[nodiscard]] std::string path(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

std::string tensor(std::initializer_list<std::int64_t> shape, const std::vector<float>& values) {
  onnx::TensorProto tensor;
  tensor.set_data_type(onnx::TensorProto_DataType_FLOAT);
  for (const std::int64_t extent : shape) tensor.add_dims(extent);
  for (const float value : values) tensor.add_float_data(value);
  return tensor.SerializeAsString();
}

OnnxModelForTests small_model() {
  OnnxModelForTests model("ConvTranspose");
  model.input("X", {1, 2, 1}).input("W", {2, 1, 2}).input("B", {2}).number("group", 2);
  model.output({1, 2, 2});
  return model;
}

TEST(OnnxTestData, every_data_set_gives_operands_bias_and_result) {
  const OnnxFolder folder(small_model());
  for (const int set : {0, 1}) {
    const std::string at = "test_data_set_" + std::to_string(set) + "/";
    const float scale = static_cast<float>(set + 1);
    folder.write(at + "input_0.pb", tensor({1, 2, 1}, {scale, 10 * scale}));
    folder.write(at + "input_1.pb", tensor({2, 1, 2}, {1, 2, 3, 4}));
    folder.write(at + "input_2.pb", tensor({2}, {5, 6}));
    folder.write(at + "output_0.pb",
                 tensor({1, 2, 2}, {scale + 5, 2 * scale + 5, 30 * scale + 6, 40 * scale + 6}));
  }
  const Document document = folder.read();
  EXPECT_TRUE(document.errors.empty());
  ASSERT_EQ(document.ops.size(), 2U);
  EXPECT_EQ(document.ops[1].name, "the_node test_data_set_1");
  for (const FoundOp& found : document.ops) {
    expect_golden("own", found);
    EXPECT_EQ(found.golden->bias, (std::vector<double>{5, 6}));
    EXPECT_EQ(found.golden->kernel.shape, found.op->kern_shape);
  }
}

TEST(OnnxTestData, values_that_do_not_fit_are_left_out_with_a_note) {
  const OnnxFolder folder(small_model());
  folder.write("test_data_set_0/input_0.pb", tensor({1, 2, 1}, {1, 2}));
  folder.write("test_data_set_0/input_1.pb", tensor({2, 1, 2}, {1, 2, 3}));
  folder.write("test_data_set_0/input_2.pb", tensor({2}, {5, 6}));
  folder.write("test_data_set_0/output_0.pb", tensor({1, 2, 2}, {1, 2, 3, 4}));
  Document document = folder.read();
  ASSERT_EQ(document.ops.size(), 1U);
  EXPECT_FALSE(document.ops[0].golden);
  EXPECT_EQ(document.ops[0].note,
            "golden values left out: W = float_data: 3 elements: must be the 4 of the shape");

  folder.write("test_data_set_0/input_1.pb", tensor({2, 1, 1}, {1, 2}));
  document = folder.read();
  EXPECT_EQ(document.ops[0].note,
            "golden values left out: W: is not of the operation's type and shape");
}

TEST(OnnxTestData, a_cut_tensor_is_an_error_of_its_file) {
  const OnnxFolder folder(small_model());
  const std::string whole = tensor({1, 2, 1}, {1, 2});
  folder.write("test_data_set_0/input_0.pb", whole.substr(0, whole.size() - 1));
  const Document document = folder.read();
  ASSERT_EQ(document.errors.size(), 1U);
  EXPECT_EQ(to_string(document.errors[0]),
            folder.path("test_data_set_0/input_0.pb") + ": is not a whole ONNX tensor");
  ASSERT_EQ(document.ops.size(), 1U);
  EXPECT_TRUE(document.ops[0].op);
  EXPECT_FALSE(document.ops[0].golden);
}

}  // namespace
}  // namespace convproof
