#include "ci/campaign_run/journal.h"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <expected>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "ci/campaign_run/finding_json.h"

namespace convproof::campaign {
namespace {

using Json = nlohmann::ordered_json;

std::unexpected<Error> failed(const std::string& path, std::string_view what) {
  return std::unexpected(
      Error{path, "", fmt::format("cannot be {}: {}", what, std::strerror(errno))});
}

Json plan_json(const CampaignPlan& plan) {
  return {{"event", "start"},   {"version", 1},          {"tool", plan.tool_version},
          {"seed", plan.seed},  {"budget", plan.budget}, {"tables", plan.tables},
          {"fault", plan.fault}};
}

CampaignPlan plan_from(const Json& json) {
  return {.tool_version = json.at("tool"),
          .seed = json.at("seed"),
          .budget = json.at("budget"),
          .tables = json.at("tables"),
          .fault = json.at("fault")};
}

Json slice_json(const SliceResult& slice) {
  return {{"event", "slice"},
          {"round", slice.round},
          {"job", slice.job},
          {"folder", slice.folder},
          {"executions", slice.executions},
          {"checked", slice.checked},
          {"crashes", slice.crashes},
          {"new_features", slice.new_features},
          {"coverage", slice.end.coverage},
          {"features", slice.end.features},
          {"corpus", slice.end.corpus}};
}

SliceResult slice_from(const Json& json) {
  SliceResult slice{.round = json.at("round"),
                    .job = json.at("job"),
                    .folder = json.at("folder"),
                    .executions = json.at("executions"),
                    .checked = json.at("checked"),
                    .crashes = json.at("crashes"),
                    .new_features = json.at("new_features")};
  slice.end = {.executions = slice.executions,
               .coverage = json.at("coverage"),
               .features = json.at("features"),
               .corpus = json.at("corpus")};
  return slice;
}

// Throws what nlohmann::json throws, and std::string where a finding cannot be read.
void read_line(const Json& json, JournalContent& content) {
  const std::string event = json.at("event");
  if (event == "start") {
    content.plan = plan_from(json);
  } else if (event == "finding") {
    auto finding = finding_from(json.at("finding").dump());
    if (!finding) throw to_string(finding.error());
    content.findings.push_back({json.at("round"), json.at("job"), std::move(*finding)});
  } else if (event == "slice") {
    content.slices.push_back(slice_from(json));
  } else if (event == "adopted") {
    content.adopted_rounds = json.at("round").get<int>() + 1;
  } else if (event == "end") {
    content.ended = true;
  } else {
    throw fmt::format("unknown event {}", event);
  }
}

}  // namespace

std::expected<JournalContent, Error> parse_journal(std::string_view text, std::string_view file) {
  JournalContent content;
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t newline = text.find('\n', begin);
    if (newline == std::string_view::npos) break;
    ++number;
    const auto refuse = [&](std::string rule) {
      return std::unexpected(Error{fmt::format("{}:{}", file, number), "", std::move(rule)});
    };
    try {
      read_line(Json::parse(text.substr(begin, newline - begin)), content);
    } catch (const nlohmann::json::exception& error) {
      return refuse(error.what());
    } catch (const std::string& rule) {
      return refuse(rule);
    }
    begin = newline + 1;
    content.whole_bytes = begin;
  }
  return content;
}

std::expected<Journal, Error> Journal::start(const std::string& path, const CampaignPlan& plan) {
  if (::access(path.c_str(), F_OK) == 0 &&
      std::rename(path.c_str(), (path + ".previous").c_str()) != 0) {
    return failed(path, "moved away");
  }
  const int file = ::open(path.c_str(), O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0644);
  if (file < 0) return failed(path, "written");
  Journal journal(path, file);
  if (auto added = journal.append(plan_json(plan).dump()); !added) {
    return std::unexpected(added.error());
  }
  return journal;
}

std::expected<Journal, Error> Journal::reopen(const std::string& path, std::size_t whole_bytes) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return failed(path, "written");
  Journal journal(path, file);
  if (::ftruncate(file, static_cast<off_t>(whole_bytes)) != 0 || ::lseek(file, 0, SEEK_END) < 0) {
    return failed(path, "continued");
  }
  return journal;
}

Journal::Journal(Journal&& other) noexcept
    : path_(std::move(other.path_)), file_(std::exchange(other.file_, -1)) {}

Journal::~Journal() {
  if (file_ >= 0) ::close(file_);
}

std::expected<void, Error> Journal::append(std::string line) {
  line += '\n';
  std::string_view rest = line;
  while (!rest.empty()) {
    const ssize_t written = ::write(file_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return failed(path_, "written");
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::fsync(file_) != 0) return failed(path_, "written");
  return {};
}

std::expected<void, Error> Journal::add(const JournaledFinding& finding) {
  return append(Json{{"event", "finding"},
                     {"round", finding.round},
                     {"job", finding.job},
                     {"finding", Json::parse(finding_to_json(finding.finding))}}
                    .dump());
}

std::expected<void, Error> Journal::add(const SliceResult& slice) {
  return append(slice_json(slice).dump());
}

std::expected<void, Error> Journal::adopted(int round) {
  return append(Json{{"event", "adopted"}, {"round", round}}.dump());
}

std::expected<void, Error> Journal::end(int status) {
  return append(Json{{"event", "end"}, {"status", status}}.dump());
}

}  // namespace convproof::campaign
