#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "selector/frontends/document.h"

namespace convproof {
namespace {

// A file of the test's own, removed with it.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view content)
      : path_(testing::TempDir() + "convproof_read_document_" +
              testing::UnitTest::GetInstance()->current_test_info()->name()) {
    std::ofstream(path_, std::ios::binary) << content;
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { std::filesystem::remove(path_); }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_;
};

std::size_t count(std::string_view content) {
  const TemporaryFile file(content);
  const auto document = read_document(file.path());
  return document ? document->ops.size() : 999;
}

std::string refusal(std::string_view content) {
  const TemporaryFile file(content);
  const auto document = read_document(file.path());
  if (document) return "read";
  EXPECT_EQ(document.error().place, file.path());
  return document.error().rule;
}

TEST(ReadDocument, the_format_is_told_from_the_content) {
  const std::string hlo =
      "%c = f32[2,6] convolution(f32[2,4] %a, f32[4,6] %k), dim_labels=bf_io->bf";
  const std::string mlir =
      "%r = stablehlo.convolution(%a, %k) dim_numbers = [b, f]x[i, o]->[b, f], window = {} {} : "
      "(tensor<1x1xf32>, tensor<1x1xf32>) -> tensor<1x1xf32>";
  EXPECT_EQ(count("// remark\n/* remark */ HloModule m\nENTRY e {\n" + hlo + "\n}"), 1U);
  EXPECT_EQ(count(hlo), 1U);
  EXPECT_EQ(count("// remark\n" + mlir), 1U);
  EXPECT_EQ(count("module {\n" + mlir + "\n}"), 1U);
  EXPECT_EQ(count("\xEF\xBB\xBF" + mlir), 1U);
  EXPECT_EQ(count(" [{\"id\": \"x\"}]"), 1U);
}

TEST(ReadDocument, what_cannot_be_read_is_refused_with_path_and_rule) {
  EXPECT_EQ(refusal(""), "is empty");
  EXPECT_EQ(refusal(std::string_view("HloModule m\0", 12)),
            "is not a text file: byte 0x00 at offset 11");
  EXPECT_EQ(refusal("hello world\n"),
            "is none of JSON cases, HLO text, StableHLO, MHLO or torch text, and benchdnn lists");
  const std::string missing = testing::TempDir() + "convproof_no_such_file";
  auto document = read_document(missing);
  ASSERT_FALSE(document);
  EXPECT_EQ(to_string(document.error()), missing + ": cannot be opened: No such file or directory");
  document = read_document(testing::TempDir());
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().rule, "is a directory");
}

TEST(ReadDocument, a_file_beyond_the_bound_is_not_read_to_its_end) {
  const TemporaryFile file("");
  std::error_code error;
  std::filesystem::resize_file(file.path(), (std::uintmax_t{256} << 20) + 1, error);
  if (error) GTEST_SKIP() << "no sparse files here: " << error.message();
  const auto document = read_document(file.path());
  ASSERT_FALSE(document);
  EXPECT_EQ(document.error().rule, "must be at most 268435456 bytes");
}

}  // namespace
}  // namespace convproof
