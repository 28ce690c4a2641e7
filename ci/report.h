#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "selector/op/error.h"

namespace convproof::ci {

// One operation of a `select` or `check` run, as every printer shows it.
struct OperationReport {
  std::string name{};
  std::string file{};
  int line = 0;
  std::string op{};      // dim-label notation; empty where the file's operation is none
  std::string value{};   // its class
  bool finding = false;  // something is wrong, and no expectation of the input says so
  std::string row{};
  std::string kernel{};
  std::string detail{};
  std::vector<std::string> clauses{};  // contract clauses that do not hold
  std::string defect{};                // the kernel's own defect that explains a difference
  std::optional<bool> golden{};        // the reference equals the file's golden values
  std::string unexpected{};            // what the input expected instead
};

struct Report {
  std::string command{};
  std::string registry{};
  std::uint64_t seed = 0;
  std::vector<std::pair<std::string, std::int64_t>>
      counts{};  // class -> operations, in fixed order
  std::int64_t total = 0;
  std::int64_t golden_checked = 0;
  std::int64_t golden_equal = 0;
  std::int64_t expectations = 0;
  std::int64_t expectations_met = 0;
  std::int64_t findings = 0;
  std::int64_t bad_operations = 0;  // invalid, and not expected to be
  std::int64_t explained =
      0;  // findings with a broken clause, a known defect or a raise's own words
  std::vector<OperationReport> operations{};
  std::vector<Error> errors{};
  std::vector<std::string> statistics{};  // the pass's closing lines
  bool interrupted = false;
  bool explained_ok = false;  // explained findings do not count for the exit status

  void count(std::string_view value);   // one more operation of this class
  void add_to(std::string_view value);  // one more of this class, of an operation that is counted
};

// For people: findings and errors in full, operations of files one by one, generated ones by class.
std::string to_text(const Report& report, bool every_operation, bool colour);

// For tools: `{"version": 1, ...}`; every operation.
std::string to_json(const Report& report);

// 2 bad input, else 3 interrupted, else 1 findings, else 0.
int exit_status(const Report& report);

}  // namespace convproof::ci
