// Another solver repeats the questions of the documented table from their SMT-LIB form.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "props/proofs/diff_tables.h"
#include "props/proofs/prove_table.h"
#include "selector/registry/registry.h"

namespace convproof::proofs {
namespace {

namespace fs = std::filesystem;

std::string answer_of(const fs::path& path) {
  const std::string command = "cvc5 --tlimit=2000 '" + path.string() + "' 2>/dev/null";
  std::FILE* const pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return "";
  char line[64] = "";
  const bool read = std::fgets(line, sizeof line, pipe) != nullptr;
  pclose(pipe);
  std::string answer = read ? line : "";
  if (!answer.empty() && answer.back() == '\n') answer.pop_back();
  return answer;
}

class SecondSolver : public testing::Test {
 protected:
  void SetUp() override {
    if (std::system("cvc5 --version > /dev/null 2>&1") != 0) {
      GTEST_SKIP() << "cvc5 is not installed";
    }
    folder_ = fs::temp_directory_path() / ("convproof-smt2-" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override {
    if (!folder_.empty()) fs::remove_all(folder_);
  }

  // Few samples, so that questions of every kind reach the solver.
  ProveOptions options(std::vector<FindingKind> kinds) const {
    ProveOptions options;
    options.prover.samples = 512;
    options.prover.smt2_folder = folder_.string();
    options.kinds = std::move(kinds);
    return options;
  }

  // Repeats an even spread of at most `most` of the questions; what the second solver leaves open
  // is counted and no more.
  void expect_agreement(std::size_t most) {
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder_)) files.push_back(entry.path());
    ASSERT_FALSE(files.empty());
    std::ranges::sort(files);
    std::size_t decided = 0;
    std::size_t asked = 0;
    const std::size_t step = (files.size() + most - 1) / most;
    for (std::size_t i = 0; i < files.size(); i += step) {
      ++asked;
      std::ifstream file(files[i]);
      std::string first;
      std::getline(file, first);
      const std::string answer = answer_of(files[i]);
      if (answer != "sat" && answer != "unsat") continue;
      ++decided;
      if (!first.ends_with(" unknown")) {
        EXPECT_EQ(answer == "unsat", first.ends_with(" unsat")) << files[i];
      }
    }
    std::cout << "cvc5 decided " << decided << " of " << asked << " asked, " << files.size()
              << " exported\n";
    EXPECT_GT(decided, 0U);
  }

  fs::path folder_{};
};

class SecondSolverOfKind : public SecondSolver, public testing::WithParamInterface<FindingKind> {};

TEST_P(SecondSolverOfKind, agrees_on_all_that_it_decides) {
  ASSERT_TRUE(prove_table(*find_registry("neuron"), options({GetParam()})));
  expect_agreement(12);
}

std::string kind_name(const testing::TestParamInfo<FindingKind>& kind) {
  return std::string(info(kind.param).name);
}

// `gap` and `unused` of this table are answered by samples: no question is left for a solver.
INSTANTIATE_TEST_SUITE_P(Questions, SecondSolverOfKind,
                         testing::Values(FindingKind::shadowed, FindingKind::raises,
                                         FindingKind::unsound, FindingKind::overlap,
                                         FindingKind::latent, FindingKind::redundant_clause,
                                         FindingKind::swap),
                         kind_name);

TEST_F(SecondSolver, agrees_on_the_differences_of_two_tables) {
  ASSERT_TRUE(
      diff_tables(*find_registry("neuron"), *find_registry("neuron-repaired"), options({})));
  expect_agreement(24);
}

}  // namespace
}  // namespace convproof::proofs
