#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "selector/registry/registry.h"

namespace convproof::ci {

// What the command line asked for; one struct for all commands that read convolutions.
struct Request {
  std::vector<std::string> files{};
  std::string registry = "neuron";
  std::vector<std::string> settings{};     // NAME=VALUE, registry options and device switches
  std::vector<std::string> environment{};  // NAME=VALUE, what calls of aten are compiled for
  std::string kernel{};
  std::string format = "text";
  std::uint64_t seed = 1;
  std::int64_t generate = 0;
  int size = 0;
  std::string values = "field";  // what the operands of `check` hold: field or special
  std::int64_t max_work = 2'000'000'000;
  bool pglt = false;
  bool explained_ok = false;  // findings that the contract or a known defect explains are not new
  std::string report_file{};  // the JSON report, beside what is printed
};

// Each prints results on standard output and everything else on standard error, and returns the
// exit status: 0 nothing found, 1 findings, 2 bad usage or bad input, 3 undecided or an internal
// failure.
int run_select(const Request& request);
int run_explain(const Request& request);
int run_check(const Request& request);
int run_lower(const Request& request);

// The requested registry, or nothing after its error was printed.
std::optional<Registry> open_registry(const Request& request);

}  // namespace convproof::ci
