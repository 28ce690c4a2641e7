// Another solver repeats the questions of the documented table from their SMT-LIB form.
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "props/proofs/prove_table.h"
#include "selector/registry/registry.h"

namespace convproof::proofs {
namespace {

std::string answer_of(const std::string& path) {
  const std::string command = "cvc5 --tlimit=2000 '" + path + "' 2>/dev/null";
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "";
  char line[64] = "";
  const bool read = std::fgets(line, sizeof line, pipe) != nullptr;
  pclose(pipe);
  std::string answer = read ? line : "";
  if (!answer.empty() && answer.back() == '\n') answer.pop_back();
  return answer;
}

TEST(SecondSolver, agrees_on_all_that_it_decides) {
  if (std::system("cvc5 --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "cvc5 is not installed";
  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("convproof-smt2-" + std::to_string(getpid()));
  std::filesystem::create_directories(folder);
  ProveOptions options;
  options.prover.smt2_folder = folder.string();
  options.kinds = {FindingKind::shadowed, FindingKind::overlap};
  const auto report = prove_table(*find_registry("neuron"), options);
  ASSERT_TRUE(report);
  std::size_t decided = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    std::ifstream file(entry.path());
    std::string first;
    std::getline(file, first);
    const std::string answer = answer_of(entry.path().string());
    if (answer != "sat" && answer != "unsat") continue;
    ++decided;
    if (!first.ends_with(" unknown")) {
      EXPECT_EQ(answer == "unsat", first.ends_with(" unsat")) << entry.path();
    }
  }
  std::filesystem::remove_all(folder);
  EXPECT_GT(decided, 0U);
}

}  // namespace
}  // namespace convproof::proofs
