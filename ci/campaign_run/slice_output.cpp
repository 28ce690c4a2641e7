#include "ci/campaign_run/slice_output.h"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace convproof::campaign {
namespace {

std::int64_t number_at(std::string_view text) {
  std::int64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

// The number after `name` in the line; 0 where the name is not there.
std::int64_t number_after(std::string_view line, std::string_view name) {
  const std::size_t at = line.find(name);
  return at == std::string_view::npos ? 0 : number_at(line.substr(at + name.size()));
}

}  // namespace

// `#8192	pulse  cov: 812 ft: 2210 corp: 301/9Kb lim: 320 exec/s: 4096 rss: 60Mb`
void SliceOutput::progress(std::string_view line) {
  executions_ = std::max(executions_, number_at(line.substr(1)));
  if (line.find(" ft: ") == std::string_view::npos) return;
  end_ = {.executions = executions_,
          .coverage = number_after(line, " cov: "),
          .features = number_after(line, " ft: "),
          .corpus = number_after(line, " corp: ")};
  if (line.find("INITED") != std::string_view::npos) start_features_ = end_.features;
}

// `statistics: executions=50000 well_formed=100.00% reached_kernel=63.10% equal=30000 ...`, or
// `candidates=60590` of calls: the autotuner may take any, and each is compared.
void SliceOutput::statistics(std::string_view line) {
  executions_ = number_after(line, " executions=");
  end_.executions = executions_;
  checked_ = number_after(line, " equal=") + number_after(line, " different=") +
             number_after(line, " rejected=") + number_after(line, " candidates=");
}

std::int64_t SliceOutput::new_features() const {
  return std::max<std::int64_t>(end_.features - start_features_, 0);
}

void SliceOutput::hear(std::string_view line) {
  constexpr std::string_view artifact = "Test unit written to ";
  constexpr std::size_t tail_lines = 12;
  if (line.empty()) return;
  if (tail_.size() == tail_lines) tail_.erase(tail_.begin());
  tail_.emplace_back(line);
  if (std::exchange(detail_follows_, false) && line.starts_with("  ")) {
    announced_.back().detail = line.substr(2);
    return;
  }
  if (line.starts_with('#') && line.size() > 1 && line[1] >= '0' && line[1] <= '9') {
    progress(line);
  } else if (line.starts_with("statistics: ")) {
    statistics(line);
  } else if (const std::size_t at = line.find(artifact); at != std::string_view::npos) {
    const std::string_view path = line.substr(at + artifact.size());
    // libFuzzer keeps what was slow and goes on: how long an input takes is the machine's affair.
    if (path.find("/slow-unit-") == std::string_view::npos) artifacts_.emplace_back(path);
  } else if (line.starts_with("finding: ")) {
    announced_.push_back({.signature = std::string(line.substr(9))});
    detail_follows_ = true;
  } else if (line.starts_with("SUMMARY: ")) {
    summary_ = line.substr(9);
  } else if (line.find(": cannot be written") != std::string_view::npos) {
    could_not_write_ = true;
  } else if (const std::size_t frame = line.find(" in convproof::");
             first_frame_.empty() && frame != std::string_view::npos &&
             line.find('#') != std::string_view::npos) {
    // `    #3 0x55d0 in convproof::read_hlo(...) /path/read_hlo.cpp:41:7`
    const std::string_view rest = line.substr(frame + 4);
    first_frame_ = rest.substr(0, std::min(rest.find('('), rest.find(' ')));
  }
}

}  // namespace convproof::campaign
