#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <sys/wait.h>

#include <gtest/gtest.h>

namespace convproof::ci {

namespace fs = std::filesystem;

struct Outcome {
  int status = -1;
  std::string out{};
  std::string err{};
};

inline std::string content_of(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// A folder of its own for each test, and the command run in it.
class Cli : public testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        fs::path(testing::TempDir()) /
        (std::string("convproof_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string file(const std::string& name, std::string_view content) {
    std::ofstream(folder_ / name, std::ios::binary) << content;
    return (folder_ / name).string();
  }

  Outcome run(const std::string& arguments) {
    const std::string command = std::string(CONVPROOF_BINARY) + " " + arguments + " >'" +
                                (folder_ / "out").string() + "' 2>'" + (folder_ / "err").string() +
                                "' </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, content_of(folder_ / "out"),
            content_of(folder_ / "err")};
  }

  fs::path folder_;
};

}  // namespace convproof::ci
