#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ci/campaign_run/campaign_report.h"

namespace convproof::campaign {

// A finding that the target announced: `finding: law/fuzz_hlo/round-trip`, then a line of words.
struct AnnouncedFinding {
  std::string signature{};
  std::string detail{};

  bool operator==(const AnnouncedFinding&) const = default;
};

// What a libFuzzer binary of ours says while it runs, line by line.
class SliceOutput {
 public:
  void hear(std::string_view line);

  [[nodiscard]] std::int64_t executions() const { return executions_; }
  // In which a kernel ran and was compared, or refused: by the target's own statistics.
  [[nodiscard]] std::int64_t checked() const { return checked_; }
  // Beyond those of the corpus it started from.
  [[nodiscard]] std::int64_t new_features() const;
  [[nodiscard]] const CoveragePoint& end() const { return end_; }
  [[nodiscard]] const std::vector<std::string>& artifacts() const { return artifacts_; }
  [[nodiscard]] const std::vector<AnnouncedFinding>& announced() const { return announced_; }
  // What a sanitizer or libFuzzer itself says is wrong; empty where nothing is.
  [[nodiscard]] const std::string& summary() const { return summary_; }
  [[nodiscard]] const std::string& first_frame() const { return first_frame_; }
  // A finding that could not be kept: the disk is full.
  [[nodiscard]] bool could_not_write() const { return could_not_write_; }
  // The last lines, for a target that ends where it should not.
  [[nodiscard]] const std::vector<std::string>& tail() const { return tail_; }

 private:
  void progress(std::string_view line);
  void statistics(std::string_view line);

  std::int64_t executions_ = 0;
  std::int64_t checked_ = 0;
  std::int64_t start_features_ = 0;
  CoveragePoint end_{};
  std::vector<std::string> artifacts_{};
  std::vector<AnnouncedFinding> announced_{};
  bool detail_follows_ = false;
  std::string summary_{};
  std::string first_frame_{};
  bool could_not_write_ = false;
  std::vector<std::string> tail_{};
};

}  // namespace convproof::campaign
