#include "fuzz/child_process.h"

#include <string>
#include <string_view>
#include <sys/personality.h>

#include <gtest/gtest.h>

namespace convproof::fuzz {
namespace {

TEST(ChildProcess, hands_over_lines_and_the_status) {
  std::string heard;
  const auto end = run_child({.path = "/bin/sh",
                              .arguments = {"-c", "echo one; echo $WORD >&2; exit 3"},
                              .environment = {"WORD=two"}},
                             [&](std::string_view line) {
                               heard += std::string(line) + ";";
                               return true;
                             });
  ASSERT_TRUE(end);
  EXPECT_EQ(end->status, 3);
  EXPECT_NE(heard.find("one;"), std::string::npos);
  EXPECT_NE(heard.find("two;"), std::string::npos);
}

TEST(ChildProcess, stops_a_program_that_says_nothing) {
  const auto end = run_child({.path = "/bin/sh", .arguments = {"-c", "exec sleep 600"}},
                             [](std::string_view) { return false; });
  ASSERT_TRUE(end);
  EXPECT_TRUE(end->stopped);
}

TEST(ChildProcess, a_program_that_is_not_there_is_an_error) {
  const auto end = run_child({.path = "/nowhere/program"}, [](std::string_view) { return true; });
  ASSERT_FALSE(end);
  EXPECT_EQ(end.error().place, "/nowhere/program");
}

TEST(ChildProcess, lies_at_the_same_addresses_in_each_run) {
  const int before = ::personality(0xffffffff);
  if (::personality(static_cast<unsigned long>(before) | ADDR_NO_RANDOMIZE) == -1) {
    GTEST_SKIP() << "the system randomizes addresses and does not let it be turned off";
  }
  ::personality(static_cast<unsigned long>(before));
  std::string said;
  const auto end = run_child({.path = "/bin/cat", .arguments = {"/proc/self/personality"}},
                             [&](std::string_view line) {
                               said += line;
                               return true;
                             });
  ASSERT_TRUE(end) << to_string(end.error());
  EXPECT_EQ(end->status, 0);
  EXPECT_EQ(std::stoul(said, nullptr, 16) & ADDR_NO_RANDOMIZE, ADDR_NO_RANDOMIZE) << said;
  EXPECT_EQ(::personality(0xffffffff), before) << "this process keeps its own";
}

}  // namespace
}  // namespace convproof::fuzz
