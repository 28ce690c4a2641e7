#pragma once

#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "selector/op/error.h"

namespace convproof::fuzz {

struct ChildProgram {
  std::string path{};
  std::vector<std::string> arguments{};
  std::vector<std::string> environment{};  // NAME=VALUE, beside our own
};

struct ChildEnd {
  int status = 0;        // exit status; 128 + signal where a signal ended it
  bool stopped = false;  // by us, since `line` asked for it
};

// Runs a program to its end and hands over what it writes, on standard output and error, line by
// line. `line` returns false to stop it; it is also called with an empty line four times a second,
// so that silence can be stopped too. Fails where the program cannot be started.
std::expected<ChildEnd, Error> run_child(const ChildProgram& program,
                                         const std::function<bool(std::string_view)>& line);

}  // namespace convproof::fuzz
