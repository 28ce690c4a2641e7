#include <csignal>
#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "ci/campaign_run/table_stage.h"
#include "fuzz/child_process.h"

namespace convproof::campaign {

std::expected<ToolOutput, Error> run_tool(const std::string& program,
                                          const std::vector<std::string>& arguments,
                                          const std::function<bool()>& interrupted) {
  constexpr int most_attempts = 3;
  for (int attempt = 1;; ++attempt) {
    ToolOutput output;
    // Messages come on the same pipe: JSON starts at a line that is one brace.
    bool in_json = false;
    std::string messages;
    const auto end =
        fuzz::run_child({.path = program, .arguments = arguments}, [&](std::string_view line) {
          in_json = in_json || line == "{";
          if (!line.empty()) (in_json ? output.text : messages).append(line).append("\n");
          return !interrupted();
        });
    if (!end) return std::unexpected(end.error());
    output.status = end->status;
    if (end->stopped || end->status < 128) {
      if (!end->stopped && output.text.empty()) {
        return std::unexpected(
            Error{program + " " + arguments[0], fmt::format("status {}", end->status), messages});
      }
      return output;
    }
    if (attempt == most_attempts) {
      return std::unexpected(
          Error{program + " " + arguments[0], fmt::format("status {}", end->status),
                fmt::format("was killed or crashed {} times: {}", most_attempts, messages)});
    }
  }
}

}  // namespace convproof::campaign
